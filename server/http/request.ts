/**
 * What a request names, as it was sent: its host, path and query; and the client that it counts under. Paths are
 * compared byte for byte.
 *
 * @module
 */
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { type ClientAddress, ipv4Address, ipv6Network, UNKNOWN_ADDRESS } from "../limits/mod.ts";

/**
 * The path of a request: not decoded, not normalized, without the query. Hono decodes paths before it compares them,
 * but the contract's paths are compared byte for byte. A target has no fragment (RFC 9112 §3.2), so that a number
 * sign is a character of the path, as it is for a proxy that reads on.
 */
export function rawPath(request: Request): string {
  // A request in absolute form may go without a path: `http://host?query`.
  return /^[^:]*:\/\/[^/?#]*([^?]*)/.exec(request.url)?.[1] || "/";
}

/**
 * The query of a URL with its `?`; an empty text where there is none. The URL is not parsed, as `URL` refuses that of
 * a request whose `Host` is malformed.
 */
export function rawQuery(url: string): string {
  return /^[^?#]*(\?[^#]*)/.exec(url)?.[1] ?? "";
}

/**
 * Whether software in front of the service may read a path as another one: it has a dot segment (RFC 3986 §5.2.4), a
 * backslash, or a dot, slash or backslash that is percent-encoded. A proxy that normalizes paths before it decides,
 * but passes them on as they came, would take `/operator/v1/..%2f..%2fx` for `/x` and let it through.
 */
export function isAmbiguousPath(path: string): boolean {
  return /\\|%(?:2e|2f|5c)|\/\.{1,2}(?:\/|$)/i.test(path);
}

/**
 * Whether the `Host` of a request is no more than a host and a port; it may be empty or absent. Deno copies `Host`
 * into the URL of the request: with `Host: x/sandbox`, the path `/api/v1/waitlist` becomes
 * `/sandbox/api/v1/waitlist`, which is not the path that a proxy has seen. The URL does not show where the host
 * ended, so that the header of every request is read.
 */
export function hasPlainAuthority(request: Request): boolean {
  // HTTP/2 has no `Host`; Deno copies its `:authority` into the URL.
  const host = request.headers.get("host") ?? /^[^:]*:\/\/([^/?#]*)/.exec(request.url)?.[1] ?? "";
  return PLAIN_AUTHORITY.test(host);
}

const PLAIN_AUTHORITY = /^(?:(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?)?$/;

/**
 * The media type of a `Content-Type` value, lower-cased and without its parameters (RFC 9110 §8.3.1); an empty text
 * where the header is absent.
 */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return "";
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** What the runtime says about the connection of a request. */
export type ConnectionInfo = Pick<Deno.ServeHandlerInfo, "remoteAddr">;

/**
 * Makes the function that finds the client address that a request is counted under (decisions, "Limits" and
 * `TRUSTED_PROXY_HOPS`).
 *
 * Where `trustedProxyHops` is n > 0, it is the n-th entry from the right of `X-Forwarded-For`. If the list is
 * shorter, or the entry is no address, the address of the socket counts. Header and socket are read only where they
 * are needed, as reading them takes time.
 *
 * @returns an IPv4 address, or the /64 network of an IPv6 address; an IPv4-mapped IPv6 address is the IPv4 address.
 * A socket without an IP address is unknown.
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
 * Reads the 32 bits of an IPv4 address in its plain form, four decimal numbers without leading zeros. Every request
 * needs this: finding its address takes 30 ns, and 350 ns with `isIPv4` and `ipaddr.js`.
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
