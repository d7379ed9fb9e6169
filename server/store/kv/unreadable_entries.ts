/**
 * Reads a page entry by entry where an engine rejects the page as a whole, because it cannot read one of the entries,
 * and does not name the entry. A range is rejected only where it reaches the entry, so this file finds each part of the
 * key by halving. @module
 */

/** A key of the store, or one between such keys. Bytes sort before texts, and booleans behind numbers. */
export type EngineKey = readonly (Uint8Array | string | number | boolean)[];

export interface EngineRange {
  /** The first key, which is included. */
  start: EngineKey;
  /** The key behind the last one. */
  end: EngineKey;
}

/** Reads the first entry of a range, or with `reverse` the last one. */
export type ReadFirst<E> = (
  range: EngineRange,
  reverse: boolean,
) => Promise<E | "none" | "unreadable">;

/** The first key that can come behind a key. */
export const behind = (key: EngineKey): EngineKey => [...key, new Uint8Array()];

/** A key behind all keys that begin with a prefix. */
const endOf = (prefix: EngineKey): EngineKey => [...prefix, true];

interface PageRange {
  prefix: EngineKey;
  start: EngineKey;
  /** Without it, the page ends with the prefix. */
  end?: EngineKey | undefined;
  limit: number;
  reverse: boolean;
}

/**
 * Reads a page entry by entry, and gives the key alone of an entry that cannot be read.
 * @throws {Error} where the key of such an entry cannot be found, as where the key itself is damaged
 */
export async function listOneByOne<E extends { key: EngineKey }>(
  readFirst: ReadFirst<E>,
  range: PageRange,
): Promise<(E | { unreadable: EngineKey })[]> {
  const { prefix, limit, reverse } = range;
  let { start } = range;
  let end = range.end ?? endOf(prefix);
  // An engine refuses a range that ends before it begins.
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

/** Whether the key that is searched for sorts before another one. */
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

/** The last character of ASCII, of which all texts in keys are; it is in none of them. */
const DELETE = 0x7f;

/** Finds the text that comes behind the known parts of a key; `undefined` where there is none. */
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

/** Finds the whole number that comes behind the known parts of a key; `undefined` where there is none. */
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

/** Compares keys by their order in the engine, as far as bytes are empty and texts are ASCII. */
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
