/**
 * An engine that cannot read one entry rejects the whole page, and does not name the entry. This file then reads the
 * page entry by entry. The engine rejects only ranges that include the unreadable entry, so a binary search finds
 * each part of its key. @module
 */

/**
 * A key of the store, or a bound between keys: empty bytes sort before every other part of a key, and `true` sorts behind
 * every other part.
 */
export type EngineKey = readonly (Uint8Array | string | number | boolean)[];

export interface EngineRange {
  /** The first key, which is included. */
  start: EngineKey;
  /** The key at which the range ends; it is not included. */
  end: EngineKey;
}

/** Reads the first entry of a range, or with `reverse` the last one. */
export type ReadFirst<E> = (
  range: EngineRange,
  reverse: boolean,
) => Promise<E | "none" | "unreadable">;

/** Gives the first key that can come after a key. */
export const behind = (key: EngineKey): EngineKey => [...key, new Uint8Array()];

/** Gives a key after all keys that begin with a prefix. */
const endOf = (prefix: EngineKey): EngineKey => [...prefix, true];

interface PageRange {
  prefix: EngineKey;
  start: EngineKey;
  /** The key at which the page ends; it is not included. If absent, the page ends with the last key of the prefix. */
  end?: EngineKey | undefined;
  limit: number;
  reverse: boolean;
}

/**
 * Reads a page entry by entry. Of an entry that cannot be read, it gives the key alone.
 * @throws {Error} where the key of such an entry cannot be found, as where the key itself is damaged
 */
export async function listOneByOne<E extends { key: EngineKey }>(
  readFirst: ReadFirst<E>,
  range: PageRange,
): Promise<(E | { unreadable: EngineKey })[]> {
  const { prefix, limit, reverse } = range;
  let { start } = range;
  let end = range.end ?? endOf(prefix);
  // An engine rejects a range that ends before it begins, so such a range is not read.
  const readIn: ReadFirst<E> = async (range, reverse) =>
    compareKeys(range.start, range.end) < 0 ? await readFirst(range, reverse) : "none";
  const found: (E | { unreadable: EngineKey })[] = [];
  while (found.length < limit) {
    const entry = await readIn({ start, end }, reverse);
    if (entry === "none") break;
    let key: EngineKey;
    if (entry === "unreadable") {
      const [from, to] = [start, end];
      key = await findKey(
        prefix,
        async (key) =>
          reverse
            ? await readIn({ start: key, end: to }, true) === "none"
            : await readIn({ start: from, end: key }, false) === "unreadable",
      );
      found.push({ unreadable: key });
    } else {
      key = entry.key;
      found.push(entry);
    }
    if (reverse) end = key;
    else start = behind(key);
  }
  return found;
}

/** Tells whether the key that is searched for sorts before a given key. */
type IsBefore = (key: EngineKey) => Promise<boolean>;

async function findKey(prefix: EngineKey, isBefore: IsBefore): Promise<EngineKey> {
  let key = prefix;
  do {
    const isText = await isBefore([...key, -Infinity]);
    const part = isText ? await findText(key, isBefore) : await findNumber(key, isBefore);
    if (part === undefined) throw new Error("KV cannot read an entry, nor its key");
    key = [...key, part];
  } while (!await isBefore(behind(key)));
  return key;
}

/**
 * The last character of ASCII, at which the search of a text ends: all texts in keys are ASCII, and none has this
 * character.
 */
const DELETE = 0x7f;

/** Finds the text that follows the known parts of a key; `undefined` where no text follows. */
async function findText(key: EngineKey, isBefore: IsBefore): Promise<string | undefined> {
  for (let text = "";;) {
    if (await isBefore([...key, `${text}\0`])) return text;
    const code = await halve(
      0,
      DELETE + 1,
      (middle) => isBefore([...key, text + String.fromCharCode(middle)]),
    );
    if (code === DELETE) return undefined;
    text += String.fromCharCode(code);
  }
}

/** Finds the whole number that follows the known parts of a key; `undefined` where no number follows. */
async function findNumber(key: EngineKey, isBefore: IsBefore): Promise<number | undefined> {
  const number = await halve(0, Number.MAX_SAFE_INTEGER, (middle) => isBefore([...key, middle]));
  const isIt = !await isBefore([...key, number]) && await isBefore(endOf([...key, number]));
  return isIt ? number : undefined;
}

/** Finds the largest number from `low` on, below `high`, for which `isAbove` is false. */
async function halve(
  low: number,
  high: number,
  isAbove: (number: number) => Promise<boolean>,
): Promise<number> {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isAbove(middle)) high = middle;
    else low = middle;
  }
  return low;
}

/**
 * Compares keys by their order in the engine. It is right only for empty bytes and ASCII texts; no other ones occur
 * here.
 */
function compareKeys(one: EngineKey, other: EngineKey): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const [a, b] = [one[at]!, other[at]!];
    const difference = rankOf(a) - rankOf(b) || Number(a > b) - Number(a < b);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

const RANKS = ["object", "string", "number", "boolean"];

const rankOf = (part: EngineKey[number]): number => RANKS.indexOf(typeof part);
