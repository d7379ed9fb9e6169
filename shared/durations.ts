/** A minute in milliseconds. */
export const MINUTE = 60_000;
/** An hour in milliseconds. */
export const HOUR = 60 * MINUTE;
/** A day of 24 hours in milliseconds. */
export const DAY = 24 * HOUR;
