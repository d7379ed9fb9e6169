/**
 * Time zones: their names, and the local times of a zone. The module does not use `Temporal`, because the server also
 * runs on Deno 2.5, which has no `Temporal`.
 *
 * @module
 */
import { DAY } from "./durations.ts";

/** Whether a text is the IANA name of a zone, such as `Europe/Berlin`, and not a fixed offset such as `+02:00`. */
export function isZone(text: string): boolean {
  try {
    return /^[A-Za-z]/.test(text) && !!new Intl.DateTimeFormat("en", { timeZone: text });
  } catch {
    return false;
  }
}

/**
 * Returns the moment of a local time, in milliseconds since 1970. A local time that comes twice, because clocks are set
 * back, means the earlier of the two moments.
 *
 * @param localTime the local time, in milliseconds as if it were UTC
 * @returns `undefined` if a change of clocks skips the local time
 */
export function momentOfLocalTime(localTime: number, zone: string): number | undefined {
  // The zone's offsets from UTC at one time before the moment and at one time after it, because a local time differs
  // from UTC by less than a day. One of these offsets is right, unless clocks change twice within two days.
  const offsets = [localTime - DAY, localTime + DAY]
    .map((moment) => localTimeIn(zone, moment) - moment);
  const moments = offsets.map((offset) => localTime - offset)
    .filter((moment) => localTimeIn(zone, moment) === localTime);
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

/** The formats by zone. They are kept, because making a format takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the local time of a zone at a moment, in milliseconds as if it were UTC. */
export function localTimeIn(zone: string, moment: number): number {
  let format = formats.get(zone);
  if (!format) {
    // The locale "sv" is used because it writes `2026-11-27 09:30:00`, which can be parsed.
    const parts = { dateStyle: "short", timeStyle: "medium", timeZone: zone } as const;
    formats.set(zone, format = new Intl.DateTimeFormat("sv", parts));
  }
  return Date.parse(`${format.format(moment).replace(" ", "T")}.000Z`) + moment % 1_000;
}
