/**
 * The page of the data: the list and a backup as files, and whether the counters are right.
 *
 * @module
 */
import { type Html, markup } from "../../content/mod.ts";
import { STATES } from "../../waitlist/mod.ts";
import { hidden, select } from "../fields.ts";
import { pageName, PATHS } from "../layout.ts";
import { failedView } from "../failures.ts";
import { facts, showTime, stateName } from "../components.ts";
import type { ConsolePage, PageContext } from "../page_context.ts";
import { repairView, verifyView } from "./counters.ts";
import { downloadBackup, downloadList } from "./downloads.ts";
import { DATA_TEXTS, type DataTexts } from "./texts.ts";

/** Exports, backups and counters. */
export const dataPage: ConsolePage = {
  path: PATHS.data,
  async get({ operations, lang }) {
    const texts = DATA_TEXTS[lang];
    const title = pageName(lang, "data");
    const overview = await operations.GET("/operator/v1/overview");
    if (!overview.data) return failedView(overview, { lang, title });
    const { lastDone } = overview.data;
    const moment = (at: string | undefined) => at === undefined ? texts.never : showTime(at);
    return {
      title,
      body: markup`<section aria-labelledby="export">
<h2 id="export">${texts.export}</h2>
<p class="soft">${texts.exportHint}</p>
${exportForm(lang, texts)}
</section>
<section aria-labelledby="backup">
<h2 id="backup">${texts.backup}</h2>
<p class="soft">${texts.backupHint} ${texts.restoreHint} <code>waitlist restore</code></p>
${facts([[texts.lastBackup, moment(lastDone.backup)]])}
${actionForm("backup", texts.backupSubmit)}
</section>
<section aria-labelledby="counters">
<h2 id="counters">${texts.counters}</h2>
<p class="soft">${texts.countersHint}</p>
${facts([[texts.lastVerify, moment(lastDone.verify)]])}
<div class="actions">
${actionForm("verify", texts.verify)}
${actionForm("repair", `${texts.repair} …`)}
</div>
</section>`,
    };
  },
  async post(pageContext, form) {
    switch (form.get("action")) {
      case "backup":
        return await downloadBackup(pageContext);
      case "repair":
        return await repairView(pageContext, form);
      case "verify":
        return await verifyView(pageContext);
      default:
        return await downloadList(pageContext, form);
    }
  },
};

function exportForm(lang: PageContext["lang"], texts: DataTexts): Html {
  const states = STATES.map((state) => [state, stateName(lang, state)] as const);
  return markup`<form class="filters" method="post" action="${PATHS.data}">
${hidden("action", "export")}
${select("format", texts.format, Object.entries(texts.formats), undefined)}
${select("state", texts.state, [["", texts.everyState], ...states], undefined)}
${select("lang", texts.lang, [["", texts.everyLang], ...Object.entries(texts.langs)], undefined)}
<button class="primary" type="submit">${texts.download}</button>
</form>`;
}

function actionForm(action: string, submit: string): Html {
  return markup`<form method="post" action="${PATHS.data}">
${hidden("action", action)}
<button type="submit">${submit}</button>
</form>`;
}
