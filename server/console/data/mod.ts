/**
 * The page of the data: the list and a backup as files, and whether the counters are right.
 *
 * @module
 */
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { button, facts, filter, postForm, section, select, showTime } from "../components.ts";
import { failedView } from "../failures.ts";
import { PATHS } from "../layout.ts";
import type { ConsolePage } from "../page_context.ts";
import { repairView, verifyView } from "./counters.ts";
import { downloadBackup, downloadList } from "./downloads.ts";

/** Exports, backups and counters. */
export const dataPage: ConsolePage = {
  path: PATHS.data,
  async get({ operations, texts }) {
    const { data, words } = texts;
    const title = texts.pages.data;
    const overview = await operations.GET("/operator/v1/overview");
    if (!overview.data) return failedView(overview, texts, { title });
    const { lastDone } = overview.data;
    const moment = (at: string | undefined) => at === undefined ? words.never : showTime(at);
    return {
      title,
      body: markup`${
        section(
          "export",
          data.export,
          markup`<p class="soft">${data.exportHint}</p>
${exportForm(texts)}`,
        )
      }
${
        section(
          "backup",
          data.backup,
          markup`<p class="soft">${data.backupHint} ${data.restoreHint} <code>waitlist restore</code></p>
${facts([[data.lastBackup, moment(lastDone.backup)]])}
${actionForm("backup", data.backupSubmit)}`,
        )
      }
${
        section(
          "counters",
          data.counters,
          markup`<p class="soft">${data.countersHint}</p>
${facts([[data.lastVerify, moment(lastDone.verify)]])}
<div class="actions">
${actionForm("verify", data.verify)}
${actionForm("repair", `${data.repair} …`)}
</div>`,
        )
      }`,
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
    {
      action: PATHS.data,
      fields: { action: "export" },
      attributes: markup` class="filters"`,
    },
    markup`${select({ name: "format", label: data.format }, [["csv", "CSV"], ["ndjson", "NDJSON"]])}
${filter(words, "state", { names: words.states })}
${filter(words, "lang", { names: words.langs })}
${button(data.download, "primary")}`,
  );
}

function actionForm(action: string, submit: string): Html {
  return postForm({ action: PATHS.data, fields: { action } }, button(submit));
}
