/**
 * What a request names, as it was sent: its host, path and query. Paths are compared byte for byte.
 *
 * @module
 */

/**
 * The path of a request as it was sent: not decoded, not normalized, without query and fragment.
 * Hono decodes paths before it matches them, but the contract's are matched byte for byte.
 */
export function rawPath(request: Request): string {
  // A request in absolute form may go without a path: `http://host?query`.
  return /^[^:]*:\/\/[^/?#]*([^?#]*)/.exec(request.url)?.[1] || "/";
}

/**
 * Whether software in front of the service may take a path for another one: it has a dot segment
 * (RFC 3986 §5.2.4), a backslash, or a dot, slash or backslash that is percent-encoded. A proxy that
 * decodes or normalizes paths before it decides, and passes them on as they came, would let
 * `/operator/v1/..%2f..%2fx` through as `/x`.
 */
export function isAmbiguousPath(path: string): boolean {
  return /\\|%(?:2e|2f|5c)|\/\.{1,2}(?:\/|$)/i.test(path);
}

/**
 * The query of a request's URL as it was sent, with its `?`; empty where there is none. It is cut out of the
 * text, as a request whose `Host` is malformed has a URL that cannot be parsed.
 */
export function rawQuery(url: string): string {
  return /^[^?#]*(\?[^#]*)/.exec(url)?.[1] ?? "";
}

/**
 * Whether the `Host` of a request is only a host and perhaps a port, empty, or absent. Deno builds the
 * URL of a request from it as it is: with `Host: x/sandbox`, the path `/api/v1/waitlist` reads as
 * `/sandbox/api/v1/waitlist`, and a proxy that decides by the path has seen another one. The URL alone
 * does not show where the host ended, so every request's header is read.
 */
export function hasPlainAuthority(request: Request): boolean {
  const host = request.headers.get("host");
  return host === null || PLAIN_AUTHORITY.test(host);
}

const PLAIN_AUTHORITY = /^(?:(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?)?$/;
