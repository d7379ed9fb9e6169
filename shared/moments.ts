/**
 * Checks UTC days and date-times that are given as text, and calculates with them. A day that is not in the calendar is
 * refused, because `Date.parse()` alone would read 30 February as 2 March.
 *
 * @module
 */
import { DAY } from "./durations.ts";

/** Whether a text is a UTC day such as `2026-05-01`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

/** Matches a day, or a date-time with a zone. The groups are the day and the hour. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:T(\d\d):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads a UTC day, or a date-time in any zone.
 *
 * @returns a date-time in UTC with milliseconds; `undefined` for another text, and for a date-time whose year in UTC
 * does not have four digits, because such texts do not sort by time
 */
export function parseMoment(text: string): string | undefined {
  const [, day = "", hour = "00"] = MOMENT.exec(text) ?? [];
  // 24:00 is refused, because `Date.parse()` reads it as the beginning of the next day.
  if (!isDay(day) || hour === "24") return undefined;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) return undefined;
  const utc = new Date(moment).toISOString();
  return /^\d/.test(utc) ? utc : undefined;
}

/** Returns the UTC day that is some days later. A negative number gives an earlier day. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/** Returns the day after a UTC day. Any other text is returned as it is, so that the service refuses it. */
export function dayAfter(day: string): string {
  return isDay(day) ? addDays(day, 1) : day;
}

/**
 * Returns the end of a UTC day as a date-time. Any other text is returned as it is, so that the service refuses it.
 */
export function endOfDay(day: string): string {
  return isDay(day) ? `${dayAfter(day)}T00:00:00.000Z` : day;
}

/**
 * Returns the UTC day that ends at a moment, such as `2026-12-31` for `2027-01-01T00:00:00.000Z`; `undefined` for a
 * moment that is not the end of a day.
 */
export function dayEndingAt(moment: string): string | undefined {
  const end = Date.parse(moment);
  return end % DAY === 0 ? new Date(end - DAY).toISOString().slice(0, 10) : undefined;
}

/** Returns the Monday in the week of a UTC day. A text that is no day is returned as it is. */
export function weekOf(day: string): string {
  const midnight = Date.parse(day);
  if (Number.isNaN(midnight)) return day;
  // The 3 is added because 1970 began on a Thursday, which is three days after a Monday.
  const daysSinceMonday = (midnight / DAY + 3) % 7;
  return new Date(midnight - daysSinceMonday * DAY).toISOString().slice(0, 10);
}

/**
 * Returns a name that sorts by time, such as `2026-06-01-093000-123`, for waves, jobs and files to which nobody gives a
 * name.
 *
 * @param now milliseconds since 1970
 */
export function momentId(now: number): string {
  return new Date(now).toISOString().replace("T", "-").replaceAll(":", "").replace(".", "-")
    .slice(0, -1);
}
