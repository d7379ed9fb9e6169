/** The results of a tried import and of an import, as the page that imports people shows them. @module */
import { leftOutNames, type ReadHeader } from "../../../shared/import_file/columns.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { type Fact, facts, section, statusNote, table } from "../components.ts";
import { IMPORT_PATH, type PageContext, PATHS } from "../page_context.ts";
import type { TriedFile } from "./import_file.ts";
import { importForm, nameOfField, trialForm } from "./import_forms.ts";
import { sampleTable } from "./import_sample.ts";

/** The largest number of refused rows that a page shows. */
const SHOWN_REFUSALS = 20;

/**
 * Matches the beginning of a reason about a wrong value, such as "The field role is 'x'; it must be …". The operation
 * `importSignups` and the readers in `shared/import_file/` write such reasons. The group is the field.
 */
const REASON_ABOUT_FIELD = /^The field (\w+)(?= is )/;

/**
 * The result of a tried import, with the form that imports the file, and the form that tries an import again. If the
 * import would add or change nobody, there is no form that imports.
 */
export function trialResult(
  pageContext: Pick<PageContext, "texts" | "offeredAnswers" | "now">,
  report: ImportReport,
  triedFile: TriedFile,
): Html {
  const { texts } = pageContext;
  const { imports: labels } = texts;
  const { twice: hintOnNumbers, second: importHeading, others: tryAgainHeading } = labels;
  const { name, settings, header } = triedFile;
  const changedCount = report.new + report.merged;
  // The menus of the form show the columns that were used in this try.
  const usedColumns = header ? columnsByField(header) : new Map<string, string>();
  const tryAgainForm = trialForm(texts, {
    settings: { zone: settings.zone, columnsByField: usedColumns },
    columnNames: header?.names,
    isBelowImportForm: changedCount > 0,
  });
  return markup`${statusNote(labels.tried({ name }))}
${reportFigures(texts, report)}
<p class="hint">${hintOnNumbers}</p>
${refusedTable(texts, report)}
${header && section("columns", labels.columns, columnFacts(texts, header))}
${sampleTable(pageContext, report, triedFile)}
${
    changedCount > 0
      ? section("submit", importHeading, importForm(texts, triedFile, changedCount))
      : markup`<p class="empty">${labels.nothing}</p>`
  }
${section("others", tryAgainHeading, tryAgainForm)}`;
}

/** The result of the import. */
export function importResult(texts: ConsoleTexts, report: ImportReport): Html {
  const { imports: labels } = texts;
  return markup`${statusNote(labels.done, report.refused > 0 ? "warning" : "notice")}
${reportFigures(texts, report)}
${refusedTable(texts, report)}
<p class="actions"><a class="button" href="${PATHS.people}">${texts.pages.people}</a>
<a class="button" href="${IMPORT_PATH}">${labels.another}</a></p>`;
}

/** The numbers of new, merged, unchanged and refused rows. */
function reportFigures({ imports: labels, number }: ConsoleTexts, report: ImportReport): Html {
  const { outcomes } = labels;
  return facts([
    [outcomes.new, number(report.new)],
    [outcomes.merged, number(report.merged)],
    [outcomes.unchanged, number(report.unchanged)],
    [outcomes.refused, number(report.refused)],
  ], "figures");
}

/** The first refused rows. The reasons are in English, because the operation gives them in English. */
function refusedTable(
  texts: ConsoleTexts,
  { refused, refusals }: ImportReport,
): Html | undefined {
  if (refused === 0) return undefined;
  const { imports: labels, number } = texts;
  const shownRefusals = refusals.slice(0, SHOWN_REFUSALS);
  return table({
    caption: labels.refusedCaption({ count: number(shownRefusals.length), whole: number(refused) }),
    head: [labels.line, labels.reason],
    rows: shownRefusals.map(({ line, reason }) => [
      String(line),
      markup`<span lang="en">${replaceFieldName(reason, texts)}</span>`,
    ]),
  });
}

/**
 * Replaces the field at the beginning of a reason by the name that the page shows for the field. Returns a reason that
 * begins in another way unchanged.
 */
const replaceFieldName = (reason: string, texts: ConsoleTexts): string =>
  reason.replace(REASON_ABOUT_FIELD, (_, field) => `The field ‘${nameOfField(field, texts)}’`);

/** Says which column holds which field, and which columns the import leaves out. */
function columnFacts(texts: ConsoleTexts, header: ReadHeader): Html {
  const usedColumns = Array.from(
    columnsByField(header),
    ([field, column]): Fact => [nameOfField(field, texts), column],
  );
  return facts([...usedColumns, [texts.imports.leftOut, leftOutNames(header).join(", ")]]);
}

/** Returns the name of the column that holds each field, by field. */
function columnsByField({ names, columns }: ReadHeader): Map<string, string> {
  const entries = columns.flatMap((column, index) => {
    // `left_out` and `nameless` stand for columns that hold no field.
    if (typeof column === "string") return [];
    // `names` has a name for every column.
    return [[column.field, names[index]!] as const];
  });
  return new Map(entries);
}
