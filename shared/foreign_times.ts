/**
 * Reads times in the forms of other tools' exports. Only the CLI may use this module, because it needs `Temporal`, and
 * the server also runs on Deno 2.5, which has none.
 *
 * @module
 */

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

/**
 * The offsets of zone names that always mean the same offset from UTC. Google Forms writes the German names. Other
 * names are missing because they have several meanings.
 */
const NAMED_OFFSETS: Record<string, string> = {
  ...{ Z: "+00:00", UTC: "+00:00", GMT: "+00:00" },
  ...{ CET: "+01:00", MEZ: "+01:00", CEST: "+02:00", MESZ: "+02:00" },
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
    return { fault: readPlain({ ...parts, hour: "0" }) ? "no_time_of_day" : "not_on_calendar" };
  }
  const given = parts.zone === undefined ? zone : readOffset(parts.zone);
  const hour = half === undefined ? parts.hour : hourOfDay(parts.hour, half);
  const plain = hour === undefined ? undefined : readPlain({ ...parts, hour });
  if (!plain) return { fault: "not_on_calendar" };
  if (given === undefined) return { fault: parts.zone === undefined ? "no_zone" : "no_time" };
  const zoned = plain.toZonedDateTime(given, { disambiguation: "earlier" });
  if (!zoned.toPlainDateTime().equals(plain)) return { fault: "left_out" };
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  const utc = new Date(zoned.epochMilliseconds + milliseconds).toISOString();
  // Only a year with four digits is accepted, because any other year does not sort as text.
  return /^\d{4}-/.test(utc) ? { time: utc } : { fault: "not_on_calendar" };
}

type Parts = Record<string, string | undefined>;

function readPlain(parts: Parts): Temporal.PlainDateTime | undefined {
  const number = (name: string) => Number(parts[name] ?? 0);
  const date = { year: number("year"), month: number("month"), day: number("day") };
  const time = { hour: number("hour"), minute: number("minute"), second: number("second") };
  try {
    return Temporal.PlainDateTime.from({ ...date, ...time }, { overflow: "reject" });
  } catch {
    return undefined;
  }
}

/** Returns the hour of the day, from 0 to 23, for an hour from 1 to 12 with `am` or `pm`; `undefined` for another hour. */
function hourOfDay(hour: string, half: string): string | undefined {
  const number = Number(hour);
  if (number < 1 || number > 12) return undefined;
  return String(number % 12 + (half.toLowerCase() === "pm" ? 12 : 0));
}

/** Returns an offset in the form `+02:00`; `undefined` if the text is no offset. */
function readOffset(text: string): string | undefined {
  const name = text.toUpperCase();
  if (Object.hasOwn(NAMED_OFFSETS, name)) return NAMED_OFFSETS[name];
  const [, sign, hours, minutes = "00"] = OFFSET.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return `${sign}${hours.padStart(2, "0")}:${minutes}`;
}
