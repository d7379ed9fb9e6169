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
  name: "status" | "sandbox" | "default" | "operator";
  /** Requests allowed in a window. */
  requests: number;
}

/** The contract's limits ("Limits"), and the operator's (decisions, "Operator surface"). */
export const LIMITS = {
  /** GET and HEAD on production's status. */
  status: { name: "status", requests: 120 },
  /** Every sandbox call. */
  sandbox: { name: "sandbox", requests: 120 },
  /** Every other call. */
  default: { name: "default", requests: 30 },
  /** Calls of the operator surface with the right key. */
  operator: { name: "operator", requests: 600 },
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
