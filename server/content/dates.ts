/** Writes days and date-times in the form of a language. @module */
import { DAY } from "../../shared/durations.ts";

/**
 * Writes the moment at which something ends. An end at midnight (UTC) is written as the end of the day before, because
 * people misread `1 January at 00:00`.
 *
 * @param moment a date-time
 */
export function formatEnd(
  moment: string,
  { locale, place }: { locale: string; place: { end_of_day: string } },
): string {
  const end = Date.parse(moment);
  const write = (time: number, format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale.replace("_", "-"), { ...format, timeZone: "UTC" }).format(time);
  const isMidnight = end % DAY === 0;
  return isMidnight
    ? place.end_of_day.replace("{day}", write(end - 1, { dateStyle: "long" }))
    : `${write(end, { dateStyle: "long", timeStyle: "short" })} UTC`;
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
