/**
 * The sample of a tried import: the first rows of the file as they would be stored. @module
 */
import { CAMPAIGN_FIELDS } from "../../../shared/campaigns.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import type { ConsoleTexts, Html } from "../../content/mod.ts";
import { createAnswerFinder, mergeImported, validateImportLine } from "../../waitlist/mod.ts";
import { type Cell, nameIn, type Names, showAddress, showTime, table } from "../components.ts";
import type { PageContext } from "../page_context.ts";
import type { ImportFile } from "./import_file.ts";
import { nameOfField } from "./import_forms.ts";

/** The largest number of rows in a sample. */
const SAMPLE_ROWS = 3;

/** The fields that a sample shows. */
const SAMPLE_FIELDS = [
  "email",
  "consentedAt",
  "createdAt",
  "lang",
  "source",
  "role",
  "building",
  ...CAMPAIGN_FIELDS,
  "state",
  "note",
] as const;

/**
 * Shows the first rows as they would be stored for new people, so that an operator notices a column with wrong values.
 * Each row is a column of the table. Rows that the import refuses are left out.
 * @param columns the name of the column that holds each field, by field; absent for a file without columns
 */
export function sampleTable(
  { texts, offeredAnswers, now }: Pick<PageContext, "texts" | "offeredAnswers" | "now">,
  { refusals }: ImportReport,
  { firstRows, columns }: Pick<ImportFile, "firstRows"> & {
    columns: ReadonlyMap<string, string> | undefined;
  },
): Html | undefined {
  const { imports: labels } = texts;
  const findAnswer = createAnswerFinder(offeredAnswers);
  // The record needs an id, which the sample does not show.
  const newRecord = { at: new Date(now).toISOString(), id: "" };
  const refusedLines = new Set(refusals.map(({ line }) => line));
  const acceptedRows = firstRows.filter(({ number }) => !refusedLines.has(number));
  const sample = acceptedRows.flatMap(({ number, json }) => {
    const verdict = validateImportLine(json, now, findAnswer);
    // If many rows are refused, the report has only the first of them. So the import may refuse this row although the
    // report does not have it.
    if ("reason" in verdict) return [];
    const { imported } = verdict;
    const record = { email: imported.email, ...mergeImported(undefined, imported, newRecord) };
    return [{ number, record }];
  }).slice(0, SAMPLE_ROWS);
  if (sample.length === 0) return undefined;
  const shownFields = SAMPLE_FIELDS.filter((name) => sample.some(({ record }) => record[name]));
  return table({
    caption: labels.sample,
    head: [
      labels.field,
      ...columns ? [labels.column] : [],
      ...sample.map(({ number }) => labels.lineNumber({ line: number })),
    ],
    rows: shownFields.map((name) => [
      { rowHeading: nameOfField(name, texts) },
      ...columns ? [columns.get(name)] : [],
      ...sample.map(({ record }) => showField(name, record[name], texts)),
    ]),
  });
}

/** Shows the value of a field of {@linkcode SAMPLE_FIELDS}. */
function showField(
  name: typeof SAMPLE_FIELDS[number],
  value: string | undefined,
  texts: ConsoleTexts,
): Cell {
  if (value === undefined) return undefined;
  if (name === "email") return showAddress(value);
  if (name === "consentedAt" || name === "createdAt") return showTime(value, texts);
  const { words, answers } = texts;
  const namesByField: Partial<Record<typeof name, Names>> = {
    lang: words.langs,
    source: words.sources,
    role: answers.role,
    building: answers.building,
    state: words.states,
  };
  return nameIn(namesByField[name] ?? {}, value);
}
