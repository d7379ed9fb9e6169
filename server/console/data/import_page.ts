/**
 * The page that imports people from a file. The operator tries the import first, and then sends the same file again,
 * because the service stores nothing between the two steps. `import_file.ts` reads the file, `import_forms.ts` has the
 * forms, and `import_results.ts` has the results. @module
 */
import type { RefusedHeader, RequiredField } from "../../../shared/import_file/columns.ts";
import type { Line } from "../../../shared/lines.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { BodyFailure, FileForm, SentFile } from "../../http/mod.ts";
import { failedView, failureNote, faultNote, progressBar, statusNote } from "../components.ts";
import {
  type ConsolePage,
  IMPORT_PATH,
  type PageContext,
  type PageFailure,
  PATHS,
  type View,
} from "../page_context.ts";
import { faultOfZone } from "../zones.ts";
import {
  columnsToOffer,
  digestOfFile,
  digestOfTrial,
  type ImportFile,
  linesIn,
  MAX_FILE_BYTES,
  readColumnNames,
  readImportFile,
  type TooManyRows,
  type TriedFile,
  withUnreadRows,
  zonelessRows,
} from "./import_file.ts";
import { type OfferedColumns, trialForm, uncertaintyHints } from "./import_forms.ts";
import { importResult, trialResult, withoutLines } from "./import_results.ts";
import { readSample } from "./import_sample.ts";
import {
  columnChosenTwice,
  guessColumns,
  type ImportSettings,
  proposeColumns,
  settingsIn,
  unproposedField,
} from "./import_settings.ts";
import { refusedRowsFile } from "./refused_rows.ts";

/**
 * How many lines a dry run gives to the operation `importSignups` at once. An import of a large file gives more lines
 * at once, so that its progress has at most `PROGRESS_STEPS` steps.
 */
const LINES_AT_ONCE = 1_000;

/** The largest number of steps in which a page shows the progress of an import. */
const PROGRESS_STEPS = 10;

export const importPage: ConsolePage = {
  path: IMPORT_PATH,
  get: (pageContext) => formView(pageContext, { settings: { zone: "" } }),
  fileForm: { maxBytes: MAX_FILE_BYTES, post: actOnForm },
};

/** Checks the form and reads its file, and then tries or imports the file. */
async function actOnForm(pageContext: PageContext, sent: FileForm | BodyFailure): Promise<View> {
  const { texts } = pageContext;
  const { imports: labels } = texts;
  if ("failure" in sent) return unreadView(pageContext, sent);
  const { file, values } = sent;
  const sentSettings = settingsIn(values);
  const showFormAgain = async (fault: string, status = 400) => {
    const names = await columnsToOffer(file, sentSettings);
    return formView(pageContext, {
      settings: sentSettings,
      offered: { names },
      note: faultNote(fault),
      status,
    });
  };
  if (!file) return await showFormAgain(labels.noFile);
  const settingsFault = faultOfSettings(sentSettings, texts);
  if (settingsFault !== undefined) return await showFormAgain(settingsFault);
  const isImport = values.get("step") === "import";
  if (isImport && values.get("trial") !== digestOfTrial(file, sentSettings)) {
    return await showFormAgain(labels.otherFile({ name: file.name }), 409);
  }
  const guess = isImport ? undefined : await guessSettings(file, sentSettings);
  const settings = guess ?? sentSettings;
  const importFile = await readImportFile(file, settings, pageContext);
  if ("refused" in importFile) return refusedView(pageContext, importFile, settings);
  const { name } = file;
  if (isImport) return importView(pageContext, file, importFile);
  const triedFile = {
    name,
    fileDigest: digestOfFile(file),
    trialDigest: digestOfTrial(file, settings),
    settings,
    isGuessed: guess !== undefined,
    ...importFile,
  };
  return await trialView(pageContext, file, triedFile);
}

/**
 * Guesses the columns of a file of another tool, so that the operator sees the result of a try at once. Returns
 * `undefined` if the operator has chosen columns, or if there is nothing to guess.
 */
