/**
 * The limiter of requests. Its counts include the counts of other processes. `limits/` has the rules of counting,
 * `counts_exchange.ts` writes and reads the counts in KV, and `address_hash.ts` hashes the addresses. @module
 */
import { Buffer } from "node:buffer";
import { base64url } from "jose";
import { type CountRequest, EXCHANGE_MS, Limiter } from "../../limits/mod.ts";
import type { Observer } from "../../observe/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { Batcher, type Kv } from "../kv/mod.ts";
import { openAddressHash } from "./address_hash.ts";
import { createCountsExchange } from "./counts_exchange.ts";

/** The length of the random id of this process, in bytes. */
const PROCESS_ID_BYTES = 12;

/** What a shared limiter needs. */
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
  const processId = base64url.encode(random(PROCESS_ID_BYTES));
  const limiter = new Limiter({
    now,
    hash: await openAddressHash(kv, random),
    seed: Buffer.from(random(4)).readUInt32BE(),
    onChange: () => exchangeSoon(),
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
  function exchangeSoon(): Promise<void> {
    // The `!` holds, because the batcher refuses no call: the number of waiting calls has no limit.
    return exchanges.add()!.catch(({ message }: Error) => {
      log.warn(
        "limits may allow too many requests, because processes could not exchange their counts through KV",
        { error: message },
      );
    });
  }

  /** Exchanges counts without the delay of `EXCHANGE_MS`. */
  async function exchangeNow(): Promise<void> {
    const exchanged = exchangeSoon();
    await exchanges.flush();
    await exchanged;
  }

  const countRequest: CountRequest = (limit, address, isCounted = true) => {
    const allowance = limiter.countRequest(limit, address, isCounted);
    if (!allowance.allowed && isCounted) metrics?.countRefused(limit.name);
    return allowance;
  };
  // Reads counts at the start, because the counts of earlier processes in the current window still apply.
  await exchangeNow();
  return { countRequest, close: () => exchanges.flush() };
}
