/**
 * The address that requests are counted under: an IPv4 address, or the /64 network of an IPv6 address, as
 * two unsigned 32-bit words. In a flood of addresses, numbers take less memory than texts.
 *
 * @module
 */

/** The 64 bits by which one client address differs from another. */
export interface ClientAddress {
  readonly high: number;
  readonly low: number;
}

/** An IPv4 address of 32 bits. It takes the place of an IPv6 network that nobody is ever given. */
export function ipv4Address(address: number): ClientAddress {
  return { high: 0xffff, low: address };
}

/** The /64 network of an IPv6 address, from the first four of the address's 16-bit parts. */
export function ipv6Network([a = 0, b = 0, c = 0, d = 0]: number[]): ClientAddress {
  return { high: (a << 16 | b) >>> 0, low: (c << 16 | d) >>> 0 };
}

/** What a connection without an IP address is counted under. */
export const UNKNOWN_ADDRESS: ClientAddress = { high: 0xffffffff, low: 0xffffffff };