async function guessSettings(
  file: SentFile,
  settings: ImportSettings,
): Promise<ImportSettings | undefined> {
  if (settings.columnsByField) return undefined;
  const columnsByField = guessColumns(await readColumnNames(file));
  return columnsByField && { ...settings, columnsByField };
}

/** Says what is wrong with the settings; `undefined` if the file can be read by these settings. */
function faultOfSettings(settings: ImportSettings, texts: ConsoleTexts): string | undefined {
  const { zone } = settings;
  const zoneFault = zone === "" ? undefined : faultOfZone(zone, texts);
  if (zoneFault) return zoneFault;
  const column = columnChosenTwice(settings);
  return column === undefined ? undefined : texts.imports.faults.chosen_twice({ column });
}

/**
 * The page with the form that tries an import.
 * @param options.offered the columns that the form offers; absent if the form offers no columns
 * @param options.note why the form is shown again
 */
function formView(
  { texts }: PageContext,
  { settings, offered, note, status }: {
    settings: ImportSettings;
    offered?: OfferedColumns;
    note?: Html;
    status?: number;
  },
): View {
  const { imports: labels } = texts;
  return {
    title: labels.title,
    script: "upload.js",
    ...status !== undefined && { status },
    body: markup`<p><a href="${PATHS.data}">${texts.pages.data}</a></p>
${note}
<p class="soft">${labels.about}</p>
${trialForm({ settings, offered, purpose: "first try", isMain: true }, texts)}
<p class="soft">${labels.larger} <code>waitlist signups import list.csv</code></p>`,
  };
}

/** Says why the form could not be read. */
function unreadView(pageContext: PageContext, { failure }: BodyFailure): View {
  const { imports: labels, failures } = pageContext.texts;
  const settings = { zone: "" };
  if (failure === "payload_too_large") {
    return formView(pageContext, { settings, note: faultNote(labels.tooLarge), status: 413 });
  }
  const fault = failure === "body_cut" ? failures.codes.body_cut : labels.noFile;
  return formView(pageContext, { settings, note: faultNote(fault), status: 400 });
}

/**
 * Says why a file cannot be imported. If the names of the columns are known, the form proposes columns for fields, and
 * the operator can choose other columns.
 */
function refusedView(
  pageContext: PageContext,
  refusal: RefusedHeader | TooManyRows,
  settings: ImportSettings,
): View {
  const { texts } = pageContext;
  const note = faultNote(describeFault(refusal.refused, texts));
  if (!("names" in refusal)) return formView(pageContext, { settings, note, status: 413 });
  const { names } = refusal;
  const columnsByField = proposeColumns(refusal, settings);
  const view = { settings: { ...settings, columnsByField }, offered: { names } };
  const missingField = fieldToAskFor(refusal, settings);
  if (missingField === undefined) return formView(pageContext, { ...view, note, status: 400 });
  return formView(pageContext, {
    ...view,
    offered: { names, hints: uncertaintyHints(columnsByField, names, texts) },
    note: statusNote(texts.imports.faults.missing_field[missingField], "warning"),
  });
}

/**
 * Returns the required field that no name of a column shows, if the operator has not chosen any column yet. The page
 * then asks for the column instead of naming a fault, because files of other tools have other names for their columns.
 */
function fieldToAskFor(
  refusal: RefusedHeader,
  settings: ImportSettings,
): RequiredField | undefined {
  if (settings.columnsByField || refusal.refused.fault !== "missing_field") return undefined;
  return unproposedField(proposeColumns(refusal, settings));
}

function describeFault(
  refused: (RefusedHeader | TooManyRows)["refused"],
  { imports: { faults } }: ConsoleTexts,
): string {
  switch (refused.fault) {
    case "missing_field":
      return faults.missing_field[refused.missing];
    case "absent_column":
      return faults.absent_column({ column: refused.absent });
    case "several_columns":
      return faults.several_columns({ columns: refused.several.join(", ") });
    case "unknown_columns":
      // The compiler asks for a text. This fault does not occur here, because the console leaves unknown columns out.
      return faults.no_names;
    default:
      return faults[refused.fault];
  }
}

