/**
 * Shows an address or a path in a message without what may be a secret: what stands before an `@`, in a query or in a
 * fragment, also in an address that is mistyped.
 *
 * @module
 */

/** @param options.path false where a path may be a secret, such as that of a webhook */
export function shownAddress(text: string, { path = true } = {}): string {
  const shown = text.replace(/^.*:.*@/s, "…@").replace(/([?#]).+$/s, "$1…");
  const [start] = /^(?:[a-z0-9+.-]*:)?\/{0,2}/i.exec(shown)!;
  const slash = shown.indexOf("/", start.length);
  return path || slash < 0 || slash === shown.length - 1 ? shown : `${shown.slice(0, slash + 1)}…`;
}
