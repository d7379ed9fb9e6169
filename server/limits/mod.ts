/**
 * The limits whose counts are in memory: the limits on the requests of a client address, and the limit on the letters
 * that one client network causes. `store/limits/` exchanges the counts of requests between processes. @module
 */
export { type ClientAddress, ipv4Address, ipv6Network, UNKNOWN_ADDRESS } from "./client_address.ts";
export {
  type Allowance,
  type CountRequest,
  EXCHANGE_MS,
  type Limit,
  Limiter,
  LIMITS,
  type SharedCounts,
  WINDOW_SECONDS,
} from "./limiter.ts";
export { createNetworkLetterLimit } from "./network_letter_limit.ts";
export type { AddressHash } from "./window_counts.ts";
