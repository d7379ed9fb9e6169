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
import { KEYS_AT_ONCE } from "./deno_kv.ts";
import type { Commit, Key, Kv, MaybeEntry, Selector, UnreadableEntry } from "./engine.ts";
import { HashSet } from "./hash_set.ts";
import { ERASURE_MARKS, LETTER_LIMITS, SIGN_UPS } from "./keys.ts";
import { pages } from "./pages.ts";

/**
 * If a call for more than `KEYS_AT_ONCE` keys finds that this many people have no record, new people are signing up.
 */
const MANY_NEW_PEOPLE = 4;

/**
 * Gives a KV that knows which keys of some lists are absent. At first, it does not know this, and reads every key from
 * the engine.
 *
 * A call for more than {@linkcode KEYS_AT_ONCE} keys makes the KV begin to read the lists in the background, if at
 * least {@linkcode MANY_NEW_PEOPLE} of the records in the call are absent. Sign-ups of new people make such calls;
 * operators' pages and letters do not, because they read the records of people who exist. If the reading fails, every
 * key is still read from the engine.
 * @param random gives the seed of the hashes, so that nobody can choose addresses that have the same hash
 * @param selectors select the lists; the prefix of each selector has one part, the name of the list
 */
export function skipAbsentKeys(
  kv: Kv,
  random: RandomBytes,
  selectors: Selector[] = [SIGN_UPS, LETTER_LIMITS, ERASURE_MARKS],
): Kv {
  // Copies the random bytes, because they may be a part of a larger buffer.
  const [seed = 0] = new Uint32Array(random(4).slice().buffer);
  const listNames = new Set(selectors.map(({ prefix }) => prefix[0]));
  /** The hashes of the listed keys that have an entry. Some other keys have the same hashes. */
  const presentHashes = new HashSet();
  let readingLists: Promise<void> | undefined;
  let areListsRead = false;

  /** Whether a key belongs to one of the lists. */
  const isListed = (key: Key) => listNames.has(key[0]!);
  const notePresent = (key: Key) => presentHashes.add(hashOf(key, seed));
  const mayBePresent = (key: Key) => !isListed(key) || presentHashes.has(hashOf(key, seed));

  async function readLists(): Promise<void> {
    for (const selector of selectors) {
      for await (const page of pages(kv, selector)) {
        for (const { key } of page) notePresent(key);
        await letRequestsArrive();
      }
    }
    areListsRead = true;
  }

  /**
   * Gives the entries of keys, but reads only the keys that may be present, and a few absent keys (`fillLastCall()`).
   */
  async function getSkippingAbsent<T>(
    keys: readonly Key[],
  ): Promise<(MaybeEntry<T> | UnreadableEntry)[]> {
    const presentIndexes: number[] = [];
    const absentIndexes: number[] = [];
    for (const [index, key] of keys.entries()) {
      (mayBePresent(key) ? presentIndexes : absentIndexes).push(index);
    }
    const indexesToRead = fillLastCall(presentIndexes, absentIndexes);
    const readEntries = await kv.get<T>(indexesToRead.map((index) => keys[index]!));
    const entries = keys.map((key): MaybeEntry<T> | UnreadableEntry => {
      return { key, value: null, version: null };
    });
    indexesToRead.forEach((index, position) => entries[index] = readEntries[position]!);
    return entries;
  }

  return {
    ...kv,
    async get<T>(keys: readonly Key[]) {
      if (keys.length <= KEYS_AT_ONCE) return await kv.get<T>(keys);
      if (areListsRead) return await getSkippingAbsent<T>(keys);
      const entries = await kv.get<T>(keys);
      if (entries.filter(isNewPerson).length >= MANY_NEW_PEOPLE) {
        // An error is dropped, because the KV then goes on reading every key from the engine.
        readingLists ??= readLists().catch(() => {});
      }
      return entries;
    },
    async commit(commit: Commit) {
      // Notes the keys before the commit is sent, because the outcome of the commit may stay unknown.
      for (const { type, key } of commit.writes) {
        if (type !== "delete" && isListed(key)) notePresent(key);
      }
      const outcome = await kv.commit(commit);
      if (outcome === "conflict") {
        for (const { key } of commit.checks) if (isListed(key)) notePresent(key);
      }
      return outcome;
    },
  };
}

/** Whether an entry shows that there is no record for an address. */
const isNewPerson = (entry: MaybeEntry | UnreadableEntry) =>
  !("fault" in entry) && entry.version === null && entry.key[0] === SIGN_UPS.prefix[0];

/**
 * Gives the indexes of the keys to read: the indexes of present keys, and as many indexes of absent keys as fill the
 * last call of the engine. There is always at least one call. So the time of an answer does not tell whether a known
 * address is among the keys.
 */
function fillLastCall(presentIndexes: number[], absentIndexes: number[]): number[] {
  const engineCalls = Math.max(1, Math.ceil(presentIndexes.length / KEYS_AT_ONCE));
  const freePlaces = engineCalls * KEYS_AT_ONCE - presentIndexes.length;
  const firstFiller = Math.max(0, absentIndexes.length - freePlaces);
  return [...presentIndexes, ...absentIndexes.slice(firstFiller)];
}

/**
 * Gives a hash of a key as a number of 32 bits. The hash is never 0, because 0 is a free place in {@linkcode HashSet}.
 */
function hashOf([listName, entryName]: Key, seed: number): number {
  return mixBits(hashText(String(entryName), hashText(String(listName), seed))) >>> 0 || 1;
}
