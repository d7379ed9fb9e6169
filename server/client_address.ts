/**
 * Who requests are counted for: an IPv4 address, or the /64 network of an IPv6 address, as two unsigned
 * 32-bit words. Numbers take no memory of their own, where a flood of addresses as text would.
 *
 * @module
 */

/** The 64 bits that a source is told from others by. */
export interface ClientAddress {
  readonly high: number;
  readonly low: number;
}

/** An IPv4 address of 32 bits. It stands among networks of IPv6 where none is ever given out. */
export function ipv4Address(address: number): ClientAddress {
  return { high: 0xffff, low: address };
}

/** The /64 network of an IPv6 address, by the address's first four parts of 16 bits. */
export function ipv6Network([a = 0, b = 0, c = 0, d = 0]: number[]): ClientAddress {
  return { high: (a << 16 | b) >>> 0, low: (c << 16 | d) >>> 0 };
}

/** What a connection without an IP address is counted as. */
export const UNKNOWN_ADDRESS: ClientAddress = { high: 0xffffffff, low: 0xffffffff };
