/**
 * The sample of a tried import: the first rows of the file as they would be stored. @module
 */
import { CAMPAIGN_FIELDS } from "../../../shared/campaigns.ts";
import type { ReadRow } from "../../../shared/import_file/rows.ts";
import type { Line } from "../../../shared/lines.ts";
import type { ImportReport } from "../../../shared/operator_schemas.ts";
import type { ConsoleTexts, Html } from "../../content/mod.ts";
import {
  createAnswerFinder,
  type FindAnswer,
  mergeImported,
  type SignUpRecord,
  stateOf,
  validateImportLine,
} from "../../waitlist/mod.ts";
import {
  type Cell,
  nameIn,
  type Names,
  personLink,
  showAddress,
  showTime,
  table,
} from "../components.ts";
import type { PageContext } from "../page_context.ts";
import type { ImportFile } from "./import_file.ts";
import { nameOfField } from "./import_forms.ts";

/** The largest number of rows in a sample. */
const SAMPLE_ROWS = 3;

/** The outcomes of a row that is not refused. */
const OUTCOMES = ["new", "merged", "unchanged"] as const;

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

/** What the import does with a row. */
type Outcome = typeof OUTCOMES[number];

/** A row of the sample. */
export interface SampleRow {
  /** The number of the line. */
  number: number;
  /** The record that the person would have after the import. */
  record: SignUpRecord & { email: string };
  outcome: Outcome;
  /** Whether the person is on the list already. */
  isKnown: boolean;
}

/**
 * Finds out how the first rows would be stored. A row of somebody on the list is merged with what is stored. Rows that
 * the import refuses are left out.
 */
export async function readSample(
  pageContext: Pick<PageContext, "operations" | "offeredAnswers" | "now">,
  { refusals }: Pick<ImportReport, "refusals">,
  { firstRows }: Pick<ImportFile, "firstRows">,
): Promise<SampleRow[]> {
  const findAnswer = createAnswerFinder(pageContext.offeredAnswers);
  const refusedLines = new Set(refusals.map(({ line }) => line));
  const sample: SampleRow[] = [];
  for (const row of firstRows) {
    if (sample.length === SAMPLE_ROWS) break;
    if (refusedLines.has(row.number)) continue;
    const sampleRow = await readRow(row, { ...pageContext, findAnswer });
    if (sampleRow) sample.push(sampleRow);
  }
  return sample;
}

/** Finds out how a row would be stored. Returns `undefined` if the import refuses the row. */
async function readRow(
  { number, json }: ReadRow,
  { operations, now, findAnswer }: Pick<PageContext, "operations" | "now"> & {
    findAnswer: FindAnswer;
  },
): Promise<SampleRow | undefined> {
  const verdict = validateImportLine(json, now, findAnswer);
  // If many rows are refused, the report has only the first of them. So the import may refuse this row although the
  // report does not have it.
  if ("reasons" in verdict) return undefined;
  async function* lines(): AsyncGenerator<Line[]> {
    yield [{ number, text: json }];
  }
  const report = await operations.importSignups({ lines: lines(), dryRun: true });
  const outcome = "failure" in report ? undefined : OUTCOMES.find((name) => report[name] === 1);
  if (outcome === undefined) return undefined;
  const { imported } = verdict;
  const person = await operations.showSignup({ email: imported.email });
  // Everybody whom the operation shows has an id.
  const existing = "failure" in person
    ? undefined
    : { ...person, id: person.id ?? "", state: stateOf(person) };
  // A new record needs an id, which the sample does not show.
  const newRecord = { at: new Date(now).toISOString(), id: "" };
  const record = mergeImported(existing, imported, newRecord);
  return {
    number,
    record: { ...record, email: imported.email },
    outcome,
    isKnown: existing !== undefined,
  };
}

/**
 * Shows the first rows as they would be stored, so that an operator notices a column with wrong values. Each row is a
 * column of the table.
 * @param columns the name of the column that holds each field, by field; absent for a file without columns
 */
export function sampleTable(
  { texts, personPath }: Pick<PageContext, "texts" | "personPath">,
  sample: SampleRow[],
  columns: ReadonlyMap<string, string> | undefined,
): Html | undefined {
  if (sample.length === 0) return undefined;
  const { imports: labels } = texts;
  const shownFields = SAMPLE_FIELDS.filter((name) => sample.some(({ record }) => record[name]));
  return table({
    caption: labels.sample,
    head: [
      labels.field,
      ...columns ? [labels.column] : [],
      ...sample.map(({ number }) => labels.lineNumber({ line: number })),
    ],
    rows: [
      [
        { rowHeading: labels.result },
        ...columns ? [""] : [],
        ...sample.map(({ outcome }) => labels.outcomes[outcome]),
      ],
      ...shownFields.map((name) => [
        { rowHeading: nameOfField(name, texts) },
        ...columns ? [columns.get(name)] : [],
        ...sample.map(({ record, isKnown }) =>
          name === "email" && isKnown
            ? personLink(record, personPath)
            : showField(name, record[name], texts)
        ),
      ]),
    ],
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
