/**
 * Reads the path, the query, the host and the media type of a request. The path is not normalized. `client_address.ts`
 * finds the client address. @module
 */

/** A host name, an IPv4 address or an IPv6 address in brackets, each with an optional port; or an empty text. */
const PLAIN_AUTHORITY = /^(?:(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?)?$/;

/**
 * Gives the path in the URL of a request, not decoded. A `#` counts as a part of the path, as it does for proxies
 * (RFC 9112 §3.2).
 */
export function rawPath(url: string): string {
  // A request in absolute form may have no path, as in `http://host?query`.
  return /^[^:]*:\/\/[^/?#]*([^?]*)/.exec(url)?.[1] || "/";
}

/**
 * Gives the query in the URL of a request, with the `?`; an empty text if there is no query. A `?` behind a `#` begins
 * no query. `URL` is not used, because it refuses a malformed host.
 */
export function rawQuery(url: string): string {
  return /^[^?#]*(\?[^#]*)/.exec(url)?.[1] ?? "";
}

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

/**
 * Gives the media type in the value of `Content-Type`, in lower case and without parameters (RFC 9110 §8.3.1). It is
 * empty if the header is absent.
 */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return "";
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
