/** Reads the path, the host and the client address of a request, without any normalization of the path. @module */
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { type ClientAddress, ipv4Address, ipv6Network, UNKNOWN_ADDRESS } from "../limits/mod.ts";
import type { ConnectionInfo } from "../runtime/mod.ts";
export type { ConnectionInfo } from "../runtime/mod.ts";

/**
 * Gives the path of a request, not decoded. A `#` is a part of the path, because proxies read it in the same way (RFC
 * 9112 §3.2).
 */
export function rawPath(request: Request): string {
  // A request in absolute form may have no path, as in `http://host?query`.
  return /^[^:]*:\/\/[^/?#]*([^?]*)/.exec(request.url)?.[1] || "/";
}

/**
 * Gives the query of a URL with the `?`; an empty text if there is no query. `URL` is not used, because it refuses a
 * malformed host.
 */
export const rawQuery = (url: string): string => /^[^?#]*(\?[^#]*)/.exec(url)?.[1] ?? "";

/**
 * Whether a proxy in front of the service may read a path as another path. Such a path has a dot segment (RFC 3986
 * §5.2.4), a backslash, or an encoded dot, slash or backslash. For example, a proxy that blocks `/operator/` may read
 * `/operator/v1/..%2f..%2fx` as `/x`, and pass on the path unchanged.
 */
export function isAmbiguousPath(path: string): boolean {
  return /\\|%(?:2e|2f|5c)|\/\.{1,2}(?:\/|$)/i.test(path);
}

/**
 * Whether `Host` is a host with an optional port, or empty, or absent. Any other value is dangerous, because Deno
 * copies `Host` into the URL: with `Host: x/sandbox`, the path `/api/v1/waitlist` becomes `/sandbox/api/v1/waitlist`, a
 * path that no proxy in front of the service could check.
 */
export function hasPlainAuthority(request: Request): boolean {
  // An HTTP/2 request has `:authority` instead of `Host`. Deno copies `:authority` into the URL, so the host is read
  // from the URL.
  const host = request.headers.get("host") ?? /^[^:]*:\/\/([^/?#]*)/.exec(request.url)?.[1] ?? "";
  return PLAIN_AUTHORITY.test(host);
}

const PLAIN_AUTHORITY = /^(?:(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?)?$/;

/**
 * Gives the media type in the value of `Content-Type`, in lower case and without parameters (RFC 9110 §8.3.1). It is
 * empty if the header is absent.
 */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return "";
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/**
 * Makes the function that finds the client address of a request. With n > 0 trusted proxies, the client address is the
 * n-th entry of `X-Forwarded-For`, counted from the right. For n = 0, or if there is no such entry, it is the IP
 * address at the other end of the connection.
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

/**
 * Gives the n-th entry of `X-Forwarded-For`, counted from the right and without a port; an empty text if there are
 * fewer entries.
 */
function entryOf(forwardedFor: string, n: number): string {
  // The text is not split in the usual case of one entry, to save time.
  const entry = n === 1 && !forwardedFor.includes(",")
    ? forwardedFor
    : forwardedFor.split(",").at(-n)?.trim() ?? "";
  return entry.includes(":") ? withoutPort(entry) : entry;
}

/** Removes the port from `192.0.2.1:443`, and the port and the brackets from `[2001:db8::1]:443`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

/** Parses an IP address to a client address (the /64 network of an IPv6 address); `undefined` for any other text. */
export function parseAddress(address: string): ClientAddress | undefined {
  const bits = parseIPv4(address);
  if (bits !== undefined) return ipv4Address(bits);
  // Both checks are needed. An IPv6 address may have a zone, such as `%eth-0`, and each check accepts some zones that
  // the other check refuses.
  if (!isIPv6(address) || !ipaddr.IPv6.isValid(address)) return undefined;
  const ipv6 = ipaddr.IPv6.parse(address);
  if (!ipv6.isIPv4MappedAddress()) return ipv6Network(ipv6.parts);
  return parseAddress(ipv6.toIPv4Address().toString());
}

const DOT = ".".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

/**
 * Parses an IPv4 address to its 32 bits; `undefined` for any other text. It takes 30 ns, while `isIPv4` and `ipaddr.js`
 * would take 350 ns.
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
      // The text is refused, because the character is no digit or the part has a leading zero.
      if (digit < 0 || digit > 9 || part === 0) return undefined;
      part = part < 0 ? digit : 10 * part + digit;
      if (part > 255) return undefined;
    }
  }
  return dots === 3 && part >= 0 ? (bits << 8 | part) >>> 0 : undefined;
}
