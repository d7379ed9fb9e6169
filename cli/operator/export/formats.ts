import { stringify } from "csv-stringify/sync";

/** The names of the formats. */
export const FORMATS = ["csv", "ndjson"] as const;

/** A format that sign-ups are exported in. */
export type FormatName = typeof FORMATS[number];

/** Puts sign-ups, each given as JSON, into a format. */
export interface Format {
  head: string;
  rows: (records: string[]) => string;
}

/** The columns of CSV. */
const COLUMNS = [
  "email",
  "createdAt",
  "consentedAt",
  "updatedAt",
  "lang",
  "source",
  "role",
  "building",
];

/** The formats: NDJSON as the service sends it, CSV by RFC 4180. */
export const FORMAT: Record<FormatName, Format> = {
  ndjson: { head: "", rows: (records) => records.map((record) => `${record}\n`).join("") },
  csv: {
    head: toCsv([COLUMNS]),
    rows: (records) =>
      toCsv(records.map((record) => {
        const fields = JSON.parse(record);
        return COLUMNS.map((name) => fields[name]);
      })),
  },
};

function toCsv(rows: string[][]): string {
  // An address may begin with `=` or `+`, and must not become a formula in a spreadsheet.
  return stringify(rows, { record_delimiter: "windows", escape_formulas: true });
}
