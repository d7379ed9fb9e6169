/**
 * Client addresses, under which requests and letters are counted. A client address is an IPv4 address or the /64
 * network of an IPv6 address. It is stored as two numbers and not as a text, to save memory in a flood of addresses.
 * `http/client_address.ts` finds the client address of a request. @module
 */

/** A client address as two unsigned 32-bit numbers. */
export interface ClientAddress {
  readonly high: number;
  readonly low: number;
}

/** The member `high` of each IPv4 address. No IPv6 network that is in use has this number. */
const IPV4_HIGH = 0xffff;

/** Gives the client address of an IPv4 address. @param bits the IPv4 address as a number of 32 bits */
export const ipv4Address = (bits: number): ClientAddress => ({ high: IPV4_HIGH, low: bits });

/** Whether a client address is an IPv4 address. If so, `low` has the 32 bits of the address. */
export const isIpv4 = ({ high }: ClientAddress): boolean => high === IPV4_HIGH;

/**
 * Gives the client address of an IPv6 address: its /64 network.
 * @param groups the groups of the address, of 16 bits each; only the first four are used
 */
export function ipv6Network(groups: number[]): ClientAddress {
  const [first = 0, second = 0, third = 0, fourth = 0] = groups;
  return { high: (first << 16 | second) >>> 0, low: (third << 16 | fourth) >>> 0 };
}

/** The client address of a connection without an IP address. */
export const UNKNOWN_ADDRESS: ClientAddress = { high: 0xffffffff, low: 0xffffffff };
