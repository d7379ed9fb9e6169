import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { type ClientAddress, ipv4Address, ipv6Network, UNKNOWN_ADDRESS } from "../limits/mod.ts";

/** What the runtime says about the connection of a request. */
export type ConnectionInfo = Pick<Deno.ServeHandlerInfo, "remoteAddr">;

/**
 * Makes the function that finds the client address that a request is counted under (decisions, "Limits"
 * and `TRUSTED_PROXY_HOPS`).
 *
 * Where `trustedProxyHops` is n > 0, it is the n-th entry from the right of `X-Forwarded-For`. If the list
 * is shorter, or the entry is no address, the address of the socket counts. Where it is 0, the header is
 * ignored. Header and socket are read only where they are needed, as reading them takes time.
 *
 * @returns an IPv4 address, or the /64 network of an IPv6 address; an IPv4-mapped IPv6 address is
 * the IPv4 address. A socket without an IP address is unknown.
 */
export function clientAddress(
  trustedProxyHops: number,
): (request: Request, info: ConnectionInfo) => ClientAddress {
  return (request, info) => {
    if (trustedProxyHops > 0) {
      const forwardedFor = request.headers.get("x-forwarded-for");
      const address = forwardedFor && parseAddress(entryOf(forwardedFor, trustedProxyHops));
      if (address) return address;
    }
    const { remoteAddr } = info;
    return "hostname" in remoteAddr && parseAddress(remoteAddr.hostname) || UNKNOWN_ADDRESS;
  };
}

/** The n-th entry from the right, without its port; empty where there are fewer. */
function entryOf(forwardedFor: string, n: number): string {
  // Usually there is only the proxy's entry.
  const entry = n === 1 && !forwardedFor.includes(",")
    ? forwardedFor
    : forwardedFor.split(",").at(-n)?.trim() ?? "";
  return entry.includes(":") ? withoutPort(entry) : entry;
}

/** Drops the port of `192.0.2.1:443` and the brackets of `[2001:db8::1]:443`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

function parseAddress(address: string): ClientAddress | undefined {
  const bits = parseIPv4(address);
  if (bits !== undefined) return ipv4Address(bits);
  // Both must accept the address, as they differ on zones such as `%eth-0`.
  if (!isIPv6(address) || !ipaddr.IPv6.isValid(address)) return undefined;
  const ipv6 = ipaddr.IPv6.parse(address);
  if (!ipv6.isIPv4MappedAddress()) return ipv6Network(ipv6.parts);
  return parseAddress(ipv6.toIPv4Address().toString());
}

const DOT = ".".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

/**
 * Reads the 32 bits of an IPv4 address in its plain form, four decimal numbers without leading zeros. Every
 * request needs this: finding its address takes 30 ns, and 350 ns with `isIPv4` and `ipaddr.js`.
 */
function parseIPv4(text: string): number | undefined {
  let bits = 0;
  let dots = 0;
  let part = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (part < 0 || ++dots > 3) return undefined;
      bits = bits << 8 | part;
      part = -1;
    } else {
      const digit = code - ZERO;
      // No digit, or one behind a leading zero.
      if (digit < 0 || digit > 9 || part === 0) return undefined;
      part = part < 0 ? digit : 10 * part + digit;
      if (part > 255) return undefined;
    }
  }
  return dots === 3 && part >= 0 ? (bits << 8 | part) >>> 0 : undefined;
}
