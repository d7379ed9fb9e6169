/** The page of the data: the list and a backup as files, and whether the counters are right. @module */
import { createFormat } from "../../../shared/signup_formats.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { download, downloadPeople } from "../answer_lines.ts";
import {
  button,
  facts,
  type Fields,
  filter,
  postForm,
  section,
  select,
  showTime,
} from "../components.ts";
import { failedView } from "../failures.ts";
import { PATHS } from "../layout.ts";
import type { ConsolePage, PageContext, View } from "../page_context.ts";
import { repairView, verifyView } from "./counters.ts";

export const dataPage: ConsolePage = {
  path: PATHS.data,
  async get({ operations, texts }) {
    const { data, words } = texts;
    const title = texts.pages.data;
    const overview = await operations.GET("/operator/v1/overview");
    if (!overview.data) return failedView(overview, texts, { title });
    const { lastDone } = overview.data;
    const moment = (at: string | undefined) => at === undefined ? words.never : showTime(at);
    const exported = markup`<p class="soft">${data.exportHint}</p>
${exportForm(texts)}`;
    const hint = markup`${data.backupHint} ${data.restoreHint} <code>waitlist restore</code>`;
    const backup = markup`<p class="soft">${hint}</p>
${facts([[data.lastBackup, moment(lastDone.backup)]])}
${actionForm("backup", data.backupSubmit)}`;
    const counters = markup`<p class="soft">${data.countersHint}</p>
${facts([[data.lastVerify, moment(lastDone.verify)]])}
<div class="actions">
${actionForm("verify", data.verify)}
${actionForm("repair", `${data.repair} …`)}
</div>`;
    return {
      title,
      body: markup`${section("export", data.export, exported)}
${section("backup", data.backup, backup)}
${section("counters", data.counters, counters)}`,
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

function exportForm({ data, words }: ConsoleTexts): Html {
  return postForm(
    { action: PATHS.data, fields: { action: "export" }, attributes: markup` class="filters"` },
    markup`${select({ name: "format", label: data.format }, [["csv", "CSV"], ["ndjson", "NDJSON"]])}
${filter(words, "state", { names: words.states })}
${filter(words, "lang", { names: words.langs })}
${button(data.download, "primary")}`,
  );
}

function actionForm(action: string, submit: string): Html {
  return postForm({ action: PATHS.data, fields: { action } }, button(submit));
}

async function downloadList(pageContext: PageContext, form: Fields): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const format = form.get("format") === "ndjson" ? "ndjson" : "csv";
  // The operation says what is wrong with a value that is none of these.
  const body = {
    ...form.get("state") && { state: form.get("state") as "waiting" },
    ...form.get("lang") && { lang: form.get("lang") as "en" },
  };
  const exported = await operations.POST("/operator/v1/signups/export", {
    body,
    parseAs: "stream",
  });
  if (!exported.data) {
    return failedView(exported, texts, { title: texts.data.export, back: PATHS.data });
  }
  const name = `waitlist-${dayOf(pageContext)}.${format}`;
  return downloadPeople(exported.data, createFormat(format), name);
}

async function downloadBackup(pageContext: PageContext): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const backup = await operations.POST("/operator/v1/backup", { body: {}, parseAs: "stream" });
  if (!backup.data) {
    return failedView(backup, texts, { title: texts.data.backup, back: PATHS.data });
  }
  return download(backup.data, `waitlist-backup-${dayOf(pageContext)}.ndjson`);
}

function dayOf({ now }: PageContext): string {
  return new Date(now).toISOString().slice(0, 10);
}
