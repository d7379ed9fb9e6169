/** The results of a tried import and of an import, as the page that imports people shows them. @module */
import { fieldsOf, leftOutNames, type ReadHeader } from "../../../shared/import_file/columns.ts";
import { proposeFields } from "../../../shared/import_file/proposal.ts";
import { groupRefusals, SHOWN_LINES } from "../../../shared/import_file/refusal_groups.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import { SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { facts, section, statusNote, table } from "../components.ts";
import { IMPORT_PATH, type PageContext, PATHS } from "../page_context.ts";
import { type TriedFile, type ZonelessRows, zonelessRows } from "./import_file.ts";
import {
  importForm,
  nameFieldIn,
  nameOfField,
  type OfferedColumns,
  trialForm,
  uncertaintyHints,
} from "./import_forms.ts";
import { type SampleRow, sampleTable } from "./import_sample.ts";
import { type ImportSettings, uncertainColumns } from "./import_settings.ts";
import { type RefusedRowsFile, refusedRowsLink } from "./refused_rows.ts";

/** The largest number of reasons for refused rows that a page shows. */
const SHOWN_REASONS = 20;

/**
 * The result of a tried import, with the form that imports the file, and the form that tries an import again. If the
 * import would add or change nobody, there is no form that imports. If times have no
 * zone, the form that tries again asks for the zone; otherwise this form is folded below the form that imports.
 */
export function trialResult(
  pageContext: Pick<PageContext, "texts" | "personPath">,
  report: ImportReport,
  { triedFile, sample, refusedRows }: {
    triedFile: TriedFile;
    sample: SampleRow[];
    refusedRows: RefusedRowsFile | undefined;
  },
): Html {
  const { texts } = pageContext;
  const { imports: labels } = texts;
  const { name, header } = triedFile;
  const columns = header && columnsByField(header);
  const zoneless = zonelessRows(triedFile);
  const asksForZone = zoneless.lines.length > 0;
  const otherRefusals = withoutLines(report, zoneless.lines);
  const count = report.new + report.merged;
  return markup`${statusNote(labels.tried({ name }), "neutral")}
${guessNote(texts, triedFile)}
${reportFigures(texts, { ...report, ...otherRefusals }, zoneless.lines.length)}
${daysNote(texts, triedFile)}
<p class="hint">${report.merged > 0 ? `${labels.twice} ${labels.merges}` : labels.twice}</p>
${asksForZone && zoneSection(texts, zoneless, triedFile)}
${refusedTable(texts, otherRefusals)}
${refusedRows && refusedRowsLink(refusedRows, otherRefusals, texts)}
${header && answersNote(texts, report)}
${sampleTable(pageContext, sample, columns)}
${header && leftOutNote(texts, triedFile, header)}
${
    count > 0
      ? section(
        "submit",
        labels.second,
        importForm(texts, triedFile, { count, isMain: !asksForZone }),
      )
      : markup`<p class="empty">${labels.nothing}</p>`
  }
${!asksForZone && changeSection(texts, triedFile, { isMain: count === 0 })}`;
}

/**
 * Says which columns the page has guessed. It is a warning if other columns could hold the same fields. `undefined` if
 * the page has guessed nothing.
 */
function guessNote(
  texts: ConsoleTexts,
  { header, isGuessed }: Pick<TriedFile, "header" | "isGuessed">,
): Html | undefined {
  if (!header || !isGuessed) return undefined;
  const { imports: labels } = texts;
  const columns = columnsByField(header);
  const pairs = Array.from(
    columns,
    ([field, column]) => labels.guessedColumn({ field: nameOfField(field, texts), column }),
  );
  const doubts = Array.from(
    uncertainColumns(columns, header.names),
    ([field, fitting]) =>
      labels.uncertainField({ field: nameOfField(field, texts), columns: fitting.join(", ") }),
  );
  const text = [labels.guessed({ columns: pairs.join("; ") }), ...doubts].join(" ");
  return markup`<p class="${doubts.length > 0 ? "warning" : "notice"}">${text}</p>`;
}

/** Says from which moment days without a time count; `undefined` if the file has no such days. */
function daysNote(
  { imports: labels, number }: ConsoleTexts,
  { dayCount, settings: { zone } }: Pick<TriedFile, "dayCount" | "settings">,
): Html | undefined {
  if (dayCount === 0) return undefined;
  return markup`<p class="notice">${labels.days({ zone, count: number(dayCount) })}</p>`;
}

/** Says which rows have times without a zone, and asks for the zone. */
function zoneSection(
  texts: ConsoleTexts,
  { fields, lines }: ZonelessRows,
  triedFile: TriedFile,
): Html {
  const { imports: labels, number } = texts;
  const columns = triedFile.header && columnsByField(triedFile.header);
  const note = labels.zoneless({
    columns: fields.map((name) => columns?.get(name) ?? nameOfField(name, texts)).join(", "),
    count: number(lines.length),
    lines: showLines(lines),
  });
  const form = trialForm({
    settings: settingsForNextTry(triedFile),
    offered: offeredColumns(triedFile, texts),
    purpose: "time zone",
    isMain: true,
  }, texts);
  return section("zones", labels.zonelessHeading, markup`<p class="warning">${note}</p>\n${form}`);
}

/** The folded form that tries another file, or the same file with other settings. */
function changeSection(
  texts: ConsoleTexts,
  triedFile: TriedFile,
  { isMain }: { isMain: boolean },
): Html {
  const form = trialForm({
    settings: settingsForNextTry(triedFile),
    offered: offeredColumns(triedFile, texts),
    purpose: "other choices",
    isMain,
  }, texts);
  return markup`<section aria-labelledby="others">
<details${
    isMain && markup` open`
  }><summary id="others">${texts.imports.others}</summary>${form}</details>
</section>`;
}

