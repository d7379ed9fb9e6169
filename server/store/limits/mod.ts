/**
 * The limiter of requests, and the exchange of its counts with other processes through KV. `limits/` has the rules of
 * counting. @module
 */
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
    seed: new DataView(random(4).buffer).getUint32(0),
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
  // The `!` holds, because the batcher refuses no call: the number of waiting calls has no limit.
  const exchange = () =>
    exchanges.add()!.catch(({ message }: Error) => {
      log.warn("limits are counted in memory only, because KV did not answer", { error: message });
    });
  // Reads counts at the start, because those of earlier processes in the current window still count.
  const first = exchange();
  await exchanges.flush();
  await first;
  const countRequest: CountRequest = (limit, source, counts = true) => {
    const allowance = limiter.count(limit, source, counts);
    if (!allowance.allowed && counts) metrics?.countRefused(limit.name);
    return allowance;
  };
  return { countRequest, close: () => exchanges.flush() };
}

/**
 * Makes the function that writes the counts of this process in the current window, and reads the counts of all other
 * processes. Each write replaces the one before, so that nothing counts twice if the answer to a commit was lost.
 * Each write checks the entry that it replaces, so that a late commit does not bring older counts back.
 */
export function createCountsExchange(
  kv: Kv,
  processId: string,
  limiter: Limiter,
): (signal?: AbortSignal) => Promise<void> {
  /** The versions of this process's entries when they were last read, by the names of the limits. */
  let own = { window: NaN, versions: new Map<string, string>() };

  return async (signal) => {
    const { window, packed } = limiter.share();
    if (own.window !== window) own = { window, versions: new Map() };
    const { versions } = own;
    for (let isStored = false; !isStored;) {
      const commit = new Commit();
      for (const [limit, counts] of packed) {
        if (counts.byteLength === 0) continue;
        const key = limitCountsKey(window, processId, limit);
        commit.check({ key, version: versions.get(limit) ?? null }).set(key, counts);
      }
      isStored = await kv.commit(commit) !== "conflict";

      // Forgets the versions before they are read again, because an entry can have been removed since.
      versions.clear();
      const others: SharedCounts = { window, packed: [] };
      for await (const page of pages<Uint8Array>(kv, limitCountsSelector(window))) {
        for (const entry of page) {
          if ("fault" in entry) continue;
          const { key, value, version } = entry;
          // The cast holds, because the selector gives only keys with these four parts.
          const [, , owner, limit] = key as [string, number, string, string];
          if (owner === processId) versions.set(limit, version);
          else others.packed.push([limit, value]);
        }
      }
      // Drops the result of an exchange that took too long, because another exchange has begun since and reads newer
      // counts.
      if (signal?.aborted) return;
      limiter.learn(others);
    }
  };
}

/**
 * Makes the keyed hash of client addresses. All processes of a store use the same hash, because the key of the hash
 * is made once and stored.
 */
export async function openAddressHash(
  kv: Kv,
  random: RandomBytes,
): Promise<(address: ClientAddress) => AddressHash> {
  const made = base64url.encode(random(32));
  const key = await changeEntry<string, string>(kv, ADDRESS_KEY, (known) => {
    return known ? { result: known } : { newValue: made, result: made };
  });
  const digest = hmacSha256(base64url.decode(key));
  return ({ high, low }) => digest(`${high}:${low}`).readUIntBE(0, 6);
}
