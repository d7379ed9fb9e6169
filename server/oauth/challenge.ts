/**
 * Makes the value of a `WWW-Authenticate` header, `scheme name="value", …` (RFC 9110 §11.6.1). Double quotes
 * and backslashes in values become single quotes and slashes; no value of the service needs them.
 */
export function challenge(scheme: "Basic" | "Bearer", parameters: Record<string, string>): string {
  const pairs = Object.entries(parameters)
    .map(([name, value]) => `${name}="${toQuotable(value)}"`);
  return `${scheme} ${pairs.join(", ")}`;
}

/**
 * Replaces the characters that are not allowed in `error_description` (RFC 6749 §5.2, RFC 6750 §3), which
 * takes visible ASCII and spaces without `"` and `\`.
 */
export function toQuotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll("\\", "/").replace(/[^\x20-\x7e]/g, "?");
}