/** Returns the settings that the form for another try shows: the columns that were used in this try. */
function settingsForNextTry({ settings, header }: TriedFile): ImportSettings {
  return header ? { ...settings, columnsByField: columnsByField(header) } : settings;
}

/** Returns the columns that the form for another try offers, with hints if the page has guessed the columns. */
function offeredColumns(
  { header, isGuessed }: TriedFile,
  texts: ConsoleTexts,
): OfferedColumns | undefined {
  if (!header) return undefined;
  const { names } = header;
  const hints = isGuessed && uncertaintyHints(columnsByField(header), names, texts);
  return { names, ...hints && { hints } };
}

/**
 * Names the columns that are left out. If the operator has not chosen columns yet, also says which of these columns
 * could hold a field.
 */
function leftOutNote(
  texts: ConsoleTexts,
  { settings, isGuessed }: TriedFile,
  header: ReadHeader,
): Html | undefined {
  const { imports: labels } = texts;
  const names = leftOutNames(header);
  if (names.length === 0) return undefined;
  const hasChosen = settings.columnsByField !== undefined && !isGuessed;
  const proposals = hasChosen ? [] : proposeFields(names, fieldsOf(header.columns));
  const sentences = proposals.map(({ column, field }) =>
    labels.proposed({ column, field: nameOfField(field, texts) })
  );
  return markup`<p>${[labels.leftOut({ columns: names.join(", ") }), ...sentences].join(" ")}</p>`;
}

/** The result of the import. */
export function importResult(
  texts: ConsoleTexts,
  report: ImportReport,
  refusedRows: RefusedRowsFile | undefined,
): Html {
  const { imports: labels } = texts;
  const { refused } = report;
  const note = refused > 0
    ? statusNote(labels.donePart({ count: texts.number(refused) }), "warning")
    : statusNote(labels.done);
  return markup`${note}
${reportFigures(texts, report)}
${refusedTable(texts, report)}
${refusedRows && refusedRowsLink(refusedRows, report, texts)}
<p class="actions"><a class="button" href="${PATHS.people}">${texts.pages.people}</a>
<a class="button" href="${IMPORT_PATH}">${labels.another}</a></p>`;
}

/**
 * The numbers of new, merged, unchanged and refused rows.
 * @param zonelessCount how many rows are refused only until the operator enters a zone; `report` does not count them
 */
function reportFigures(
  { imports: labels, number }: ConsoleTexts,
  report: ImportReport,
  zonelessCount = 0,
): Html {
  const { outcomes } = labels;
  return facts([
    [outcomes.new, number(report.new)],
    [outcomes.merged, number(report.merged)],
    [outcomes.unchanged, number(report.unchanged)],
    [outcomes.zoneless, zonelessCount > 0 && number(zonelessCount)],
    [outcomes.refused, number(report.refused)],
  ], "figures");
}

/**
 * The reasons for which rows are refused, with the first lines of each reason. A row with several faults counts for each
 * of its reasons. The reasons are in English, because the operation gives them in English.
 */
function refusedTable(
  texts: ConsoleTexts,
  { refused, refusals }: Pick<ImportReport, "refused" | "refusals">,
): Html | undefined {
  if (refused === 0) return undefined;
  const { imports: labels, number } = texts;
  const shownGroups = groupRefusals(refusals).slice(0, SHOWN_REASONS);
  const shownLines = shownGroups.flatMap(({ lines }) => lines);
  const count = new Set(shownLines).size;
  const reasons = table({
    caption: count === refused
      ? labels.refusedCaption({ count: number(refused) })
      : labels.refusedPart({ count: number(count), whole: number(refused) }),
    head: [labels.reason, { number: labels.rows }, labels.lines],
    rows: shownGroups.map((group) => [
      markup`<span lang="en">${nameFieldIn(group.reason, texts)}</span>`,
      { number: number(group.lines.length) },
      showLines(group.lines),
    ]),
    stacks: true,
  });
  const hasSeveralFaults = shownLines.length > count;
  return markup`${reasons}
${hasSeveralFaults && markup`<p class="hint">${labels.severalFaults}</p>`}`;
}

/** Says how to import people whose answer is neither an offered answer nor a short name. */
function answersNote(texts: ConsoleTexts, { refusals }: ImportReport): Html | undefined {
  const refusedFields = new Set(groupRefusals(refusals).map(({ field }) => field));
  const fields = SLUG_ANSWERS.filter((answer) => refusedFields.has(answer));
  if (fields.length === 0) return undefined;
  const { imports: labels } = texts;
  const sentences = fields.map((field) =>
    labels.withoutAnswer({ field: nameOfField(field, texts), none: labels.noColumn })
  );
  return markup`<p>${sentences.join(" ")}</p>`;
}

/** Shows the numbers of lines, such as `2, 3, 4 …`. */
function showLines(lines: number[]): string {
  const shown = lines.slice(0, SHOWN_LINES).join(", ");
  return lines.length > SHOWN_LINES ? `${shown} …` : shown;
}

/** Takes rows that are shown elsewhere out of the refused rows of a report. */
export function withoutLines(
  { refused, refusals }: ImportReport,
  lines: number[],
): Pick<ImportReport, "refused" | "refusals"> {
  const left = new Set(lines);
  return {
    refused: refused - lines.length,
    refusals: refusals.filter(({ line }) => !left.has(line)),
  };
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
