/** Writes days and date-times in the form of a language. @module */
import { dayEndingAt } from "../../shared/moments.ts";

/**
 * Writes the moment at which something ends. An end at midnight (UTC) is written as the end of the day before, because
 * readers take `1 January at 00:00` for the end of 1 January.
 *
 * @param moment a date-time
 */
export function formatEnd(
  moment: string,
  { locale, place }: { locale: string; place: { end_of_day: string } },
): string {
  const write = (text: string, format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale.replace("_", "-"), { ...format, timeZone: "UTC" })
      .format(Date.parse(text));
  const lastDay = dayEndingAt(moment);
  return lastDay === undefined
    ? `${write(moment, { dateStyle: "long", timeStyle: "short" })} UTC`
    : place.end_of_day.replace("{day}", write(lastDay, { dateStyle: "long" }));
}

/** Makes the function that writes a date-time with its seconds and with `UTC`, as a proof needs it. */
export function formatExactTimes(locale: string): (moment: string) => string {
  const parts = { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" } as const;
  const times = new Intl.DateTimeFormat(locale, parts);
  return (moment) => `${times.format(Date.parse(moment))} UTC`;
}

/**
 * Makes the function that writes a day or a date-time in UTC, or a range of days. The function returns any other text
 * unchanged.
 */
export function formatDates(locale: string): (moment: string, until?: string) => string {
  const day = { dateStyle: "medium", timeZone: "UTC" } as const;
  const days = new Intl.DateTimeFormat(locale, day);
  const times = new Intl.DateTimeFormat(locale, { ...day, timeStyle: "short" });
  return (moment, until = moment) => {
    const from = Date.parse(moment);
    const to = Date.parse(until);
    if (isNaN(from + to)) return moment;
    // A single day is not written as a range, because writing a range takes ten times as long.
    if (from < to) return days.formatRange(from, to);
    const isDateTime = moment.length > "2026-11-21".length;
    return (isDateTime ? times : days).format(from);
  };
}
