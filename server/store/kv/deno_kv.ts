/**
 * Deno KV as an engine of the store: in memory, on a file or on Deno Deploy. `kv_file.ts` owns
 * what is done with the file itself, `values.ts` owns the form of the values, and `unreadable_entries.ts` lists entries
 * one by one if Deno cannot read one of them. @module
 */
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { DeadlineError, isDeno } from "../../runtime/mod.ts";
import { KV_IS_LATE, StoreClosed, VALUE_FAULT } from "./calls.ts";
import {
  type Commit,
  type Engine,
  type EngineTraits,
  type Entry,
  type Key,
  type ListOptions,
  type MaybeEntry,
  NoAnswer,
  type Selector,
  type UnreadableEntry,
} from "./engine.ts";
import { PROOFS } from "./keys.ts";
import {
  type EngineKey,
  firstKeyAfter,
  listOneByOne,
  type ReadEdge,
} from "./unreadable_entries.ts";
import { decodeValue, encodeValue, encodeValues } from "./values.ts";

/**
 * SQLite writes one commit at a time, so few large commits are best: while one commit is written, the next one is
 * prepared. The rate of sign-ups would fall by a tenth if sign-ups were gathered for a millisecond, or if small commits
 * ran between large ones. Deno accepts 100 checks in a commit, and the native module for Node accepts ten. The proof
 * (`outcomes.ts`) needs one of these checks.
 */
export const LOCAL_TRAITS: EngineTraits = {
  checksPerCommit: isDeno ? 99 : 9,
  commitsInFlight: 2,
  waitsForEqualBatch: true,
  readsBlock: isDeno,
};

/**
 * Many commits are under way at a time, because each waits for the network. No limit on checks is published, so ten are
 * assumed, of which the proof (`outcomes.ts`) needs one. Gathering sign-ups for a millisecond doubles their number in a
 * commit.
 */
export const REMOTE_TRAITS: EngineTraits = {
  checksPerCommit: 9,
  commitsInFlight: 32,
  busyGatherMs: 1,
};

/** When Deno has ended a watch, the same key is watched again after this time, in milliseconds. */
const REWATCH_MS = 500;

/** How many keys Deno reads in a call at most. */
export const KEYS_AT_ONCE = 10;

/** How many entries Deno reads in a batch of a list at most. */
const ENTRIES_AT_ONCE = 500;

/** How long a call may take by default, in milliseconds. */
const CALL_MS = 5_000;

export type DenoKvOptions = Partial<Pick<Engine, "traits" | "deadlineMs">>;

/** Makes an engine from an open Deno KV. */
export function denoKv(
  kv: Deno.Kv,
  { traits = LOCAL_TRAITS, deadlineMs = CALL_MS }: DenoKvOptions = {},
): Engine {
  /** For each call under way, the function that rejects it when the store is closed. */
  const pendingRejects = new Set<(reason: DeadlineError) => void>();
  let isClosed = false;
  const kvReads = new DenoKvReads(kv);

  /**
   * Ends the wait for a call at the deadline, or when the store is closed. The call itself goes on, because Deno cannot
   * end it. A page that is read entry by entry is also read to its end.
   */
  function endAtDeadline<T>(call: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => reject(new DeadlineError(KV_IS_LATE)), deadlineMs);
    pendingRejects.add(reject);
    call.then(resolve, reject);
    // Rejects later calls as well, because a commit that was given up when the store was closed still asks for its
    // outcome.
    if (isClosed) reject(new StoreClosed());
    return promise.finally(() => {
      clearTimeout(timer);
      pendingRejects.delete(reject);
    });
  }

  return {
    traits,
    deadlineMs,
    async get<T>(keys: readonly Key[]) {
      if (keys.length <= KEYS_AT_ONCE) return await endAtDeadline(kvReads.get<T>([...keys]));
      // All calls share one deadline, because a timer for each would cost time.
      const reads = [];
      for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
        reads.push(kvReads.get<T>(keys.slice(from, from + KEYS_AT_ONCE)));
      }
      return (await endAtDeadline(Promise.all(reads))).flat();
    },
    async list<T>(selector: Selector, options: ListOptions) {
      return await endAtDeadline(kvReads.list<T>(selector, options));
    },
    async commit(commit) {
      const atomic = toAtomic(kv, commit);
      try {
        const result = await endAtDeadline(atomic.commit());
        return result.ok ? result.versionstamp : "conflict";
      } catch (error) {
        // Deno's errors do not tell whether the commit was sent.
        throw new NoAnswer(error);
      }
    },
    async processId() {
      // Deno gives no version twice, so the version of this entry is a name that only this process has.
      const { versionstamp } = await endAtDeadline(kv.set(PROOFS.prefix, encodeValue(true)));
      return versionstamp;
    },
    watch: (key, onChange) => watchKey(kv, key, onChange),
    sweep: () => Promise.resolve(),
    close() {
      isClosed = true;
      kv.close();
      for (const reject of pendingRejects) reject(new StoreClosed());
    },
  };
}

