/**
 * Reads times in the forms of other tools' exports.
 *
 * @module
 */
import { HOUR, MINUTE } from "./durations.ts";
import { momentOfLocalTime } from "./zones.ts";

/** Why a text is not a time. */
export type TimeFault =
  /** The text does not look like a time. */
  | "no_time"
  /** The text names no time zone, and the caller has given no zone. */
  | "no_zone"
  /** The text is a day without a time of day, and the caller has given no zone in which the day begins. */
  | "no_time_of_day"
  /** The day or the time of day does not exist. */
  | "not_on_calendar"
  /** The time does not exist in the zone, because it is skipped when clocks are put forward. */
  | "left_out"
  /** Day and month cannot be told apart: `5/6/2026` is a day in May or in June. */
  | "ambiguous_day";

/** The part of `TIME` for the time of day. */
const TIME_OF_DAY = String
  .raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?`;

/** Matches a time: a date, which may be followed by a time of day, by `am` or `pm`, and by a zone. */
const TIME = new RegExp(
  String.raw`^(?<date>[\d./-]+)` +
    `(?:(?:t|,?\\s+)${TIME_OF_DAY}(?:\\s?(?<dayHalf>am|pm))?(?:\\s?(?<zone>[a-z+-][\\w:+-]*))?)?$`,
  "i",
);

/**
 * Match a date such as `2026-05-31` or `2026/5/31`, a date such as `31.5.2026`, and the dates `31/5/2026` and
 * `5/31/2026`, whose larger number can only be the day. They are several expressions, because Node 20 allows a name of a
 * group only once in an expression.
 */
const DATES = [
  /^(?<year>\d{4})(?<separator>[-/])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<day>1[3-9]|2\d|3[01])\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  /^(?<month>\d{1,2})\/(?<day>1[3-9]|2\d|3[01])\/(?<year>\d{4})$/,
];

/** Matches a date such as `5/6/2026`, which is a day in May or in June. */
const AMBIGUOUS_DATE = /^\d{1,2}\/\d{1,2}\/\d{4}$/;

/** Matches an offset from UTC, such as `+02:00`, `+2` or `GMT+0200`. */
const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d\d))?$/i;

/**
 * The offsets of zone names that always mean the same offset from UTC, in milliseconds. Google Forms writes the German
 * names. Other names are missing because they have several meanings.
 */
const NAMED_OFFSETS: Record<string, number> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  CET: HOUR,
  MEZ: HOUR,
  CEST: 2 * HOUR,
  MESZ: 2 * HOUR,
};

/**
 * Reads a time in one of the usual forms (cli/README.md, "Times"). A time that clocks show twice, because they are set
 * back, is read as the earlier of the two times.
 *
 * @param zone the IANA name of the zone for times without a zone, and for days without a time of day
 * @returns a date-time in UTC with milliseconds, or why the text is not a time. A day without a time of day counts from
 * its beginning in the zone, and `isDay` says so.
 */
export function parseForeignTime(
  text: string,
  zone?: string,
): { time: string; isDay?: true } | { fault: TimeFault } {
  const { date = "", ...timeParts }: TimeParts = TIME.exec(text)?.groups ?? {};
  const dateParts = DATES.map((form) => form.exec(date)?.groups).find((groups) => groups);
  if (!dateParts) return { fault: AMBIGUOUS_DATE.test(date) ? "ambiguous_day" : "no_time" };
  const parts: TimeParts = { ...timeParts, ...dateParts };
  if (parts.hour === undefined) {
    const midnight = readLocalTime({ ...parts, hour: "0" });
    return midnight === undefined ? { fault: "not_on_calendar" } : beginningOfDay(midnight, zone);
  }
  const hour = hourOfDay(parts.hour, parts.dayHalf);
  const localTime = hour === undefined ? undefined : readLocalTime({ ...parts, hour });
  if (localTime === undefined) return { fault: "not_on_calendar" };
  const moment = momentIn(parts.zone, localTime, zone);
  if (typeof moment === "object") return moment;
  const milliseconds = Number((parts.fraction ?? "").padEnd(3, "0").slice(0, 3));
  return toTime(moment + milliseconds);
}

/** Returns a moment as a date-time in UTC. */
function toTime(moment: number): { time: string } | { fault: TimeFault } {
  const utc = new Date(moment).toISOString();
  // Only a year with four digits is accepted, because any other year does not sort as text.
  return /^\d{4}-/.test(utc) ? { time: utc } : { fault: "not_on_calendar" };
}

/**
 * Returns the time at which a day begins in a zone. Where clocks are put forward at midnight, the day begins an hour
 * later.
 *
 * @param midnight the local time 00:00 of the day, in milliseconds as if it were UTC
 */
function beginningOfDay(
  midnight: number,
  zone: string | undefined,
): { time: string; isDay: true } | { fault: TimeFault } {
  if (zone === undefined) return { fault: "no_time_of_day" };
  const moment = momentOfLocalTime(midnight, zone) ?? momentOfLocalTime(midnight + HOUR, zone);
  // A day does not exist in a zone that has moved to the other side of the date line.
  const parsed = moment === undefined ? { fault: "left_out" as const } : toTime(moment);
  return "fault" in parsed ? parsed : { ...parsed, isDay: true };
}

/** The parts of a time as texts, by the names of the groups in `TIME` and `DATES`. */
type TimeParts = Record<string, string | undefined>;

/**
 * Returns the moment of a local time, in milliseconds since 1970, or why there is no such moment.
 *
 * @param writtenZone the zone in the text: a name or an offset
 * @param localTime the local time, in milliseconds as if it were UTC
 * @param zone the IANA name of the zone that counts if the text has no zone
 */
function momentIn(
  writtenZone: string | undefined,
  localTime: number,
  zone: string | undefined,
): number | { fault: TimeFault } {
  if (writtenZone !== undefined) {
    const offset = readOffset(writtenZone);
    return offset === undefined ? { fault: "no_time" } : localTime - offset;
  }
  if (zone === undefined) return { fault: "no_zone" };
  return momentOfLocalTime(localTime, zone) ?? { fault: "left_out" };
}

/** Returns a local time in milliseconds as if it were UTC; `undefined` if the day or the time of day does not exist. */
function readLocalTime(parts: TimeParts): number | undefined {
  const padded = (name: string, digits = 2) => (parts[name] ?? "0").padStart(digits, "0");
  const day = `${padded("year", 4)}-${padded("month")}-${padded("day")}`;
  const text = `${day}T${padded("hour")}:${padded("minute")}:${padded("second")}.000Z`;
  const localTime = Date.parse(text);
  // `Date.parse` reads some days and times that do not exist as later moments. The day and the time exist only if
  // `toISOString()` gives the same text again.
  const exists = !Number.isNaN(localTime) && new Date(localTime).toISOString() === text;
  return exists ? localTime : undefined;
}

/**
 * Returns the hour of the day, from 0 on.
 *
 * @param dayHalf `am` or `pm`; `undefined` if the time has neither of them
 * @returns `undefined` if the time has `am` or `pm`, and the hour is not from 1 to 12
 */
function hourOfDay(hour: string, dayHalf: string | undefined): string | undefined {
  if (dayHalf === undefined) return hour;
  const hourOfHalf = Number(hour);
  if (hourOfHalf < 1 || hourOfHalf > 12) return undefined;
  return String(hourOfHalf % 12 + (dayHalf.toLowerCase() === "pm" ? 12 : 0));
}

/** Returns an offset from UTC in milliseconds; `undefined` if the text is no offset. */
function readOffset(text: string): number | undefined {
  const name = text.toUpperCase();
  if (Object.hasOwn(NAMED_OFFSETS, name)) return NAMED_OFFSETS[name];
  const [, sign, hours, minutes = "00"] = OFFSET.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = Number(hours) * HOUR + Number(minutes) * MINUTE;
  return sign === "-" ? -offset : offset;
}
