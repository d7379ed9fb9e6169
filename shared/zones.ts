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

/** How many zones {@linkcode findZone} returns at most for a text that names none. */
const MAX_SIMILAR = 3;

/**
 * The length of the longest text that {@linkcode findZone} compares with the names of zones. The limit bounds the work,
 * because a comparison takes longer for a longer text.
 */
const MAX_LENGTH = 100;

/** How many characters a text may differ from the name of a zone to be similar. */
const MAX_DIFFERENCE = 2;

/**
 * Finds the zone that somebody has entered: by its name, or by its city if only one zone has this city.
 *
 * @returns the IANA name of the zone, or a few names that are similar to the text; there may be none
 */
export function findZone(text: string): { zone: string } | { similar: string[] } {
  const entered = text.trim();
  if (isZone(entered)) return { zone: entered };
  // The names of all zones are shorter. A comparison with a long text would take long.
  if (entered.length > MAX_LENGTH) return { similar: [] };
  const wanted = entered.toLowerCase().replaceAll(" ", "_");
  const zones = Intl.supportedValuesOf("timeZone")
    .map((name) => ({ name, plain: name.toLowerCase(), city: cityOf(name) }));
  const sameCity = zones.filter(({ city }) => city === wanted);
  if (sameCity.length === 1) return { zone: sameCity[0]!.name };
  const isSimilar = ({ plain, city }: typeof zones[number]) =>
    differenceOf(wanted, city) <= MAX_DIFFERENCE || differenceOf(wanted, plain) <= MAX_DIFFERENCE;
  const similar = sameCity.length > 0 ? sameCity : zones.filter(isSimilar);
  const nearest = similar.toSorted((a, b) =>
    differenceOf(wanted, a.city) - differenceOf(wanted, b.city)
  );
  return { similar: nearest.slice(0, MAX_SIMILAR).map(({ name }) => name) };
}

/** Returns the city in the name of a zone, in lower case: the part behind the last slash. */
const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf("/") + 1).toLowerCase();

/**
 * Returns how many characters have to be added, removed or replaced to make one text of the other (the Levenshtein
 * distance).
 */
function differenceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = row[j]! + (b[j] === character ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
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
