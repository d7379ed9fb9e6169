import { stringify } from "csv-stringify/sync";

/** The name of a format that sign-ups are exported in and imported from. */
export type FormatName = "csv" | "ndjson";

/** Puts sign-ups, each given as JSON, into a format. */
export interface Format {
  /** What comes before the first sign-up. */
  head: string;
  rows: (records: string[]) => string;
}

/** The fields of a sign-up, which are the columns of CSV. */
export const SIGN_UP_FIELDS = [
  "email",
  "createdAt",
  "consentedAt",
  "updatedAt",
  "lang",
  "source",
  "role",
  "building",
];

/** The formats: NDJSON in the form that the service sends, and CSV by RFC 4180. */
export const FORMAT: Record<FormatName, Format> = {
  ndjson: { head: "", rows: (records) => records.map((record) => `${record}\n`).join("") },
  csv: {
    head: toCsv([SIGN_UP_FIELDS]),
    rows: (records) =>
      toCsv(records.map((record) => {
        const fields = JSON.parse(record);
        return SIGN_UP_FIELDS.map((name) => fields[name]);
      })),
  },
};

/** Whether a value is the name of a format. */
export function isFormatName(value: unknown): value is FormatName {
  return typeof value === "string" && Object.hasOwn(FORMAT, value);
}

function toCsv(rows: string[][]): string {
  // An address may begin with `=` or `+`, and must not become a formula in a spreadsheet.
  return stringify(rows, { record_delimiter: "windows", escape_formulas: true });
}
