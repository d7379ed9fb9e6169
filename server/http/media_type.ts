/**
 * The media type of a `Content-Type` value, lower-cased and without its parameters
 * (RFC 9110 §8.3.1); an empty string where the header is absent.
 */
export function mediaType(contentType: string | null): string {
  if (contentType === null) return "";
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** The media type of HTML forms and of OAuth token requests. */
export const FORM = "application/x-www-form-urlencoded";

/** The media type of JSON. */
export const JSON_TYPE = "application/json";
