/**
 * What a request names, as it was sent: its host, path and query. Paths are compared byte for byte.
 *
 * @module
 */

/**
 * The path of a request as it was sent: not decoded, not normalized, without the query. Hono decodes paths
 * before it compares them, but the contract's paths are compared byte for byte. A target has no fragment
 * (RFC 9112 §3.2), so that a number sign is a character of the path, as it is for a proxy that reads on.
 */
export function rawPath(request: Request): string {
  // A request in absolute form may go without a path: `http://host?query`.
  return /^[^:]*:\/\/[^/?#]*([^?]*)/.exec(request.url)?.[1] || "/";
}

/**
 * Whether software in front of the service may read a path as another one. Such a path has a dot segment
 * (RFC 3986 §5.2.4), a backslash, or a dot, slash or backslash that is percent-encoded. A proxy that
 * normalizes paths before it decides, but passes them on as they came, would take
 * `/operator/v1/..%2f..%2fx` for `/x` and let it through.
 */
export function isAmbiguousPath(path: string): boolean {
  return /\\|%(?:2e|2f|5c)|\/\.{1,2}(?:\/|$)/i.test(path);
}

/**
 * The query of a URL as it was sent, with its `?`; an empty text where there is none. The URL is not
 * parsed, as `URL` refuses that of a request whose `Host` is malformed.
 */
export function rawQuery(url: string): string {
  return /^[^?#]*(\?[^#]*)/.exec(url)?.[1] ?? "";
}

/**
 * Whether the `Host` of a request is no more than a host and a port; it may be empty or absent. Deno copies
 * `Host` into the URL of the request: with `Host: x/sandbox`, the path `/api/v1/waitlist` becomes
 * `/sandbox/api/v1/waitlist`, which is not the path that a proxy has seen. The URL does not show where the
 * host ended, so that the header of every request is read.
 */
export function hasPlainAuthority(request: Request): boolean {
  // HTTP/2 has no `Host`; Deno copies its `:authority` into the URL.
  const host = request.headers.get("host") ?? authorityOf(request.url);
  return PLAIN_AUTHORITY.test(host);
}

function authorityOf(url: string): string {
  return /^[^:]*:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
}

const PLAIN_AUTHORITY = /^(?:(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?)?$/;
