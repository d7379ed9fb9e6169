/**
 * The limiter of requests, and the exchange of its counts with other processes through KV. `limits/` has the rules of
 * counting. @module
 */
import { Buffer } from "node:buffer";
import { base64url } from "jose";
import {
  type AddressHash,
  type ClientAddress,
  type CountRequest,
  EXCHANGE_MS,
  Limiter,
  type SharedCounts,
} from "../../limits/mod.ts";
import type { Observer } from "../../observe/mod.ts";
import { hmacSha256, type RandomBytes, type Runtime } from "../../runtime/mod.ts";
import {
  ADDRESS_KEY,
  Batcher,
  changeEntry,
  Commit,
  type Kv,
  limitCountsKey,
  limitCountsSelector,
  pages,
  type Version,
} from "../kv/mod.ts";

interface SharedLimiterOptions extends Pick<Observer, "onBatch" | "metrics"> {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "monotonic" | "random" | "log">;
}

/** A limiter whose counts include the counts of other processes. */
export interface SharedLimiter {
  countRequest: CountRequest;
  /** Resolves once the last counts are written. */
  close: () => Promise<void>;
}

/**
 * Makes a limiter that exchanges its counts with other processes every `EXCHANGE_MS` while its counts change. It counts
 * in memory, so that a slow or failing KV never delays or fails a request.
 * @throws {Error} if KV does not answer at the start
 */
export async function createSharedLimiter(
  { kv, runtime, onBatch, metrics }: SharedLimiterOptions,
): Promise<SharedLimiter> {
  const { now, monotonic, random, log } = runtime;
  const processId = base64url.encode(random(12));
  const limiter = new Limiter({
    now,
    hash: await openAddressHash(kv, random),
    seed: Buffer.from(random(4)).readUInt32BE(),
    onChange: () => exchange(),
  });
  const exchangeCounts = createCountsExchange(kv, processId, limiter);
  const exchanges = new Batcher<void, void>({
    run: (_changes, signal) => exchangeCounts(signal),
    gatherMs: EXCHANGE_MS,
    deadlineMs: kv.deadlineMs,
    monotonic,
    onRun: onBatch("limits"),
  });

  /** Exchanges counts once `EXCHANGE_MS` have passed. Calls within this time share an exchange. */
  function exchange(): Promise<void> {
    // The `!` holds, because the batcher refuses no call: the number of waiting calls has no limit.
    return exchanges.add()!.catch(({ message }: Error) => {
      log.warn(
        "limits may allow too many requests, because the exchange of counts through KV failed",
        { error: message },
      );
    });
  }

  async function exchangeAtOnce(): Promise<void> {
    const exchanged = exchange();
    await exchanges.flush();
    await exchanged;
  }

  const countRequest: CountRequest = (limit, source, counts = true) => {
    const allowance = limiter.count(limit, source, counts);
    if (!allowance.allowed && counts) metrics?.countRefused(limit.name);
    return allowance;
  };
  // Reads counts at the start, because the counts of earlier processes in the current window still apply.
  await exchangeAtOnce();
  return { countRequest, close: () => exchanges.flush() };
}

/**
 * How many times an exchange tries to store its counts. A check can fail once or twice, for example because an earlier
 * commit got no answer, or because an entry was removed.
 */
const MAX_TRIES = 3;

/** The counts of this process that are stored for one window. */
interface StoredCounts {
  window: number;
  /**
   * The version of each entry when it was last read, by the name of the limit; `"unreadable"` if KV cannot read the
   * entry.
   */
  versions: Map<string, Version | "unreadable">;
}

/**
 * Makes the function that writes the counts of this process in the current window, and reads the counts of all other
 * processes. Each write replaces the previous write, so that nothing counts twice if the answer to a commit was lost.
 * Each write checks the entry that it replaces, so that a late commit does not bring older counts back.
 */
export function createCountsExchange(
  kv: Kv,
  processId: string,
  limiter: Limiter,
): (signal?: AbortSignal) => Promise<void> {
  let stored: StoredCounts = { window: NaN, versions: new Map() };

  /** Writes the counts of this process. @returns `"conflict"` if an entry was not as it was last read */
  function writeCounts({ window, packed }: SharedCounts): Promise<Version | "conflict"> {
    const commit = new Commit();
    for (const [limitName, counts] of packed) {
      if (counts.byteLength === 0) continue;
      const key = limitCountsKey(window, processId, limitName);
      const version = stored.versions.get(limitName) ?? null;
      // An entry that cannot be read is replaced without a check, because no commit can check it.
      if (version !== "unreadable") commit.check({ key, version });
      commit.set(key, counts);
    }
    return kv.commit(commit);
  }

  /** Reads the counts of all other processes, and the versions of the entries of this process. */
  async function readCounts(window: number): Promise<SharedCounts> {
    const versions: StoredCounts["versions"] = new Map();
    const others: SharedCounts = { window, packed: [] };
    for await (const page of pages<Uint8Array>(kv, limitCountsSelector(window))) {
      for (const entry of page) {
        // The cast holds, because the selector gives only keys with these four parts.
        const [, , owner, limitName] = entry.key as [string, number, string, string];
        const isReadable = !("fault" in entry);
        if (owner === processId) {
          versions.set(limitName, isReadable ? entry.version : "unreadable");
        } else if (isReadable) others.packed.push([limitName, entry.value]);
      }
    }
    stored = { window, versions };
    return others;
  }

  return async (signal) => {
    const counts = limiter.share();
    if (stored.window !== counts.window) stored = { window: counts.window, versions: new Map() };
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const outcome = await writeCounts(counts);
      const others = await readCounts(counts.window);
      // Drops the result of an exchange that took too long, because another exchange has begun since and reads newer
      // counts.
      if (signal?.aborted) return;
      limiter.learn(others);
      if (outcome !== "conflict") return;
    }
    throw new Error("The stored counts of this process have changed at each try");
  };
}

/**
 * Makes the function that hashes client addresses with a key. All processes of a store use the same key, which the
 * first process makes and stores.
 */
export async function openAddressHash(
  kv: Kv,
  random: RandomBytes,
): Promise<(address: ClientAddress) => AddressHash> {
  const newKey = base64url.encode(random(32));
  const key = await changeEntry<string, string>(kv, ADDRESS_KEY, (stored) => {
    return stored ? { result: stored } : { newValue: newKey, result: newKey };
  });
  const digest = hmacSha256(base64url.decode(key));
  return ({ high, low }) => digest(`${high}:${low}`).readUIntBE(0, 6);
}
