/**
 * The rows of an import file: their type, and how fields become a row. `csv_rows.ts` and `ndjson_rows.ts` read the two
 * formats. A fault in one row, such as a quote that is not closed, spoils no other row.
 *
 * @module
 */
import { trimInvisible } from "../invisible.ts";
import { type Line, LINE_FAULTS, type LineFault } from "../lines.ts";
import { faultOfAddress } from "./address_fault.ts";
import type { ColumnRules } from "./columns.ts";
import { readValue, type ValueRules } from "./values.ts";

/** A row of the file. */
export type Row = ReadRow | RefusedRow;

/** A row that can be read. The service checks its fields. */
export interface ReadRow {
  /** The number of the row's line in the file. */
  number: number;
  /** The fields as the JSON of one object. */
  json: string;
  /** The address in lower case; empty if the row has none. */
  address: string;
  /** The text of `createdAt`, or of `consentedAt` if the row has no `createdAt`; empty if the row has neither. */
  signedUpAt: string;
  /** Whether a time of the row is a day without a time in the file; absent if not. */
  hasDay?: true;
}

/** A row that cannot be read. */
export interface RefusedRow {
  number: number;
  /** The faults of the row, each as a sentence. */
  reasons: string[];
  /** A field whose time has no zone, or is only a day; absent if the row has another fault as well. */
  zonelessField?: string;
}

/** The settings of an import about the rows of the file. */
export interface RowRules extends ColumnRules, ValueRules {}

/** The bytes of a file. */
export type Bytes = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** What somebody can do about a line that cannot be read. */
const LINE_ADVICE: Record<LineFault, string> = {
  too_long: "shorten the line",
  not_utf8: "save the file as UTF-8",
};

/** Makes the row of a line that cannot be read. */
export function toRefusedRow({ number, fault }: { number: number; fault: LineFault }): RefusedRow {
  return { number, reasons: [`The line ${LINE_FAULTS[fault]}; ${LINE_ADVICE[fault]}.`] };
}

/** How the names of the fields in `proof` begin. */
const PROOF_PREFIX = "proof.";

const CR = 0x0d;
const LF = 0x0a;

/** Turns each CR without an LF behind it into an LF. Then every line of the file ends with LF or CRLF. */
export async function* endLinesWithLf(chunks: Bytes): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let endsWithCr = false;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    // A CR at the end of a chunk is yielded with the next chunk, because the first byte of that chunk decides whether
    // the CR stays a CR.
    if (endsWithCr) yield Uint8Array.of(chunk[0] === LF ? CR : LF);
    endsWithCr = chunk.at(-1) === CR;
    const bytes = endsWithCr ? chunk.subarray(0, -1) : chunk;
    let copy: Uint8Array<ArrayBuffer> | undefined;
    for (let index = bytes.indexOf(CR); index >= 0; index = bytes.indexOf(CR, index + 1)) {
      if (bytes[index + 1] === LF) continue;
      copy ??= bytes.slice();
      copy[index] = LF;
    }
    yield copy ?? bytes;
  }
  if (endsWithCr) yield Uint8Array.of(LF);
}

/** Whether a line has only invisible characters. */
export function isBlank(line: Line): boolean {
  return "text" in line && trimInvisible(line.text) === "";
}

/**
 * Makes a row from fields. Empty values are left out. The service does not get a row that cannot be read, so the address
 * of such a row is checked here.
 */
export function toRow(
  number: number,
  fields: Iterable<[field: string, value: unknown]>,
  rules: RowRules,
): Row {
  const members = new Map<string, unknown>();
  const proof = new Map<string, unknown>();
  const faults: { reason: string; zonelessField?: string }[] = [];
  let hasDay = false;
  for (const [field, value] of fields) {
    const converted = typeof value === "string" ? readValue(field, value, rules) : { value };
    if ("reason" in converted) {
      const { reason, lacksZone } = converted;
      faults.push({ reason, ...lacksZone && { zonelessField: field } });
      continue;
    }
    if ("isDay" in converted) hasDay = true;
    if (converted.value === "") continue;
    if (field.startsWith(PROOF_PREFIX)) {
      proof.set(field.slice(PROOF_PREFIX.length), converted.value);
    } else members.set(field, converted.value);
  }
  if (faults.length > 0) {
    const addressFault = faultOfAddress(members.get("email"));
    if (addressFault !== undefined) faults.unshift({ reason: addressFault });
    const zonelessField = faults.every((fault) => fault.zonelessField !== undefined)
      ? faults[0]?.zonelessField
      : undefined;
    const reasons = faults.map(({ reason }) => reason);
    return { number, reasons, ...zonelessField !== undefined && { zonelessField } };
  }
  if (proof.size > 0) members.set("proof", Object.fromEntries(proof));
  const address = String(members.get("email") ?? "").toLowerCase();
  const signedUpAt = String(members.get("createdAt") ?? members.get("consentedAt") ?? "");
  const json = JSON.stringify(Object.fromEntries(members));
  return { number, json, address, signedUpAt, ...hasDay && { hasDay } };
}
