/**
 * The path of a request as it was sent: not decoded, not normalized, without query and fragment.
 * Hono decodes paths before it matches them, but the contract's are matched byte for byte.
 */
export function rawPath(request: Request): string {
  // A request in absolute form may go without a path: `http://host?query`.
  return /^[^:]*:\/\/[^/?#]*([^?#]*)/.exec(request.url)?.[1] || "/";
}

/**
 * The query of a request's URL as it was sent, with its `?`; empty where there is none. It is cut out of the
 * text, as a request whose `Host` is malformed has a URL that cannot be parsed.
 */
export function rawQuery(url: string): string {
  return /^[^?#]*(\?[^#]*)/.exec(url)?.[1] ?? "";
}
