/** What a request names, byte for byte as it was sent, and the client that it counts under. @module */
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { type ClientAddress, ipv4Address, ipv6Network, UNKNOWN_ADDRESS } from "../limits/mod.ts";
import type { ConnectionInfo } from "../runtime/mod.ts";
export type { ConnectionInfo } from "../runtime/mod.ts";

/** The path as it was sent, which Hono would decode. `#` is a character of it, as for a proxy (RFC 9112 §3.2). */
export function rawPath(request: Request): string {
  // A request in absolute form may go without a path: `http://host?query`.
  return /^[^:]*:\/\/[^/?#]*([^?]*)/.exec(request.url)?.[1] || "/";
}

/** The query with its `?`, or an empty text. `URL` would refuse a URL whose `Host` is malformed. */
export const rawQuery = (url: string): string => /^[^?#]*(\?[^#]*)/.exec(url)?.[1] ?? "";

/**
 * Whether software in front of the service may read a path as another one: it has a dot segment (RFC 3986
 * §5.2.4), a backslash, or an encoded dot, slash or backslash. A proxy that normalizes paths only to decide
 * would take `/operator/v1/..%2f..%2fx` for `/x` and let it through.
 */
export function isAmbiguousPath(path: string): boolean {
  return /\\|%(?:2e|2f|5c)|\/\.{1,2}(?:\/|$)/i.test(path);
}

/**
 * Whether `Host` is no more than a host and a port; it may be empty or absent. Deno copies it into the URL:
 * with `Host: x/sandbox`, `/api/v1/waitlist` becomes `/sandbox/api/v1/waitlist`, which no proxy has seen.
 */
export function hasPlainAuthority(request: Request): boolean {
  // HTTP/2 has no `Host`; Deno copies its `:authority` into the URL.
  const host = request.headers.get("host") ?? /^[^:]*:\/\/([^/?#]*)/.exec(request.url)?.[1] ?? "";
  return PLAIN_AUTHORITY.test(host);
}

const PLAIN_AUTHORITY = /^(?:(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?)?$/;

/** The media type, lower-cased and without parameters (RFC 9110 §8.3.1); empty where the header is absent. */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return "";
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/**
 * Makes what finds the address that a request counts under: the n-th from the right of `X-Forwarded-For` for n > 0
 * hops, or else the socket's; of IPv6 the /64 network. Reading either takes time, so only what is needed is read.
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
    return parseAddress(info.remoteAddr.hostname) || UNKNOWN_ADDRESS;
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

/** Reads an IP address, of IPv6 its /64 network; `undefined` for other text. */
export function parseAddress(address: string): ClientAddress | undefined {
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

/** The 32 bits of an IPv4 address, in 30 ns for each request; `isIPv4` and `ipaddr.js` take 350 ns. */
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
