/** The limits of requests and letters, which are counted in memory. `store/limits/` exchanges the counts. @module */
export * from "./limiter.ts";
export { createNetworkLetterLimit } from "./network_letter_limit.ts";
export {
  type AddressHash,
  type ClientAddress,
  ipv4Address,
  ipv6Network,
  UNKNOWN_ADDRESS,
} from "./window_counts.ts";
