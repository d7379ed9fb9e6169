/** Turns a commit into the parameters of the SQL function `commit_2` (`create_table.ts`). @module */
import { Buffer } from "node:buffer";
import type { Commit, Key, Version } from "../engine.ts";
import { isWatched } from "../keys.ts";
import { encodeValue } from "../values.ts";
import { KIND } from "./create_table.ts";
import { encodeKey } from "./encoded_keys.ts";

/**
 * How many bytes a stored value has at most, as in Deno KV. A `Uint8Array` is stored with one more byte in front
 * (`../values.ts`), so callers may give one byte less (`engine.ts`).
 */
const MAX_VALUE_BYTES = 65_536;

/** A version that no entry has. A commit with checks of two versions of one key checks this version, and so fails. */
const NEVER = "-1";

/** An entry of a commit, as `commit_2` gets it. */
interface PackedEntry {
  key: Buffer;
  kind: number;
  /** The version that the entry must have: "0" if the entry must be absent, `undefined` if any version is right. */
  version?: Version | undefined;
  /** The number that is added to a counter. */
  amount?: number;
  value?: Uint8Array;
}

/** All parameters of `commit_2` except the last one, which is the part for the counters; see `create_table.ts`. */
export type PackedCommit = [
  data: Buffer,
  keyEnds: number[],
  valueEnds: number[],
  kinds: number[],
  numbers: (Version | number | null)[],
  runs: number[],
  notice: string | null,
];

/**
 * Turns a commit into the parameters of `commit_2`. The caller adds the last parameter: the number of the part that
 * gets the counters of the commit (`counter_parts.ts`).
 * @throws {TypeError} if a key or a value is too large
 */
export function packCommit(commit: Commit): PackedCommit {
  const { entries, counters, watchedKeys } = mergeByKey(commit);
  const sorted = [...sortByKey(entries), ...sortByKey(counters)];
  const { bytes, keyEnds, valueEnds } = joinBytes(sorted);
  return [
    bytes,
    keyEnds,
    valueEnds,
    sorted.map(({ kind }) => kind),
    sorted.map(({ version, amount }) => amount ?? version ?? null),
    endsOfRuns(sorted),
    watchedKeys.length > 0 ? watchedKeys.join(" ") : null,
  ];
}

/** The entries of a commit by the texts of their keys; see {@linkcode textOf}. */
type EntriesByKey = Map<string, PackedEntry>;

/** A commit with at most one entry and one counter for each key. */
interface MergedCommit {
  /** The checks, sets and deletes. */
  entries: EntriesByKey;
  /** The amounts that are added to counters. */
  counters: EntriesByKey;
  /** The written keys that processes watch, in hex. */
  watchedKeys: string[];
}

/** Merges the checks and writes of each key. */
function mergeByKey({ checks, writes }: Commit): MergedCommit {
  const entries: EntriesByKey = new Map();
  const counters: EntriesByKey = new Map();
  const watchedKeys: string[] = [];
  for (const check of checks) {
    const key = encodeKey(check.key);
    const keyText = textOf(key);
    const version = check.version ?? "0";
    const hasOtherVersion = entries.has(keyText) && entries.get(keyText)!.version !== version;
    entries.set(keyText, { key, kind: KIND.check, version: hasOtherVersion ? NEVER : version });
  }
  for (const write of writes) {
    const key = encodeKey(write.key);
    const keyText = textOf(key);
    if (write.type === "add") {
      const amount = write.amount + (counters.get(keyText)?.amount ?? 0);
      counters.set(keyText, { key, kind: KIND.add, amount });
      continue;
    }
    counters.delete(keyText);
    const version = entries.get(keyText)?.version;
    if (write.type === "set") {
      entries.set(keyText, { key, kind: KIND.set, version, value: encodeWithinLimit(write) });
    } else {
      // An entry that must be absent needs no delete, only the check.
      const kind = version === "0" ? KIND.check : KIND.delete;
      entries.set(keyText, { key, kind, version });
    }
    if (isWatched(write.key)) watchedKeys.push(key.toString("hex"));
  }
  return { entries, counters, watchedKeys };
}

/** Gives an encoded key as a text. Each character is a byte of the key, so the texts sort as the keys do. */
const textOf = (key: Buffer): string => key.toString("latin1");

const sortByKey = (entriesByKey: EntriesByKey): PackedEntry[] =>
  [...entriesByKey.keys()].sort().map((keyText) => entriesByKey.get(keyText)!);

/** Joins the keys and values of entries, and gives where each key and each value ends, as a number of bytes. */
function joinBytes(
  entries: PackedEntry[],
): { bytes: Buffer; keyEnds: number[]; valueEnds: number[] } {
  const pieces: Uint8Array[] = [];
  const keyEnds: number[] = [];
  const valueEnds: number[] = [];
  let length = 0;
  for (const { key, value } of entries) {
    pieces.push(key);
    length += key.length;
    keyEnds.push(length);
    if (value) pieces.push(value);
    length += value?.length ?? 0;
    valueEnds.push(length);
  }
  return { bytes: Buffer.concat(pieces), keyEnds, valueEnds };
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
