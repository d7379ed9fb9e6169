/** Turns rows of the table (`table.ts`) into entries. The columns of a row are key, version, number and value. @module */
import { Buffer } from "node:buffer";
import { VALUE_FAULT } from "../calls.ts";
import type { Entry, Key, UnreadableEntry } from "../engine.ts";
import { decodeValue } from "../values.ts";
import type { StoredRow } from "./connection.ts";
import { decodeKey } from "./encoded_keys.ts";

/** Gives the bytes of a column of the type `bytea`, which PostgreSQL writes as `\x` and hex digits. */
const bytesOf = (hex: string) => Buffer.from(hex.slice("\\x".length), "hex");

/** Gives the entry of a row. @param keyOfRow the key of the row; by default, the key in the row is decoded */
export function decodeRow<T>(
  [keyInHex, version, number, value]: StoredRow,
  keyOfRow?: Key,
): Entry<T> | UnreadableEntry {
  const key = keyOfRow ?? decodeKey(bytesOf(keyInHex!));
  try {
    if (typeof value !== "string") return { key, value: Number(number) as T, version: version! };
    const bytes = new Uint8Array(bytesOf(value));
    return { key, value: decodeValue(bytes) as T, version: version! };
  } catch {
    return { key, fault: VALUE_FAULT };
  }
}

/** Makes one row from the rows of a counter: adds up their versions and their numbers. */
export function addUpRows(rows: StoredRow[]): StoredRow {
  let versionSum = 0n;
  let numberSum = 0n;
  for (const [, version, number] of rows) {
    versionSum += BigInt(version!);
    numberSum += BigInt(number ?? 0);
  }
  const [[keyInHex] = []] = rows;
  return [keyInHex!, String(versionSum), String(numberSum), null];
}
