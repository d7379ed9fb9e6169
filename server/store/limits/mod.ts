/** The limiter, and the exchange of its counts with other processes through KV. @module */
import { base64url } from "jose";
import type { AddressHash, ClientAddress, CountRequest, SharedCounts } from "../../limits/mod.ts";
import { EXCHANGE_MS, Limiter } from "../../limits/mod.ts";
import type { Observer } from "../../observe/mod.ts";
import { hmacSha256, type RandomBytes, type Runtime } from "../../runtime/mod.ts";
import { ADDRESS_KEY, Batcher, changeEntry, Commit, type Kv, limitCountsKey } from "../kv/mod.ts";
import { limitCountsSelector, pages } from "../kv/mod.ts";

/**
 * Makes a limiter that exchanges its counts with other processes, on a beat that runs only while counts change. A slow
 * or failing KV never delays or fails a request: the limiter then counts in memory.
 */
export async function createSharedLimiter(
  { kv, runtime, onBatch, metrics }:
    & { kv: Kv; runtime: Pick<Runtime, "now" | "monotonic" | "random" | "log"> }
    & Pick<Observer, "onBatch" | "metrics">,
) {
  const { now, monotonic, random, log } = runtime;
  const processId = base64url.encode(random(12));
  const limiter = new Limiter({
    now,
    // A KV that does not answer ends the start with an error.
    hash: await openAddressHash(kv, random),
    seed: new DataView(random(4).buffer).getUint32(0),
    onChange: () => exchange(),
  });
  const exchangeCounts = createCountsExchange(kv, processId, limiter);
  const beat = new Batcher<void, void>({
    run: (_changes, signal) => exchangeCounts(signal),
    gatherMs: EXCHANGE_MS,
    deadlineMs: kv.deadlineMs,
    monotonic,
    onRun: onBatch("limits"),
  });
  const exchange = () =>
    beat.add()!.catch(({ message }: Error) => {
      log.warn("limits are counted in memory only, as KV did not answer", { error: message });
    });
  // Counts of earlier processes in the current window still hold.
  const learned = exchange();
  await beat.flush();
  await learned;
  const countRequest: CountRequest = (limit, source, counts = true) => {
    const allowance = limiter.count(limit, source, counts);
    if (!allowance.allowed && counts) metrics?.countRefused(limit.name);
    return allowance;
  };
  return { countRequest, close: () => beat.flush() };
}

/**
 * Makes the function that writes a process's counts of the current window, and reads those of all others. Each write
 * replaces the one before, so that nothing counts twice where the answer of a commit was lost. It checks what it
 * replaces, so that a commit that was given up does not bring older counts back.
 */
export function createCountsExchange(
  kv: Kv,
  processId: string,
  limiter: Limiter,
): (signal?: AbortSignal) => Promise<void> {
  /** The versions of this process's own counts when they were last read, by the limits' names. */
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

      const others: SharedCounts = { window, packed: [] };
      for await (const page of pages<Uint8Array>(kv, limitCountsSelector(window))) {
        for (const entry of page) {
          if ("fault" in entry) continue;
          const { key, value, version } = entry;
          const [, , owner, limit] = key as [string, number, string, string];
          if (owner === processId) versions.set(limit, version);
          else others.packed.push([limit, value]);
        }
      }
      // A later exchange has begun, which knows more.
      if (signal?.aborted) return;
      limiter.learn(others);
    }
  };
}

/** Makes the keyed hash of client addresses. Its key is made once, so that all processes have the same hash. */
export async function openAddressHash(
  kv: Kv,
  random: RandomBytes,
): Promise<(address: ClientAddress) => AddressHash> {
  const made = base64url.encode(random(32));
  const key = await changeEntry<string, string>(kv, ADDRESS_KEY, (known) => {
    return known ? { result: known } : { to: made, result: made };
  });
  const digest = hmacSha256(base64url.decode(key));
  return ({ high, low }) => digest(`${high}:${low}`).readUIntBE(0, 6);
}
