/**
 * Reads times in the forms of other tools' exports.
 *
 * @module
 */
import { momentOfLocalTime } from "./zones.ts";

/** Why a text is not a time. */
export type TimeFault =
  /** The text does not look like a time. */
  | "no_time"
  /** The time of day is missing. */
  | "no_time_of_day"
  /** The text names no time zone, and the caller has given no zone. */
  | "no_zone"
  /** The day or the time of day does not exist. */
  | "not_on_calendar"
  /** The time does not exist in the zone, because it is skipped when clocks are put forward. */
  | "left_out"
  /** Day and month cannot be told apart: `5/6/2026` is a day in May or in June. */
  | "ambiguous_day";

const TIME_OF_DAY = String
  .raw`(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?`;

const TIME = new RegExp(
  String.raw`^(?:(?<year>\d{4})(?<separator>[-/])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})` +
    String.raw`|(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})` +
    String.raw`|(?<slashed>\d{1,2}/\d{1,2}/\d{4}))` +
    `(?:(?:t|,?\\s+)${TIME_OF_DAY}(?:\\s?(?<half>am|pm))?(?:\\s?(?<zone>[a-z+-][\\w:+-]*))?)?$`,
  "i",
);

const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d\d))?$/i;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The offsets of zone names that always mean the same offset from UTC, in milliseconds. Google Forms writes the German
 * names. Other names are missing because they have several meanings.
 */
const NAMED_OFFSETS: Record<string, number> = {
  ...{ Z: 0, UTC: 0, GMT: 0 },
  ...{ CET: HOUR_MS, MEZ: HOUR_MS, CEST: 2 * HOUR_MS, MESZ: 2 * HOUR_MS },
};

/**
 * Reads a time in one of the usual forms (cli/README.md, "Times"). A time that clocks show twice, because they are set
 * back, is read as the earlier of the two times.
 *
 * @param zone the IANA name of the zone for times without a zone
 * @returns a date-time in UTC with milliseconds, or why the text is not a time
 */
export function parseForeignTime(
  text: string,
  zone?: string,
): { time: string } | { fault: TimeFault } {
  const { slashed, half, fraction = "", ...parts } = TIME.exec(text)?.groups ?? {};
  if (slashed !== undefined) return { fault: "ambiguous_day" };
  if (parts.year === undefined) return { fault: "no_time" };
  if (parts.hour === undefined) {
    const isDay = readLocalTime({ ...parts, hour: "0" }) !== undefined;
    return { fault: isDay ? "no_time_of_day" : "not_on_calendar" };
  }
  const hour = half === undefined ? parts.hour : hourOfDay(parts.hour, half);
  const localTime = hour === undefined ? undefined : readLocalTime({ ...parts, hour });
  if (localTime === undefined) return { fault: "not_on_calendar" };
  let moment: number | undefined;
  if (parts.zone !== undefined) {
    const offset = readOffset(parts.zone);
    if (offset === undefined) return { fault: "no_time" };
    moment = localTime - offset;
  } else {
    if (zone === undefined) return { fault: "no_zone" };
    moment = momentOfLocalTime(localTime, zone);
    if (moment === undefined) return { fault: "left_out" };
  }
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  const utc = new Date(moment + milliseconds).toISOString();
  // Only a year with four digits is accepted, because any other year does not sort as text.
  return /^\d{4}-/.test(utc) ? { time: utc } : { fault: "not_on_calendar" };
}

type Parts = Record<string, string | undefined>;

/** Returns a local time in milliseconds as if it were UTC; `undefined` if the day or the time of day does not exist. */
function readLocalTime(parts: Parts): number | undefined {
  const part = (name: string, digits = 2) => (parts[name] ?? "0").padStart(digits, "0");
  const day = `${part("year", 4)}-${part("month")}-${part("day")}`;
  const text = `${day}T${part("hour")}:${part("minute")}:${part("second")}.000Z`;
  const localTime = Date.parse(text);
  // `Date.parse` reads some days and times that do not exist as later ones.
  const exists = !Number.isNaN(localTime) && new Date(localTime).toISOString() === text;
  return exists ? localTime : undefined;
}

/** Returns the hour of the day, from 0 to 23, for an hour from 1 to 12 with `am` or `pm`; `undefined` for another hour. */
function hourOfDay(hour: string, half: string): string | undefined {
  const number = Number(hour);
  if (number < 1 || number > 12) return undefined;
  return String(number % 12 + (half.toLowerCase() === "pm" ? 12 : 0));
}

/** Returns an offset from UTC in milliseconds; `undefined` if the text is no offset. */
function readOffset(text: string): number | undefined {
  const name = text.toUpperCase();
  if (Object.hasOwn(NAMED_OFFSETS, name)) return NAMED_OFFSETS[name];
  const [, sign, hours, minutes = "00"] = OFFSET.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return sign === "-" ? -offset : offset;
}
