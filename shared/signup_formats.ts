/**
 * The formats that sign-ups are exported in: CSV and NDJSON.
 *
 * @module
 */
import { stringify } from "csv-stringify/sync";

/** The name of a format that sign-ups are exported in and imported from. */
export type FormatName = "csv" | "ndjson";

/** Puts sign-ups, each given as JSON, into a format. */
export interface Format {
  /** What comes before the first sign-up. */
  head: string;
  rows: (records: string[]) => string;
}

/** The columns of CSV: the fields of a sign-up, those of its proof behind a dot. */
export const SIGN_UP_FIELDS = [
  "email",
  "createdAt",
  "consentedAt",
  "updatedAt",
  "lang",
  "source",
  "role",
  "building",
  "state",
  "invitedAt",
  "invitationCode",
  "wave",
  "expiresAt",
  "acceptedAt",
  "reference",
  "undeliverableAt",
  "complainedAt",
  "proof.requestedAt",
  "proof.source",
  "proof.lang",
  "proof.consentText",
  "proof.putAt",
  "proof.takenAt",
  "proof.answer",
  "proof.messageId",
  "proof.confirmedAt",
];

/** The columns with the links to people's pages. */
export const LINKED_FIELDS = [...SIGN_UP_FIELDS, "placeUrl"];

/** The columns of people who were invited. */
export const INVITED_FIELDS = [...LINKED_FIELDS, "invitationUrl"];

/**
 * Makes a format: NDJSON in the form that the service sends, or CSV by RFC 4180.
 *
 * @param spreadsheet the language of the spreadsheet that opens the CSV: a German one separates cells by `;`, and each
 * needs a byte order mark to read letters such as ü
 */
export function createFormat(
  name: FormatName,
  columns: string[] = SIGN_UP_FIELDS,
  spreadsheet?: "en" | "de",
): Format {
  if (name === "ndjson") {
    return { head: "", rows: (records) => records.map((record) => `${record}\n`).join("") };
  }
  const paths = columns.map((column) => column.split("."));
  const toCsv = (rows: unknown[][]) => csvOf(rows, spreadsheet === "de" ? ";" : ",");
  return {
    head: `${spreadsheet ? "\ufeff" : ""}${toCsv([columns])}`,
    rows: (records) =>
      toCsv(records.map((record) => {
        const fields = JSON.parse(record);
        return paths.map(([name = "", part]) =>
          escapeFormula(part ? fields[name]?.[part] : fields[name])
        );
      })),
  };
}

/** Whether a value is the name of a format. */
export function isFormatName(value: unknown): value is FormatName {
  return value === "csv" || value === "ndjson";
}

/** The format of a file by its ending; CSV unless the ending says NDJSON. */
export function formatOfFile(path: string | undefined): FormatName {
  return /\.(nd)?jsonl?$/.test(String(path)) ? "ndjson" : "csv";
}

/** A spreadsheet runs a cell that begins with one of these; the last four are the wide forms of the first four. */
const TRIGGER = "[=+\\-@\\t\\r\uff1d\uff0b\uff0d\uff20]";

const FORMULA = new RegExp(`^'*${TRIGGER}`), ESCAPED = new RegExp(`^'+${TRIGGER}`);

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula, because an address may begin with `=` or
 * `+`. A cell that has apostrophes before such a character gets one more, so that {@linkcode unescapeFormula} gives the
 * cell back exactly.
 */
function escapeFormula(value: unknown): unknown {
  return typeof value === "string" && FORMULA.test(value) ? `'${value}` : value;
}

/** Takes off the apostrophe that an export puts before a cell that a spreadsheet would run. */
export function unescapeFormula(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell;
}

function csvOf(rows: unknown[][], delimiter: string): string {
  return stringify(rows, {
    delimiter,
    record_delimiter: "windows",
    // Other programs end a line at a lone CR or LF, too (RFC 4180 §2.6), and remove spaces around a cell.
    quoted_match: /[\r\n]|^\s|\s$/,
  });
}
