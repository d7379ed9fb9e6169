/**
 * Answers from memory that keys are absent, because the sign-ups of new people mostly read such keys, and a read costs
 * about as much as all writes of a sign-up. This layer is for a store to which only one process writes.
 *
 * A sign-up takes 142 µs of CPU with this layer and 179 µs without it (three rounds of `bench`, 64 connections). The
 * benchmark demands that sign-ups are stored 4.3 times as fast as with one commit per request (tests/README.md,
 * "Speed"). Without this layer, some runs did not reach this factor.
 *
 * A wrong answer from memory does no harm: a commit checks that an absent key is still absent, and after a conflict the
 * keys that the commit has checked are read from the engine again. @module
 */
import { hashText, letRequestsArrive, mixBits, type RandomBytes } from "../../runtime/mod.ts";
import type { Commit, Key, Kv, MaybeEntry, Selector, Unreadable } from "./engine.ts";
import { ERASED, LETTER_LIMITS, SIGN_UPS } from "./keys.ts";

/** How many keys an engine reads in one call. */
const KEYS_AT_ONCE = 10;

/** How many absent records show that new people sign up, in a call for more than `KEYS_AT_ONCE` keys. */
const MANY_NEW_PEOPLE = 4;

/** The number of entries in a page while the lists are read into memory. */
const PAGE = 200;

/**
 * Gives a KV that knows which keys of some lists are absent. At first, it does not know this, and reads every key from
 * the engine.
 *
 * It begins to read the lists in the background after a call for more keys than the engine reads in one call, if
 * {@linkcode MANY_NEW_PEOPLE} people or more have no record. The sign-ups of new people make such calls. Pages of
 * operators and letters read the records of people who exist. If the reading fails, every key is still read from the
 * engine.
 * @param random gives the seed of the hashes, so that nobody can choose addresses that have the same hash
 * @param selectors select the lists; each prefix has one part
 */
export function skipAbsentKeys(
  kv: Kv,
  random: RandomBytes,
  selectors: Selector[] = [SIGN_UPS, LETTER_LIMITS, ERASED],
): Kv {
  const [seed = 0] = new Uint32Array(random(4).slice().buffer);
  const prefixes = new Set(selectors.map(({ prefix }) => prefix[0]));
  /** The hashes of the keys that have an entry, and of some other keys. */
  const present = new HashSet();
  let filling: Promise<void> | undefined;
  let isFilled = false;
  const isListed = (key: Key) => prefixes.has(key[0]!);
  const isNewPerson = (entry: MaybeEntry | Unreadable) =>
    !("fault" in entry) && entry.version === null && entry.key[0] === SIGN_UPS.prefix[0];
  const add = (key: Key) => present.add(hashOf(key, seed));

  async function fill(): Promise<void> {
    for (const selector of selectors) {
      for (let rest = selector;;) {
        const page = await kv.list(rest, { limit: PAGE });
        for (const { key } of page) add(key);
        if (page.length < PAGE) break;
        rest = { ...selector, after: page.at(-1)!.key };
        await letRequestsArrive();
      }
    }
    isFilled = true;
  }

  return {
    ...kv,
    async get<T>(keys: readonly Key[]) {
      if (keys.length <= KEYS_AT_ONCE) return await kv.get<T>(keys);
      if (!isFilled) {
        const entries = await kv.get<T>(keys);
        if (entries.filter(isNewPerson).length >= MANY_NEW_PEOPLE) {
          filling ??= fill().catch(() => {});
        }
        return entries;
      }
      /** The indexes of the keys that are read from the engine, and of the keys that are known to be absent. */
      const toRead: number[] = [];
      const absent: number[] = [];
      for (const [index, key] of keys.entries()) {
        const mayBePresent = !isListed(key) || present.has(hashOf(key, seed));
        (mayBePresent ? toRead : absent).push(index);
      }
      // Reads absent keys as well until the last call of the engine is full, and makes at least one call. So the time
      // of an answer does not tell whether a known address is among the keys.
      const isCallFull = () => toRead.length > 0 && toRead.length % KEYS_AT_ONCE === 0;
      while (!isCallFull() && absent.length > 0) toRead.push(absent.pop()!);
      const entries = keys.map((key): MaybeEntry<T> | Unreadable => {
        return { key, value: null, version: null };
      });
      const found = await kv.get<T>(toRead.map((index) => keys[index]!));
      toRead.forEach((index, position) => entries[index] = found[position]!);
      return entries;
    },
    async commit(commit: Commit) {
      // Adds the keys before the commit is sent, because the outcome of the commit may stay unknown.
      for (const { type, key } of commit.writes) if (type !== "delete" && isListed(key)) add(key);
      const outcome = await kv.commit(commit);
      if (outcome === "conflict") {
        for (const { key } of commit.checks) if (isListed(key)) add(key);
      }
      return outcome;
    },
  };
}

/**
 * Gives a hash of a key as a number of 32 bits. The hash is never 0, because 0 is a free place in {@linkcode HashSet}.
 */
function hashOf([list, text]: Key, seed: number): number {
  return mixBits(hashText(String(text), hashText(String(list), seed))) >>> 0 || 1;
}

/** A set of numbers from 1 to 2^32 - 1, in 6 to 12 bytes each. */
class HashSet {
  /**
   * A table of hashes with open addressing, in which 0 is a free place. Its length is a power of two, and at least a
   * third of its places stay free.
   */
  #table = new Uint32Array(1024);
  #size = 0;

  has(hash: number): boolean {
    return this.#table[this.#find(hash)] !== 0;
  }

  add(hash: number): void {
    const place = this.#find(hash);
    if (this.#table[place] !== 0) return;
    this.#table[place] = hash;
    if (++this.#size * 3 < this.#table.length * 2) return;
    const full = this.#table;
    this.#table = new Uint32Array(2 * full.length);
    for (const old of full) if (old !== 0) this.#table[this.#find(old)] = old;
  }

  /**
   * Gives the index of a hash in the table or, if the table does not have the hash, the index at which it can be added.
   */
  #find(hash: number): number {
    const last = this.#table.length - 1;
    let place = hash & last;
    while (this.#table[place] !== 0 && this.#table[place] !== hash) place = place + 1 & last;
    return place;
  }
}
