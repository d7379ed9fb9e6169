import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The source that `X-Forwarded-For` names, where `trustedProxyHops` of n > 0 proxies of the operator's
 * own add to it: the n-th entry from the right (decisions, `TRUSTED_PROXY_HOPS`).
 *
 * @param forwardedFor the header's value, all its lines joined by commas
 * @returns the source, as {@linkcode sourceAddress} writes it; `undefined` where the list is shorter or
 * the entry is no address
 */
export function forwardedSource(
  forwardedFor: string | null,
  trustedProxyHops: number,
): string | undefined {
  const entry = forwardedFor?.split(",").at(-trustedProxyHops)?.trim();
  return entry && sourceAddress(withoutPort(entry));
}

/**
 * Names the source that requests of an address are counted under (decisions, "Limits"): an IPv4
 * address, or the /64 network of an IPv6 address. An IPv4-mapped IPv6 address is the IPv4 address.
 *
 * @returns `undefined` where the text is no address
 */
export function sourceAddress(address: string): string | undefined {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const ipv6 = ipaddr.IPv6.parse(address);
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toString();
  return `${ipv6.parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`;
}

/** Drops the port of `192.0.2.1:443` and the brackets of `[2001:db8::1]:443`. */
function withoutPort(entry: string): string {
  if (!entry.includes(":")) return entry;
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}
