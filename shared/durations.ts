/** In milliseconds. */
export const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
