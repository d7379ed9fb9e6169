/** UTC days and moments as people and programs write them; a day that no calendar has is none. @module */

/** Whether a text is a UTC day such as `2026-05-01`. `Date.parse()` alone takes 30 February for 2 March. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:T(\d\d):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * Makes a UTC day, or a date-time in any zone, a date-time in UTC; `undefined` for anything else. The result has a year
 * of four digits, because others do not sort as text.
 */
export function parseMoment(text: string): string | undefined {
  const [, day = "", hour = "00"] = MOMENT.exec(text) ?? [];
  // `Date.parse()` takes 24:00 for the beginning of the next day.
  if (!isDay(day) || hour === "24") return undefined;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) return undefined;
  const utc = new Date(moment).toISOString();
  return /^\d/.test(utc) ? utc : undefined;
}
