/**
 * Limits on requests per address address: fixed windows of a minute, aligned to the clock's minute, so
 * that several processes agree on them without talking (decisions, "Limits").
 *
 * @module
 */
import type { ClientAddress } from "../client_address.ts";

/** The length of a window, in seconds. */
export const WINDOW_SECONDS = 60;

/** A limit, with a window of its own for each address address. */
export interface Limit {
  name: "status" | "sandbox" | "default" | "operator" | "pages";
  /** Requests allowed in a window. */
  requests: number;
  /** How `RateLimit-Policy` says so (decisions, "Limits"); every answer carries it. */
  policy: string;
}

function limit(name: Limit["name"], requests: number): Limit {
  return { name, requests, policy: `${requests};w=${WINDOW_SECONDS}` };
}

/** The contract's limits ("Limits"), the operator's, and that of all that is no API (decisions, "Limits"). */
export const LIMITS = {
  /** GET and HEAD on production's status. */
  status: limit("status", 120),
  /** Every sandbox call. */
  sandbox: limit("sandbox", 120),
  /** Every other call. */
  default: limit("default", 30),
  /** Calls of the operator surface with the right key. */
  operator: limit("operator", 600),
  /** Pages, discovery documents and the OpenAPI document. */
  pages: limit("pages", 1_200),
} satisfies Record<string, Limit>;

/** What the limit says of one request. */
export interface Allowance {
  allowed: boolean;
  limit: Limit;
  /** Requests left in the window, after this one. */
  remaining: number;
  /** Whole seconds until the window ends, 1 to 60. */
  reset: number;
}

/** Counts a request of a address address and says whether it is allowed. */
export type CountRequest = (limit: Limit, address: ClientAddress) => Allowance;
