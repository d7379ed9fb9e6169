/** The limits of requests and letters: fixed windows, counted in memory. The store shares the counts. @module */
export * from "./limiter.ts";
export { createNetworkLetterLimit } from "./network_letter_limit.ts";
export { type AddressHash, type ClientAddress, ipv4Address, ipv6Network } from "./window_counts.ts";
export { UNKNOWN_ADDRESS } from "./window_counts.ts";
