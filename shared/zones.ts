/**
 * Names of time zones. The module needs no `Temporal`, which Deno 2.5 does not have.
 *
 * @module
 */

/** Whether a text is the IANA name of a zone, such as `Europe/Berlin`, and not a fixed offset such as `+02:00`. */
export function isZone(text: string): boolean {
  try {
    return /^[A-Za-z]/.test(text) && !!new Intl.DateTimeFormat("en", { timeZone: text });
  } catch {
    return false;
  }
}
