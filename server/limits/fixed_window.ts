/**
 * Limits on requests per source address: fixed windows of a minute, aligned to the clock's minute, so
 * that several processes agree on them without talking (decisions, "Limits").
 *
 * @module
 */

/** The length of a window, in seconds. */
export const WINDOW_SECONDS = 60;

/** A limit, with a window of its own for each source address. */
export interface Limit {
  name: "status" | "sandbox" | "default";
  /** Requests allowed in a window. */
  requests: number;
}

/** The contract's limits ("Limits"). */
export const LIMITS = {
  /** GET and HEAD on production's status. */
  status: { name: "status", requests: 120 },
  /** Every sandbox call. */
  sandbox: { name: "sandbox", requests: 120 },
  /** Every other call. */
  default: { name: "default", requests: 30 },
} as const satisfies Record<string, Limit>;

/** What the limit says of one request. */
export interface Allowance {
  allowed: boolean;
  limit: Limit;
  /** Requests left in the window, after this one. */
  remaining: number;
  /** Whole seconds until the window ends, 1 to 60. */
  reset: number;
}

/** Counts a request of a source address and says whether it is allowed. */
export type CountRequest = (limit: Limit, source: string) => Allowance;

/**
 * Makes the counter of requests. A refused request is not counted, so a count never passes its limit.
 *
 * @param now the clock, in milliseconds since 1970
 */
export function createLimiter(now: () => number): CountRequest {
  let window = -1;
  let counts = new Map<string, number>();
  return (limit, source) => {
    const moment = now();
    const current = Math.floor(moment / (WINDOW_SECONDS * 1000));
    if (current !== window) {
      window = current;
      counts = new Map();
    }
    const key = `${limit.name} ${source}`;
    const count = counts.get(key) ?? 0;
    const allowed = count < limit.requests;
    if (allowed) counts.set(key, count + 1);
    return {
      allowed,
      limit,
      remaining: limit.requests - count - (allowed ? 1 : 0),
      reset: WINDOW_SECONDS - Math.floor(moment / 1000) % WINDOW_SECONDS,
    };
  };
}
