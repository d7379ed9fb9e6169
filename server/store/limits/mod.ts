/**
 * Puts the limiter together with the exchange of its counts through KV.
 *
 * @module
 */
import { base64url } from "jose";
import { BEAT_MS, type CountRequest, Limiter, LIMITS } from "../../limits/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Observer } from "../../observe/mod.ts";
import { Batcher, deadlineOf, type OpenKv, withKvDeadline } from "../kv/mod.ts";
import { createCountsExchange, openAddressHash } from "./limit_counts.ts";

/** What the limiter needs besides KV. */
export interface SharedLimiterOptions
  extends Pick<OpenKv, "kv">, Pick<Runtime, "now" | "monotonic" | "random" | "log"> {}

/**
 * Makes a limiter that exchanges its counts with other processes through KV, on a beat that runs only while
 * counts change. A slow or failing KV never delays or fails a request: the limiter then counts in memory.
 */
export async function createSharedLimiter(
  { kv, now, monotonic, random, log }: SharedLimiterOptions,
  { onBatch, metrics }: Observer,
) {
  const processId = base64url.encode(random(12));
  const limiter = new Limiter({
    limits: Object.values(LIMITS),
    now,
    // A KV that does not answer ends the start with an error.
    hash: await withKvDeadline(kv, () => openAddressHash(kv, random)),
    seed: new DataView(random(4).buffer).getUint32(0),
    onChange: () => exchange(),
  });
  const exchangeCounts = createCountsExchange(kv, processId, limiter);
  const beat = new Batcher<void, void>({
    run: (_changes, signal) => exchangeCounts(signal),
    gatherMs: BEAT_MS,
    maxBatch: Infinity,
    maxRunning: 1,
    maxWaiting: Infinity,
    deadlineMs: deadlineOf(kv),
    monotonic,
    onRun: onBatch("limits"),
  });
  const exchange = async () => {
    try {
      await beat.add();
    } catch (error) {
      const { message } = error as Error;
      log.warn("limits are counted in memory only, as KV did not answer", { error: message });
    }
  };
  // Counts of earlier processes in the current window still hold.
  const learned = exchange();
  await beat.flush();
  await learned;
  const count: CountRequest = (limit, source) => limiter.count(limit, source);
  const countRequest: CountRequest = !metrics ? count : (limit, source) => {
    const allowance = count(limit, source);
    if (!allowance.allowed) metrics.countRefused(limit.name);
    return allowance;
  };
  return { countRequest, close: () => beat.flush() };
}