function toAtomic(kv: Deno.Kv, { checks, writes }: Commit): Deno.AtomicOperation {
  const values = encodeValues(writes.map((write) => write.type === "set" ? write.value : null));
  const atomic = kv.atomic();
  for (const { key, version } of checks) atomic.check({ key, versionstamp: version });
  writes.forEach((write, index) => {
    if (write.type === "set") atomic.set(write.key, values[index]);
    else if (write.type === "delete") atomic.delete(write.key);
    // Deno accepts no negative number but adds modulo 2^64, so a negative number is given as the unsigned number with
    // the same bits.
    else atomic.sum(write.key, BigInt.asUintN(64, BigInt(write.amount)));
  });
  return atomic;
}

/** Watches a key, and begins again when Deno ends the watch. */
function watchKey(kv: Deno.Kv, key: Key, onChange: () => void): { close: () => Promise<void> } {
  const stopping = new AbortController();
  let reader: ReadableStreamDefaultReader | undefined;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      try {
        // The option `raw` is needed, because without it nothing can catch an error of the remote client's watch, and
        // the error ends the process.
        reader = kv.watch([key], { raw: true }).getReader();
        while (!(await reader.read()).done) onChange();
      } catch {
        // The error is dropped, because other calls report that KV does not answer.
      }
      await delay(REWATCH_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async close() {
      stopping.abort();
      await reader?.cancel().catch(() => {});
      await watching;
      // Waits, because Deno's call for the next change ends only in a later turn of the event loop.
      await nextTurn();
    },
  };
}

/** An entry at one end of a range of keys: the first entry, or the last entry. */
type EdgeEntry = Deno.KvEntry<unknown> & { key: EngineKey };

/**
 * The reads of an open Deno KV, without a deadline. Deno rejects a read as a whole if it cannot read one of the values.
 * The entries are then read one by one, and an {@linkcode UnreadableEntry} stands for each entry whose value cannot be
 * read.
 */
export class DenoKvReads {
  readonly #kv: Deno.Kv;

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
  }

  /** Reads at most {@linkcode KEYS_AT_ONCE} keys. */
  async get<T>(keys: Key[]): Promise<(MaybeEntry<T> | UnreadableEntry)[]> {
    try {
      return (await this.#kv.getMany<unknown[]>(keys)).map(decodeMaybeEntry<T>);
    } catch (error) {
      if (!await this.#isAnswering(keys[0]!)) throw error;
      return await Promise.all(keys.map((key) => this.#getOne<T>(key)));
    }
  }

  async #getOne<T>(key: Key): Promise<MaybeEntry<T> | UnreadableEntry> {
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
  ): Promise<(Entry<T> | UnreadableEntry)[]> {
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
        "unreadableKey" in entry
          ? { key: entry.unreadableKey as Key, fault: VALUE_FAULT }
          : decode<T>(entry)
      );
    }
  }

  /** Makes the function that reads the first or the last entry of a range within a prefix. */
  #readEdgeWithin(prefix: Key): ReadEdge<EdgeEntry> {
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

function decode<T>(
  { key, value, versionstamp }: Deno.KvEntry<unknown>,
): Entry<T> | UnreadableEntry {
  try {
    return { key: key as Key, value: decodeValue(value) as T, version: versionstamp };
  } catch {
    return { key: key as Key, fault: VALUE_FAULT };
  }
}

function decodeMaybeEntry<T>(entry: Deno.KvEntryMaybe<unknown>): MaybeEntry<T> | UnreadableEntry {
  if (entry.versionstamp !== null) return decode<T>(entry);
  return { key: entry.key as Key, value: null, version: null };
}
