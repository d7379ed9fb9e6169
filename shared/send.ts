import type { Result } from "./api_failure.ts";
import { exchange, type ExchangeOptions } from "./exchange.ts";
import { readAnswer } from "./read_answer.ts";

/** A clock: milliseconds since 1970, and a wait that a signal cuts short. */
export interface Clock {
  now: () => number;
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** What requests are sent with. */
export interface SendOptions extends ExchangeOptions {
  /** The longest sum of `Retry-After` that one call waits out, in milliseconds. */
  maxWait: number;
  clock: Clock;
}

/**
 * Sends a request for JSON, and again after a 408, 429 or 5xx whose `Retry-After` is within the bound;
 * every operation of the API may be repeated.
 */
export async function send(request: Request, options: SendOptions): Promise<Result<unknown>> {
  const { clock, maxWait } = options;
  for (let waited = 0;;) {
    const { answer, error } = await exchange(request.clone(), options);
    if (error) return { error };
    const read = readAnswer(answer, request.url, clock.now());
    if (!read.error) return { data: read.json, headers: answer.headers };
    const seconds = "retryAfter" in read.error ? read.error.retryAfter : undefined;
    if (seconds === undefined) return read;
    // At least a second, so that a service that says 0 is not called in a tight loop.
    const pause = Math.max(1, seconds) * 1000;
    waited += pause;
    if (waited > maxWait) return read;
    await clock.wait(pause, request.signal);
  }
}
