/**
 * The page "Data": the list of people and a backup as files, and the check of the counters. `import_page.ts` has the
 * page that imports a file. @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { type Lang, type State, utcDay } from "../../waitlist/mod.ts";
import {
  type Fact,
  facts,
  failedView,
  section,
  showTime,
  unknownActionView,
} from "../components.ts";
import { downloadList, downloadText } from "../downloads.ts";
import { button, checkbox, filterField, postForm, type SentFields } from "../forms.ts";
import {
  type ConsolePage,
  IMPORT_PATH,
  type PageContext,
  PATHS,
  type View,
} from "../page_context.ts";
import { repairView, verifyView } from "./counters.ts";
import { importPage } from "./import_page.ts";

/** The formats of the exported list, with their labels. */
const FORMATS = [["csv", "CSV"], ["ndjson", "NDJSON"]] as const;

const dataPage: ConsolePage = {
  path: PATHS.data,
  async get({ operations, texts }) {
    const { data, words, pages: { data: title } } = texts;
    const overview = await operations.getOverview({});
    if ("failure" in overview) return failedView(overview, texts, { title });
    const [lastBackup, lastVerify] = lastDoneFacts(overview, texts);
    const exportForm = postForm(
      { action: PATHS.data, fields: { action: "export" }, attributes: markup` class="filters"` },
      markup`${select({ name: "format", label: data.format }, FORMATS)}
${filterField("state", { words })}
${filterField("lang", { words })}
${checkbox("links", { label: data.links, checked: false })}
${button(data.download, "primary")}`,
    );
    const listSection = markup`<p class="soft">${data.exportHint}</p>
${exportForm}`;
    const importSection = markup`<p class="soft">${data.importHint}</p>
<p class="actions"><a class="button" href="${IMPORT_PATH}">${texts.imports.title} …</a></p>`;
    const hint = markup`${data.backupHint} ${data.restoreHint} <code>waitlist restore</code>`;
    const backupSection = markup`<p class="soft">${hint}</p>
${facts([lastBackup])}
${actionForm("backup", data.backupSubmit)}`;
    const countersSection = markup`<p class="soft">${data.countersHint}</p>
${facts([lastVerify])}
<div class="actions">
${actionForm("verify", data.verify)}
${actionForm("repair", `${data.repair} …`)}
</div>`;
    return {
      title,
      body: markup`${section("export", data.export, listSection)}
${section("import", data.import, importSection)}
<div class="columns">
${section("backup", data.backup, backupSection)}
${section("counters", data.counters, countersSection)}
</div>`,
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
      case "export":
        return await downloadChosenList(pageContext, form);
      default: {
        const { texts } = pageContext;
        const actions = ["export", "backup", "verify", "repair"];
        return unknownActionView(texts, { title: texts.pages.data, back: PATHS.data, actions });
      }
    }
  },
};

export const DATA_PAGES = [dataPage, importPage];

/** Says when the last backup was made and when the counters were last verified. */
export function lastDoneFacts(
  { lastDone }: Overview,
  texts: ConsoleTexts,
): [lastBackup: Fact, lastVerify: Fact] {
  const { data, words } = texts;
  const showMoment = (moment: string | undefined) =>
    moment === undefined ? words.never : showTime(moment, texts);
  return [
    [data.lastBackup, showMoment(lastDone.backup)],
    [data.lastVerify, showMoment(lastDone.verify)],
  ];
}

function actionForm(action: string, submit: string): Html {
  return postForm({ action: PATHS.data, fields: { action } }, button(submit));
}

/** Gives the list of people as a file. */
function downloadChosenList(
  pageContext: PageContext,
  form: SentFields,
): Promise<View | Response> {
  // The casts are safe, because the operation refuses a state and a language that do not exist.
  const state = form.get("state") as State | undefined;
  const lang = form.get("lang") as Lang | undefined;
  const request = {
    ...state && { state },
    ...lang && { lang },
    ...form.has("links") && { links: true },
  };
  const format = form.get("format") === "ndjson" ? "ndjson" : "csv";
  return downloadList(pageContext, request, { format, back: PATHS.data });
}

/** Gives a backup as a file. */
async function downloadBackup(
  { operations, texts, now, yieldToCalls }: PageContext,
): Promise<View | Response> {
  const backup = await operations.backUp({});
  if ("failure" in backup) {
    return failedView(backup, texts, { title: texts.data.backup, back: PATHS.data });
  }
  const { text } = backup;
  async function* parts() {
    for await (const part of text) {
      yield part;
      await yieldToCalls();
    }
  }
  return downloadText(parts(), `waitlist-backup-${utcDay(now)}.ndjson`);
}
