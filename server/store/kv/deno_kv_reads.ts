/**
 * Reads from Deno KV. Deno rejects a read as a whole if it cannot read one of the values, so this file then reads the
 * entries one by one, and gives an {@linkcode Unreadable} in place of each entry whose value cannot be read. @module
 */
import { VALUE_FAULT } from "./calls.ts";
import type { Entry, Key, ListOptions, MaybeEntry, Selector, Unreadable } from "./engine.ts";
import {
  type EngineKey,
  firstKeyAfter,
  listOneByOne,
  type ReadFirst,
} from "./unreadable_entries.ts";
import { decodeValue } from "./values.ts";

/** How many keys Deno reads in a call at most. */
export const KEYS_AT_ONCE = 10;

/** How many entries Deno reads in a batch of a list at most. */
const ENTRIES_AT_ONCE = 500;

/** The first or the last entry of a range. */
type EdgeEntry = Deno.KvEntry<unknown> & { key: EngineKey };

/** The reads of an open Deno KV, without a deadline. */
export class DenoKvReads {
  readonly #kv: Deno.Kv;

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
  }

  /** Reads at most {@linkcode KEYS_AT_ONCE} keys. */
  async get<T>(keys: Key[]): Promise<(MaybeEntry<T> | Unreadable)[]> {
    try {
      return (await this.#kv.getMany<unknown[]>(keys)).map(decodeMaybeEntry<T>);
    } catch (error) {
      if (!await this.#isAnswering(keys[0]!)) throw error;
      return await Promise.all(keys.map((key) => this.#getOne<T>(key)));
    }
  }

  async #getOne<T>(key: Key): Promise<MaybeEntry<T> | Unreadable> {
    try {
      return decodeMaybeEntry<T>(await this.#kv.get(key));
    } catch (error) {
      if (!await this.#isAnswering(key)) throw error;
      return { key, fault: VALUE_FAULT };
    }
  }

  /** Reads a page of a list. */
  async list<T>(
    selector: Selector,
    { limit, reverse = false }: ListOptions,
  ): Promise<(Entry<T> | Unreadable)[]> {
    const { prefix, end } = selector;
    const start = startOf(selector);
    try {
      const options = { limit, reverse, batchSize: Math.min(limit, ENTRIES_AT_ONCE) };
      // Deno does not accept a prefix together with both a start and an end.
      const entries = this.#kv.list(end ? { start, end } : { prefix, start }, options);
      return (await Array.fromAsync(entries)).map(decode<T>);
    } catch (error) {
      if (!await this.#isAnswering(prefix)) throw error;
      const page = { prefix, start, end, limit, reverse };
      const entries = await listOneByOne(this.#readEdgeWithin(prefix), page);
      return entries.map((entry) =>
        "unreadable" in entry
          ? { key: entry.unreadable as Key, fault: VALUE_FAULT }
          : decode<T>(entry)
      );
    }
  }

  /** Makes the function that reads the first or the last entry of a range within a prefix. */
  #readEdgeWithin(prefix: Key): ReadFirst<EdgeEntry> {
    return async (range, { reverse }) => {
      try {
        const entries = this.#kv.list<unknown>(range, { limit: 1, batchSize: 1, reverse });
        const [entry] = await Array.fromAsync(entries);
        // The cast holds, because the parts of all keys in the store are texts and numbers.
        return entry as EdgeEntry | undefined ?? "none";
      } catch (error) {
        if (!await this.#isAnswering(prefix)) throw error;
        return "unreadable";
      }
    };
  }

  /**
   * Whether Deno answers at all, after a read has failed. The value of the given key may be the reason for the failure,
   * so this function reads another key, which sorts near the given key and never has an entry.
   */
  #isAnswering(key: EngineKey): Promise<boolean> {
    return this.#kv.get(firstKeyAfter(firstKeyAfter(key))).then(() => true, () => false);
  }
}

/**
 * Gives the first key that a selector includes. Every range has a start, because Node's client would otherwise also
 * list the entry whose key is the prefix itself, when it lists in reverse.
 */
const startOf = ({ prefix, start, after }: Selector): EngineKey =>
  after ? firstKeyAfter(after) : start ?? firstKeyAfter(prefix);

function decode<T>({ key, value, versionstamp }: Deno.KvEntry<unknown>): Entry<T> | Unreadable {
  try {
    return { key: key as Key, value: decodeValue(value) as T, version: versionstamp };
  } catch {
    return { key: key as Key, fault: VALUE_FAULT };
  }
}

function decodeMaybeEntry<T>(entry: Deno.KvEntryMaybe<unknown>): MaybeEntry<T> | Unreadable {
  if (entry.versionstamp !== null) return decode<T>(entry);
  return { key: entry.key as Key, value: null, version: null };
}
