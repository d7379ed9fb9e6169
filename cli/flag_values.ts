/**
 * Reads the values of flags: times, numbers, and choices from a list. Each `parse…` function throws a `UsageError` that
 * quotes the value and says what to give. A `read…` function returns `undefined` for a value that it cannot read.
 *
 * @module
 */
import { quotable } from "../shared/api_failure.ts";
import { addDays, isDay, parseMoment } from "../shared/moments.ts";
import { findZone } from "../shared/zones.ts";
import { UsageError } from "./errors.ts";

/** How many characters of a wrong zone are quoted at most. */
const MAX_ZONE_LENGTH = 40;

/** The values of all given flags by name, as commander returns them. */
export type FlagValues = Record<string, unknown>;

/** Reads one of a few values, such as a language. */
export function parseChoice<Value extends string>(
  flag: string,
  text: string,
  values: readonly Value[],
): Value {
  const value = values.find((choice) => choice === text);
  if (value !== undefined) return value;
  throw new UsageError(
    `${flag} is '${text}'; give ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`,
  );
}

/** Reads a whole number from 1 on. */
export function parseCount(flag: string, text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new UsageError(`${flag} is '${text}'; give a whole number from 1 on`);
}

/** Reads a number of seconds within a range. */
export function parseSeconds(
  flag: string,
  text: string,
  { from, to }: { from: number; to: number },
): number {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds < from || seconds > to) {
    throw new UsageError(`${flag} is '${text}'; give a number of seconds from ${from} to ${to}`);
  }
  return seconds;
}

/** The seconds in each unit of a length of time. */
const UNIT_SECONDS = new Map([["s", 1], ["m", 60], ["h", 3_600], ["d", 86_400]]);

/** Reads a length of time such as `30m` or `7d`. Returns seconds; `undefined` if the text has another form. */
export function readDuration(text: string): number | undefined {
  const unitSeconds = UNIT_SECONDS.get(text.slice(-1));
  const count = text.slice(0, -1);
  if (unitSeconds === undefined || !/^\d{1,8}$/.test(count)) return undefined;
  return Number(count) * unitSeconds;
}

/** Reads `--overlap`, a length of time such as `30m`. Returns seconds. */
export function parseOverlap(text: string): number {
  const seconds = readDuration(text);
  if (seconds !== undefined) return seconds;
  throw new UsageError(`--overlap is '${text}'; give a length of time such as 0s, 30m, 12h or 7d`);
}

/** Reads a UTC day, or a date-time in any zone. Returns a date-time in UTC. */
export function parseMomentFlag(flag: string, text: string): string {
  return parseMoment(text) ?? refuseMoment(flag, text);
}

/**
 * Reads the `--before` of a log: a UTC day or a date-time, or the `next` of an earlier answer, which has a space. The
 * service checks such a `next`.
 */
export function parseBefore(text: string): string {
  return text.includes(" ") ? text : parseMomentFlag("--before", text);
}

/**
 * Reads `--expires`, the time at which invitations end. A UTC day stands for the end of that day. Returns a date-time
 * in UTC.
 */
export function parseExpires(text: string): string {
  return parseMoment(isDay(text) ? addDays(text, 1) : text) ?? refuseMoment("--expires", text);
}

function refuseMoment(flag: string, text: string): never {
  throw new UsageError(
    `${flag} is '${text}'; give a UTC date such as 2026-05-01, or a time such as 2026-05-01T09:30:00Z`,
  );
}

/** Reads `--zone`: the IANA name of a zone, or the city in such a name. Returns the IANA name. */
export function parseZone(text: string): string {
  const found = findZone(text);
  if ("zone" in found) return found.zone;
  const examples = found.similar.length > 0 ? found.similar : ["Europe/Berlin", "UTC"];
  throw new UsageError(
    `--zone is '${quotable(text, MAX_ZONE_LENGTH)}'; give the IANA name of a zone, such as ${
      examples.join(" or ")
    }`,
  );
}
