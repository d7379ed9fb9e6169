/**
 * The page "Data": the list of people and a backup as files, and the check of the counters. `import_page.ts` has the
 * page that imports a file. @module
 */
import { type Attention, attentionIn } from "../../../shared/attention.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import {
  type ConsoleTexts,
  describeAttention,
  type Html,
  markup,
  select,
} from "../../content/mod.ts";
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
import { button, checkbox, knownValue, postForm, type SentFields } from "../forms.ts";
import {
  type ConsolePage,
  IMPORT_PATH,
  type PageContext,
  PATHS,
  type View,
} from "../page_context.ts";
import { filterField } from "../person_fields.ts";
import { repairView, verifyView } from "./counters.ts";
import { importPage } from "./import_page.ts";

/** The formats of the exported list, with their labels. */
const FORMATS = [["csv", "CSV"], ["ndjson", "NDJSON"]] as const;

/** What a form of the page does, as its field `action` says. */
const ACTIONS = ["export", "backup", "verify", "repair"] as const;

const dataPage: ConsolePage = {
  path: PATHS.data,
  async get({ operations, texts }) {
    const title = texts.pages.data;
    const overview = await operations.getOverview({});
    if ("failure" in overview) return failedView(overview, texts, { title });
    const [lastBackup, lastVerify] = lastDoneFacts(overview, texts);
    const drift = attentionIn(overview).find(({ about }) => about === "drift");
    return {
      title,
      body: markup`${exportSection(texts)}
${importSection(texts)}
<div class="columns">
${backupSection(texts, lastBackup)}
${countersSection(texts, lastVerify, drift)}
</div>`,
    };
  },
  async post(pageContext, form) {
    switch (knownValue(ACTIONS, form.get("action"))) {
      case "export":
        return await downloadExport(pageContext, form);
      case "backup":
        return await downloadBackup(pageContext);
      case "verify":
        return await verifyView(pageContext);
      case "repair":
        return await repairView(pageContext, form);
      case undefined: {
        const { texts } = pageContext;
        const title = texts.pages.data;
        return unknownActionView(texts, { title, back: PATHS.data, actions: ACTIONS });
      }
    }
  },
};

export const DATA_PAGES = [dataPage, importPage];

/** The form that downloads the list of people. */
function exportSection({ data, pages, words }: ConsoleTexts): Html {
  const form = postForm(
    { action: PATHS.data, fields: { action: "export" }, attributes: markup` class="filters"` },
    markup`${select({ name: "format", label: data.format }, FORMATS)}
${filterField("state", { words })}
${filterField("lang", { words })}
${checkbox("links", { label: data.links, checked: false })}
${button(data.download, "primary")}`,
  );
  return section(
    "export",
    data.export,
    markup`<p class="soft">${data.exportHint}</p>
${form}
<p class="soft">${data.partHint} <a href="${PATHS.people}">${pages.people}</a></p>`,
  );
}

/** The link to the page that imports people. */
function importSection({ data, imports }: ConsoleTexts): Html {
  return section(
    "import",
    data.import,
    markup`<p class="soft">${data.importHint}</p>
<p class="actions"><a class="button" href="${IMPORT_PATH}">${imports.title} …</a></p>`,
  );
}

function backupSection({ data }: ConsoleTexts, lastBackup: Fact): Html {
  return section(
    "backup",
    data.backup,
    markup`<p class="soft">${data.backupHint} ${data.restoreHint} <code>waitlist restore</code></p>
${facts([lastBackup])}
${actionForm("backup", data.backupSubmit)}`,
  );
}

/**
 * The check of the counters. A repair is offered only after a check that found a difference.
 * @param drift the difference that the last check found; `undefined` if it found none
 */
function countersSection(
  texts: ConsoleTexts,
  lastVerify: Fact,
  drift: Attention | undefined,
): Html {
  const { data } = texts;
  return section(
    "counters",
    data.counters,
    markup`<p class="soft">${data.countersHint}</p>
${drift && markup`<p class="warning">${describeAttention(drift, texts)}</p>`}
${facts([lastVerify])}
<div class="actions">
${actionForm("verify", data.verify)}
${drift && actionForm("repair", `${data.repair} …`)}
</div>`,
  );
}

/** Says when the last backup was made and when the counters were last verified. The overview shows this as well. */
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

/** A form with nothing but a button, which makes the page do an action. */
function actionForm(action: typeof ACTIONS[number], submit: string): Html {
  return postForm({ action: PATHS.data, fields: { action } }, button(submit));
}

/** Gives the people who fit the filters of the form as a file. */
function downloadExport(
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
