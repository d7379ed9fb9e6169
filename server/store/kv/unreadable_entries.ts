/**
 * Lists a page of Deno KV that has unreadable entries. Deno KV rejects such a page as a whole, and does not name the
 * unreadable entries. This file therefore reads the page entry by entry, and finds the keys of the unreadable entries.
 * Its only caller is `deno_kv.ts`. @module
 */
import { END_OF_ASCII, findCharacterCode, findLargest } from "./binary_search.ts";

/**
 * A key of the store, or a bound between keys: empty bytes sort before every other part of a key, and `true` sorts
 * after every other part.
 */
export type EngineKey = readonly (Uint8Array | string | number | boolean)[];

export interface EngineRange {
  /** The first key, which is included. */
  start: EngineKey;
  /** The key at which the range ends; it is not included. */
  end: EngineKey;
}

/** Reads an entry at the edge of a range: the first entry or, with `reverse`, the last entry. */
export type ReadEdge<E> = (
  range: EngineRange,
  options: { reverse: boolean },
) => Promise<E | "none" | "unreadable">;

/** Gives the first key that can come after a key. */
export const firstKeyAfter = (key: EngineKey): EngineKey => [...key, new Uint8Array()];

/** Gives a key after all keys that begin with a prefix. */
const endOfPrefix = (prefix: EngineKey): EngineKey => [...prefix, true];

interface PageRequest {
  prefix: EngineKey;
  start: EngineKey;
  /** The key at which the page ends; it is not included. Without it, the page ends with the last key of the prefix. */
  end?: EngineKey | undefined;
  limit: number;
  reverse: boolean;
}

/**
 * Reads a page entry by entry. For an entry that cannot be read, it gives the key alone.
 * @throws {Error} if the key of an unreadable entry cannot be found, for example because the key itself is damaged
 */
export async function listOneByOne<E extends { key: EngineKey }>(
  readEdge: ReadEdge<E>,
  { prefix, start, end = endOfPrefix(prefix), limit, reverse }: PageRequest,
): Promise<(E | { unreadableKey: EngineKey })[]> {
  const entries: (E | { unreadableKey: EngineKey })[] = [];
  /** The range that is still to be read. */
  let range: EngineRange = { start, end };
  // An engine rejects a range that ends before it begins, so the loop ends before it would read such a range.
  while (entries.length < limit && !isEmpty(range)) {
    const entry = await readEdge(range, { reverse });
    if (entry === "none") break;
    let key: EngineKey;
    if (entry === "unreadable") {
      const comesBefore = reverse
        ? lastComesBefore(readEdge, range)
        : firstComesBefore(readEdge, range);
      key = await findKey(prefix, comesBefore);
      entries.push({ unreadableKey: key });
    } else {
      key = entry.key;
      entries.push(entry);
    }
    range = reverse ? { ...range, end: key } : { ...range, start: firstKeyAfter(key) };
  }
  return entries;
}

/** Tells whether the unreadable entry whose key is searched comes before a given key. */
type ComesBefore = (key: EngineKey) => Promise<boolean>;

/**
 * Makes the comparison for an unreadable entry that is the first of a range. The entry comes before a key if the engine
 * rejects the part of the range before this key.
 */
const firstComesBefore =
  (readEdge: ReadEdge<unknown>, { start }: EngineRange): ComesBefore => async (key) => {
    const rangeBefore = { start, end: key };
    return !isEmpty(rangeBefore) &&
      await readEdge(rangeBefore, { reverse: false }) === "unreadable";
  };

/**
 * Makes the comparison for an unreadable entry that is the last of a range. The entry comes before a key if the part of
 * the range from this key on is empty.
 */
const lastComesBefore =
  (readEdge: ReadEdge<unknown>, { end }: EngineRange): ComesBefore => async (key) => {
    const rangeFromKey = { start: key, end };
    return isEmpty(rangeFromKey) || await readEdge(rangeFromKey, { reverse: true }) === "none";
  };

/** Whether a range holds no key, because its end does not come after its start. */
const isEmpty = ({ start, end }: EngineRange): boolean => compareKeys(start, end) >= 0;

/**
 * Finds the key of an unreadable entry, one part after the other, each by a binary search. An example: the entry
 * `["line", 2, 7]` is the first of the page of `["line", 2]`. The engine finds nothing before `["line", 2, -Infinity]`,
 * so the third part of the key is no text. It rejects the range before `["line", 2, 8]`, and finds nothing before
 * `["line", 2, 7]`, so the third part is 7. It rejects the range before `firstKeyAfter(["line", 2, 7])`, so the key has
 * no further part. A text is found in the same way, character by character.
 *
 * A text takes eight reads a character, and a number 55 reads. Each part takes two or three reads more.
 */
async function findKey(prefix: EngineKey, comesBefore: ComesBefore): Promise<EngineKey> {
  let key = prefix;
  do {
    // Texts sort before numbers, and `-Infinity` is the smallest number.
    const isText = await comesBefore([...key, -Infinity]);
    const part = isText ? await findText(key, comesBefore) : await findNumber(key, comesBefore);
    if (part === undefined) throw new Error("KV can read neither an entry nor its key");
    key = [...key, part];
  } while (!await comesBefore(firstKeyAfter(key)));
  return key;
}

/** Finds the text that follows the known parts of a key; `undefined` if no text follows. */
async function findText(key: EngineKey, comesBefore: ComesBefore): Promise<string | undefined> {
  let text = "";
  // The first text after a text is the same text with a further NUL character.
  while (!await comesBefore([...key, `${text}\0`])) {
    const code = await findCharacterCode((triedCode) =>
      comesBefore([...key, text + String.fromCharCode(triedCode)])
    );
    if (code === END_OF_ASCII) return undefined;
    text += String.fromCharCode(code);
  }
  return text;
}

/** Finds the whole number that follows the known parts of a key; `undefined` if no number follows. */
async function findNumber(key: EngineKey, comesBefore: ComesBefore): Promise<number | undefined> {
  const number = await findLargest(
    { from: 0, below: Number.MAX_SAFE_INTEGER },
    (triedNumber) => comesBefore([...key, triedNumber]),
  );
  const beginsWithNumber = !await comesBefore([...key, number]) &&
    await comesBefore(endOfPrefix([...key, number]));
  return beginsWithNumber ? number : undefined;
}

/**
 * Compares keys by their order in the engine. The result is right only for ASCII texts, numbers, `true` and empty
 * bytes; keys here have no other parts.
 */
function compareKeys(key: EngineKey, otherKey: EngineKey): number {
  for (let index = 0; index < Math.min(key.length, otherKey.length); index++) {
    const part = key[index]!;
    const otherPart = otherKey[index]!;
    const difference = rankOf(part) - rankOf(otherPart) ||
      Number(part > otherPart) - Number(part < otherPart);
    if (difference !== 0) return difference;
  }
  return key.length - otherKey.length;
}

/** The order of parts of different types in the engine, by their `typeof`. Bytes are objects. */
const RANKS: Record<string, number> = { object: 0, string: 1, number: 2, boolean: 3 };

const rankOf = (part: EngineKey[number]): number => RANKS[typeof part]!;
