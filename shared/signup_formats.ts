/**
 * The two formats of exported sign-ups: CSV (RFC 4180) and NDJSON. `import_file/` reads them.
 *
 * @module
 */
import { stringify } from "csv-stringify/sync";

/** The names of the formats. */
export const FORMAT_NAMES = ["csv", "ndjson"] as const;

/** The name of a format. */
export type FormatName = typeof FORMAT_NAMES[number];

/** A format of exported sign-ups. */
export interface Format {
  /** The text before the first sign-up: the names of the columns in CSV, and nothing in NDJSON. */
  head: string;
  /**
   * Returns the text of some sign-ups.
   *
   * @param records the sign-ups, each as JSON
   */
  rows: (records: string[]) => string;
}

/** The columns of CSV: the fields of a sign-up. The fields of the proof have `proof.` before their names. */
export const SIGN_UP_FIELDS = [
  "email",
  "createdAt",
  "consentedAt",
  "updatedAt",
  "lang",
  "source",
  "role",
  "building",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "note",
  "state",
  "invitedAt",
  "invitationCode",
  "wave",
  "expiresAt",
  "acceptedAt",
  "reference",
  "undeliverableAt",
  "complainedAt",
  "referralCode",
  "referrals",
  "referredBy",
  "referralCounts",
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

/** The columns of an export that also has the links to self-service pages. */
export const LINKED_FIELDS = [...SIGN_UP_FIELDS, "placeUrl"];

/** The columns of an export of the people in a wave, which also has their invitation links. */
export const INVITED_FIELDS = [...LINKED_FIELDS, "invitationUrl"];

/**
 * Makes a format.
 *
 * @param spreadsheet the language of the spreadsheet program that will open the CSV. Such a program needs a byte order
 * mark to read letters such as ü, and a German one needs `;` between cells.
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

/** Chooses the format by the ending of a file's name: CSV, unless the ending stands for NDJSON. */
export function formatOfFile(path: string | undefined): FormatName {
  return /\.(nd)?jsonl?$/.test(String(path)) ? "ndjson" : "csv";
}

/**
 * A part of a regular expression: matches the character with which a formula of a spreadsheet begins. The last four
 * characters are the full-width forms of the first four.
 */
const FORMULA_START = "[=+\\-@\\t\\r\uff1d\uff0b\uff0d\uff20]";

/** Matches a cell that an export escapes: a formula, or a cell that already looks like an escaped formula. */
const FORMULA = new RegExp(`^'*${FORMULA_START}`);
/** Matches a cell that an export has escaped. */
const ESCAPED = new RegExp(`^'+${FORMULA_START}`);

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula. A cell that begins with apostrophes and
 * such a character gets one more apostrophe, so that {@linkcode unescapeFormula} returns every cell unchanged.
 */
function escapeFormula(value: unknown): unknown {
  return typeof value === "string" && FORMULA.test(value) ? `'${value}` : value;
}

/** Removes the apostrophe that an export has put before a cell. */
export function unescapeFormula(cell: string): string {
  return ESCAPED.test(cell) ? cell.slice(1) : cell;
}

/**
 * Puts an apostrophe before a cell of an import file that a spreadsheet would run as a formula, unless the cell has one
 * already. An import reads the same value from the cell as before.
 */
export const escapeCell = (cell: string): string =>
  FORMULA.test(cell) && !ESCAPED.test(cell) ? `'${cell}` : cell;

/** Makes lines of CSV. @param delimiter the character between cells */
export function csvOf(rows: unknown[][], delimiter: string): string {
  return stringify(rows, {
    delimiter,
    record_delimiter: "windows",
    // `String` is given because by default `false` would become an empty cell, like an absent value.
    cast: { boolean: String },
    // Quotes cells that contain line ends, or that begin or end with a space, because other programs end a line at a
    // lone CR or LF and remove such spaces.
    quoted_match: /[\r\n]|^\s|\s$/,
  });
}
