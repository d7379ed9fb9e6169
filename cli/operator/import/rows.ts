/** A row of an import file, as a line of NDJSON, or why it is no row. Numbers are the file's lines. */
export type Row = { number: number; json: string; address: string } | RefusedRow;

/** What cannot be read, and why. */
export interface RefusedRow {
  number: number;
  reason: string;
}

/** The formats of import files. */
export const FORMATS = ["csv", "ndjson"] as const;

/** A format of import files. */
export type ImportFormat = typeof FORMATS[number];

/** What is said of a line that cannot be read. */
export const LINE_FAULTS = {
  too_long: "The line is longer than 64 KB.",
  not_utf8: "The line is not UTF-8 text; save the file as UTF-8.",
};
