/**
 * Returns a URL or a path for a message, with `…` in place of the parts that may be a secret: everything before the
 * last `@` if there is a `:` before this `@`, the query, and the fragment. The text is not parsed, because a mistyped
 * URL cannot be parsed.
 *
 * @param options.path whether to show the path; false for a URL whose path is a secret, such as a webhook's
 */
export function redactUrl(text: string, { path = true } = {}): string {
  const shown = text.replace(/^.*:.*@/s, "…@").replace(/([?#]).+$/s, "$1…");
  const [start] = /^(?:[a-z0-9+.-]*:)?\/{0,2}/i.exec(shown)!;
  const slash = shown.indexOf("/", start.length);
  return path || slash < 0 || slash === shown.length - 1 ? shown : `${shown.slice(0, slash + 1)}…`;
}
