/**
 * Turns keys into bytes that sort as the keys do, commits into the parameters of `commit_2` (`table.ts`), and rows into
 * entries. @module
 */
import { Buffer } from "node:buffer";
import { VALUE_FAULT } from "../calls.ts";
import type { Commit, Entry, Key, Selector, Unreadable } from "../engine.ts";
import { isWatched } from "../keys.ts";
import { decodeValue, encodeValue } from "../values.ts";
import type { StoredRow } from "./connection.ts";
import { KIND } from "./table.ts";

/** The first byte of a part of a key that is a text. */
const TEXT = 2;

/** The first byte of a part of a key that is a number. */
const NUMBER = 5;

/** The last byte of a text. */
const TEXT_END = 0;

/** The byte that follows a zero within a text. It shows that the zero is not the end of the text. */
const ESCAPE = 255;

/** How many bytes a key has at most, as in Deno KV. */
const MAX_KEY_BYTES = 2_048;

/**
 * How many bytes a stored value has at most, as in Deno KV. A `Uint8Array` is stored with one more byte in front
 * (`../values.ts`), so callers may give one byte less (`engine.ts`).
 */
const MAX_VALUE_BYTES = 65_536;

/** Encodes a key. The bytes of encoded keys sort in the order of the keys. @throws {TypeError} if the key is too long */
export function encodeKey(key: Key): Buffer {
  const bytes = Buffer.concat(key.map(encodePart));
  if (bytes.length <= MAX_KEY_BYTES) return bytes;
  throw new TypeError(
    `A key of '${key[0]}' has ${bytes.length} bytes; ${MAX_KEY_BYTES} is the most`,
  );
}

function encodePart(part: string | number): Buffer {
  if (typeof part === "number") {
    const bytes = Buffer.alloc(9, NUMBER);
    bytes.writeDoubleBE(part, 1);
    // The sign bit of a negative number is 1.
    invertBits(bytes.subarray(1), (bytes[1]! & 0x80) !== 0);
    return bytes;
  }
  if (!part.includes("\0")) return Buffer.from(`${String.fromCharCode(TEXT)}${part}\0`);
  const pieces = part.split("\0").flatMap((piece, index) =>
    index === 0 ? [Buffer.from(piece)] : [Buffer.of(0, ESCAPE), Buffer.from(piece)]
  );
  return Buffer.concat([Buffer.of(TEXT), ...pieces, Buffer.of(TEXT_END)]);
}

/**
 * Inverts all bits of a negative number, and only the sign bit of any other number, so that the bytes sort as the
 * numbers do. A second call gives the number's own bytes again.
 */
function invertBits(bytes: Buffer, isNegative: boolean): void {
  bytes.forEach((byte, index) => {
    const mask = isNegative ? 0xff : index === 0 ? 0x80 : 0;
    bytes[index] = byte ^ mask;
  });
}

/** Decodes a key that {@linkcode encodeKey} has encoded. */
export function decodeKey(bytes: Buffer): Key {
  const key: (string | number)[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const type = bytes[offset++];
    if (type === NUMBER) {
      const part = Buffer.from(bytes.subarray(offset, offset + 8));
      // The encoded sign bit is inverted, so it is 0 for a negative number.
      invertBits(part, (part[0]! & 0x80) === 0);
      key.push(part.readDoubleBE());
      offset += 8;
      continue;
    }
    let text = "";
    for (;;) {
      const end = bytes.indexOf(TEXT_END, offset);
      text += bytes.toString("utf8", offset, end);
      offset = end + 1;
      if (bytes[offset] !== ESCAPE) break;
      text += "\0";
      offset++;
    }
    key.push(text);
  }
  return key;
}

/** Gives the first key of a range, which is included, and the end of the range, which is not included. */
export function rangeOf({ prefix, start, after, end }: Selector): [Buffer, Buffer] {
  const append = (key: Key, byte: number) => Buffer.concat([encodeKey(key), Buffer.of(byte)]);
  // A key followed by the byte 0 sorts before all longer keys that begin with this key. A key followed by the byte 255
  // sorts after all of them. The reason is that every part of a key begins with a byte between 0 and 255.
  const first = after ? append(after, 0) : start ? encodeKey(start) : append(prefix, 0);
  return [first, end ? encodeKey(end) : append(prefix, 255)];
}

/** A version that no entry has. A commit with checks of two versions of one key checks this version, and so fails. */
const NEVER = "-1";

