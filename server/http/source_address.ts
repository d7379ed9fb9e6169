import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Where a request came from. Either costs time to read, so it is read only where it is needed. */
export interface Caller {
  /** The address of the socket's other end. */
  socketAddress: () => string;
  /** The value of `X-Forwarded-For`, all its lines joined by commas. */
  forwardedFor: () => string | null;
}

/**
 * Names the source that a request is counted under (decisions, "Limits" and `TRUSTED_PROXY_HOPS`).
 *
 * With `trustedProxyHops` of n > 0 that is the n-th entry from the right of `X-Forwarded-For`; a list
 * that is shorter, or an entry that is no address, falls back to the socket's address. With 0 the
 * header is ignored.
 *
 * @returns an IPv4 address, or the /64 network of an IPv6 address; an IPv4-mapped IPv6 address is
 * the IPv4 address. A socket without an IP address is `unknown`.
 */
export function sourceAddress(caller: Caller, trustedProxyHops: number): string {
  if (trustedProxyHops > 0) {
    const entry = caller.forwardedFor()?.split(",").at(-trustedProxyHops)?.trim();
    const source = entry && normalize(withoutPort(entry));
    if (source) return source;
  }
  return normalize(caller.socketAddress()) ?? "unknown";
}

/** Drops the port of `192.0.2.1:443` and the brackets of `[2001:db8::1]:443`. */
function withoutPort(entry: string): string {
  if (!entry.includes(":")) return entry;
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

function normalize(address: string): string | undefined {
  if (isIPv4(address)) return address;
  // Of a zone such as `%eth-0` the two have different opinions.
  if (!isIPv6(address) || !ipaddr.IPv6.isValid(address)) return undefined;
  const ipv6 = ipaddr.IPv6.parse(address);
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toString();
  return `${ipv6.parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`;
}