/** Tries the import, and shows what it would do. */
async function trialView(
  pageContext: PageContext,
  file: SentFile,
  triedFile: TriedFile,
): Promise<View> {
  const { operations, texts, yieldToCalls } = pageContext;
  const { imports: labels } = texts;
  async function* lines(): AsyncGenerator<Line[]> {
    for (const group of linesIn(triedFile, LINES_AT_ONCE)) {
      yield group;
      await yieldToCalls();
    }
  }
  const report = await operations.importSignups({ lines: lines(), dryRun: true });
  if ("failure" in report) {
    return failedView(report, texts, { title: labels.title, back: IMPORT_PATH });
  }
  const wholeReport = withUnreadRows(report, triedFile);
  // The rows that only lack a zone are left out, because the page asks for the zone instead.
  const { refusals } = withoutLines(wholeReport, zonelessRows(triedFile).lines);
  const refusedRows = await refusedRowsFile(file, refusals, pageContext);
  const sample = await readSample(pageContext, report, triedFile);
  return {
    title: labels.title,
    script: "upload.js",
    body: markup`<p><a href="${PATHS.data}">${texts.pages.data}</a></p>
${trialResult(pageContext, wholeReport, { triedFile, sample, refusedRows })}`,
  };
}

/** Imports the file, and shows the progress and the result. */
function importView(pageContext: PageContext, sent: SentFile, file: ImportFile): View {
  const { imports: labels } = pageContext.texts;
  return {
    title: labels.title,
    body: markup`<p>${labels.fileName({ name: sent.name })}</p>`,
    parts: importParts(pageContext, sent, file),
  };
}

/**
 * Imports the file. Makes a part of the page for each step of the progress, and a part for the result. The style sheet
 * shows only the last part.
 */
async function* importParts(
  pageContext: PageContext,
  sent: SentFile,
  file: ImportFile,
): AsyncGenerator<Html> {
  const { operations, texts, yieldToCalls } = pageContext;
  let doneCount = 0;
  // This promise is resolved as soon as the import has done its next step.
  let nextStep = Promise.withResolvers<undefined>();
  async function* lines(): AsyncGenerator<Line[]> {
    const groupSize = Math.max(LINES_AT_ONCE, Math.ceil(file.readableCount / PROGRESS_STEPS));
    for (const group of linesIn(file, groupSize)) {
      yield group;
      doneCount += group.length;
      nextStep.resolve(undefined);
      await yieldToCalls();
    }
  }
  const importing = operations.importSignups({
    lines: lines(),
    ...file.unreadableCount > 0 && { unread: file.unreadableCount },
  });
  try {
    let report: ImportReport | PageFailure | undefined;
    while (!report) {
      yield progressPart(doneCount, file, texts);
      // The report is `undefined` if the import has done a step and goes on.
      report = await Promise.race([importing, nextStep.promise]);
      nextStep = Promise.withResolvers();
    }
    yield await resultPart(report, { sent, file }, pageContext);
  } finally {
    // The import goes on to its end even if the operator closes the page.
    await importing;
  }
}

function progressPart(done: number, file: ImportFile, texts: ConsoleTexts): Html {
  const { imports: labels, number } = texts;
  const whole = file.readableCount;
  const text = labels.soFar({ done: number(done), whole: number(whole) });
  return markup`<div class="step">
${progressBar({ label: labels.progress, done, whole, text })}
<p>${labels.whenCut}</p>
</div>`;
}

async function resultPart(
  report: ImportReport | PageFailure,
  { sent, file }: { sent: SentFile; file: ImportFile },
  pageContext: PageContext,
): Promise<Html> {
  const { texts } = pageContext;
  if ("failure" in report) {
    const { imports: labels } = texts;
    return markup`<div class="step">
${failureNote(report, texts)}
<p>${labels.whenCut}</p>
<p><a class="button" href="${IMPORT_PATH}">${labels.another}</a></p>
</div>`;
  }
  const wholeReport = withUnreadRows(report, file);
  const refusedRows = await refusedRowsFile(sent, wholeReport.refusals, pageContext);
  return markup`<div class="step">
${importResult(texts, wholeReport, refusedRows)}
</div>`;
}
