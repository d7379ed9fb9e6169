/**
 * Returns a URL or a path for a message, with `…` in place of the parts that may be a secret: everything before the
 * last `@` if there is a `:` before this `@`, the query, and the fragment. The text is not parsed, because a mistyped
 * URL cannot be parsed.
 *
 * @param options.path whether to show the path; false for a URL whose path is a secret, such as a webhook's
 */
export function redactUrl(text: string, { path: showsPath = true } = {}): string {
  const withoutUser = text.replace(/^.*:.*@/s, "…@");
  const withoutQuery = withoutUser.replace(/([?#]).+$/s, "$1…");
  if (showsPath) return withoutQuery;
  // The path begins at the first slash behind the scheme and the slashes of the scheme.
  const [schemeWithSlashes] = /^(?:[a-z0-9+.-]*:)?\/{0,2}/i.exec(withoutQuery)!;
  const pathStart = withoutQuery.indexOf("/", schemeWithSlashes.length);
  const hasPath = pathStart >= 0 && pathStart < withoutQuery.length - 1;
  return hasPath ? `${withoutQuery.slice(0, pathStart + 1)}…` : withoutQuery;
}
