/** Makes values of the header `WWW-Authenticate`, and texts for `error_description`. @module */

/** Makes the value of a `WWW-Authenticate` header, `scheme name="value", …` (RFC 9110 §11.6.1). */
export function makeChallenge(
  scheme: "Basic" | "Bearer",
  parameters: Record<string, string>,
): string {
  const pairs = Object.entries(parameters)
    .map(([name, value]) => `${name}="${toQuotable(value)}"`);
  return `${scheme} ${pairs.join(", ")}`;
}

/**
 * Replaces the characters that `error_description` must not have. It may have printable ASCII characters and spaces,
 * except `"` and `\` (RFC 6749 §5.2, RFC 6750 §3).
 */
export function toQuotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll("\\", "/").replace(/[^\x20-\x7e]/g, "?");
}