/** An entry of a commit, as `commit_2` gets it. */
interface PackedEntry {
  key: Buffer;
  kind: number;
  /** The version that the entry must have: "0" if the entry must be absent, `undefined` if any version is right. */
  version?: string | undefined;
  /** The number that is added to a counter. */
  amount?: number;
  value?: Uint8Array;
}

/**
 * Gives all parameters of `commit_2` except the last one, the number of the part to which the counters are added
 * (`table.ts`).
 * @throws {TypeError} if a key or a value is too large
 */
export function packCommit({ checks, writes }: Commit): unknown[] {
  const entries = new Map<string, PackedEntry>();
  const sums = new Map<string, PackedEntry>();
  const notices: string[] = [];
  for (const { key, version: checkedVersion } of checks) {
    const bytes = encodeKey(key);
    const id = bytes.toString("latin1");
    const version = checkedVersion ?? "0";
    const hasOtherVersion = entries.has(id) && entries.get(id)!.version !== version;
    entries.set(id, { key: bytes, kind: KIND.check, version: hasOtherVersion ? NEVER : version });
  }
  for (const write of writes) {
    const key = encodeKey(write.key);
    const id = key.toString("latin1");
    if (write.type === "add") {
      const amount = write.amount + (sums.get(id)?.amount ?? 0);
      sums.set(id, { key, kind: KIND.add, amount });
      continue;
    }
    sums.delete(id);
    const version = entries.get(id)?.version;
    if (write.type === "set") {
      entries.set(id, { key, kind: KIND.set, version, value: encodeWithinLimit(write) });
    } else entries.set(id, { key, kind: version === "0" ? KIND.check : KIND.delete, version });
    if (isWatched(write.key)) notices.push(key.toString("hex"));
  }
  // The ids sort as the keys do, because each character of an id is a byte of the key.
  const sorted = (map: Map<string, PackedEntry>) =>
    [...map.keys()].sort().map((id) => map.get(id)!);
  const all = [...sorted(entries), ...sorted(sums)];
  const { bytes, keyEnds, valueEnds } = joinBytes(all);
  return [
    bytes,
    keyEnds,
    valueEnds,
    all.map(({ kind }) => kind),
    all.map(({ version, amount }) => amount ?? version ?? null),
    endsOfRuns(all),
    notices.length > 0 ? notices.join(" ") : null,
  ];
}

/** Joins the keys and values of entries, and gives where each key and each value ends, as a number of bytes. */
function joinBytes(
  entries: PackedEntry[],
): { bytes: Buffer; keyEnds: number[]; valueEnds: number[] } {
  const parts: Uint8Array[] = [];
  const keyEnds: number[] = [];
  const valueEnds: number[] = [];
  let length = 0;
  for (const { key, value } of entries) {
    parts.push(key);
    length += key.length;
    keyEnds.push(length);
    if (value) parts.push(value);
    length += value?.length ?? 0;
    valueEnds.push(length);
  }
  return { bytes: Buffer.concat(parts), keyEnds, valueEnds };
}

/**
 * Divides entries into runs, which hold only checks, only sets and deletes, or only counters. Gives the end of each
 * run, as the number of entries up to this end.
 */
function endsOfRuns(entries: PackedEntry[]): number[] {
  const runKindOf = ({ kind }: PackedEntry) => kind === KIND.delete ? KIND.set : kind;
  return entries.flatMap((entry, index) => {
    const next = entries[index + 1];
    const isLastOfRun = !next || runKindOf(next) !== runKindOf(entry);
    return isLastOfRun ? index + 1 : [];
  });
}

/** Encodes the value of a write. @throws {TypeError} if the value is too large */
function encodeWithinLimit({ key, value }: { key: Key; value: unknown }): Uint8Array {
  const bytes = encodeValue(value);
  if (bytes.length <= MAX_VALUE_BYTES) return bytes;
  throw new TypeError(
    `A value of '${key[0]}' has ${bytes.length} bytes; ${MAX_VALUE_BYTES} is the most`,
  );
}

const bytesOf = (hex: string) => Buffer.from(hex.slice("\\x".length), "hex");

/** Gives the entry of a row. @param keyOfRow the key of the row; by default, the key in the row is decoded */
export function decodeRow<T>(
  [hex, version, number, value]: StoredRow,
  keyOfRow?: Key,
): Entry<T> | Unreadable {
  const key = keyOfRow ?? decodeKey(bytesOf(hex!));
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
  const sumOf = (column: number) =>
    String(rows.reduce((sum, row) => sum + BigInt(row[column] ?? 0), 0n));
  return [rows[0]![0]!, sumOf(1), sumOf(2), null];
}
