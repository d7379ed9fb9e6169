/**
 * Answers from memory that keys are absent, which new sign-ups ask for most: a read costs about as much as all that a
 * sign-up writes. Only for a store that one process alone writes to. What memory says need not be right: a commit
 * checks that an absent key is still absent, and one that meets a conflict lets its keys be read from then on.
 *
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { hashText, mixBits, type RandomBytes } from "../../runtime/mod.ts";
import type { Commit, Key, Kv, MaybeEntry, Selector, Unreadable } from "./engine.ts";
import { ERASED, LETTER_LIMITS, SIGN_UPS } from "./keys.ts";

const KEYS_AT_ONCE = 10;

/** Entries in a page of the keys that are there. */
const PAGE = 200;

/**
 * Gives a KV that knows which keys of some lists are absent. It reads the lists in the background once a call asks for
 * more keys than the engine reads at once, as only a busy service does; until then, and if that fails, it reads all.
 * @param random seeds the hashes, so that nobody can choose addresses with the same one
 * @param selectors each with a prefix of one part
 */
export function skipAbsentKeys(
  kv: Kv,
  random: RandomBytes,
  selectors: Selector[] = [SIGN_UPS, LETTER_LIMITS, ERASED],
): Kv {
  const [seed = 0] = new Uint32Array(random(4).slice().buffer);
  const prefixes = new Set(selectors.map(({ prefix }) => prefix[0]));
  const there = new HashSet();
  let filling: Promise<void> | undefined;
  let isFilled = false;
  const isListed = (key: Key) => prefixes.has(key[0]!);
  const add = (key: Key) => there.add(hashOf(key, seed));

  async function fill(): Promise<void> {
    for (const selector of selectors) {
      for (let rest = selector;;) {
        const page = await kv.list(rest, { limit: PAGE });
        for (const { key } of page) add(key);
        if (page.length < PAGE) break;
        rest = { ...selector, after: page.at(-1)!.key };
        // Calls go first.
        await setImmediate();
      }
    }
    isFilled = true;
  }

  return {
    ...kv,
    async get<T>(keys: readonly Key[]) {
      if (keys.length <= KEYS_AT_ONCE) return await kv.get<T>(keys);
      filling ??= fill().catch(() => {});
      if (!isFilled) return await kv.get<T>(keys);
      const asked: number[] = [], absent: number[] = [];
      for (const [index, key] of keys.entries()) {
        const mayBeThere = !isListed(key) || there.has(hashOf(key, seed));
        (mayBeThere ? asked : absent).push(index);
      }
      // At least one call, and full ones, so that the time does not tell whether a known address is among them.
      const hasRoom = () => asked.length === 0 || asked.length % KEYS_AT_ONCE > 0;
      while (hasRoom() && absent.length > 0) asked.push(absent.pop()!);
      const entries = keys.map((key): MaybeEntry<T> | Unreadable => {
        return { key, value: null, version: null };
      });
      const read = await kv.get<T>(asked.map((index) => keys[index]!));
      for (const [at, index] of asked.entries()) entries[index] = read[at]!;
      return entries;
    },
    async commit(commit: Commit) {
      // Before it is sent, as its outcome may stay unknown.
      for (const { type, key } of commit.writes) if (type !== "delete" && isListed(key)) add(key);
      const outcome = await kv.commit(commit);
      if (outcome === "conflict") {
        for (const { key } of commit.checks) if (isListed(key)) add(key);
      }
      return outcome;
    },
  };
}

/** A hash of 32 bits, never 0. */
function hashOf([list, text]: Key, seed: number): number {
  return mixBits(hashText(String(text), hashText(String(list), seed))) >>> 0 || 1;
}

/** A set of numbers from 1 to 2^32 - 1, in 6 to 12 bytes each. */
class HashSet {
  /** Free where 0; a power of two of them, of which at most two thirds are taken. */
  #slots = new Uint32Array(1024);
  #size = 0;

  has(hash: number): boolean {
    return this.#slots[this.#find(hash)] !== 0;
  }

  add(hash: number): void {
    const slot = this.#find(hash);
    if (this.#slots[slot] !== 0) return;
    this.#slots[slot] = hash;
    if (++this.#size * 3 < this.#slots.length * 2) return;
    const full = this.#slots;
    this.#slots = new Uint32Array(2 * full.length);
    for (const each of full) if (each !== 0) this.#slots[this.#find(each)] = each;
  }

  /** Gives the slot of a number, or the free one where it belongs. */
  #find(hash: number): number {
    const last = this.#slots.length - 1;
    let slot = hash & last;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== hash) slot = slot + 1 & last;
    return slot;
  }
}
