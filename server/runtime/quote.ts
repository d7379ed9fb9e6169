/** Quotes values of requests in messages. @module */

/** How many characters of a value are shown at most. */
const MAX_SHOWN_LENGTH = 40;

/** Quotes a value of a request for a message. A long value is cut, and broken Unicode is repaired. */
export function quote(value: unknown): string {
  if (typeof value !== "string") {
    return JSON.stringify(value)?.slice(0, MAX_SHOWN_LENGTH).toWellFormed() ?? "absent";
  }
  const shown = value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value;
  return `'${shown}'`.toWellFormed();
}
