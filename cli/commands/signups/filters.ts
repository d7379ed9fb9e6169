/**
 * The flags by which several commands choose people.
 *
 * @module
 */
import type { Command } from "commander";
import { addDays, isDay, parseMoment } from "../../../shared/moments.ts";
import { LANGS, SOURCES, STATES } from "../../../shared/schemas.ts";
import { UsageError } from "../../errors.ts";
import type { Flags } from "../../settings.ts";

/** The values of the flags that name a value of a list. */
const VALUES = { lang: LANGS, source: SOURCES, state: STATES };

/** The answers that people must have. */
export interface Filter {
  lang?: typeof LANGS[number];
  source?: typeof SOURCES[number];
  role?: string;
  building?: string;
}

/** Declares the flags of the answers that people must have. */
export function addFilterFlags(command: Command): void {
  command
    .option("--lang <lang>", "only people of this language: en or de")
    .option("--source <form>", "only people who used this form: hero or cta")
    .option("--role <slug>", "only people with this role")
    .option("--building <slug>", "only people with this use case");
}

/** Reads the answers that people must have. */
export function parseFilter(flags: Flags): Filter {
  const filter: Filter = { ...parseChoice("lang", flags), ...parseChoice("source", flags) };
  for (const name of ["role", "building"] as const) {
    const text = flags[name];
    if (text === undefined) continue;
    if (!/^[a-z0-9_-]{1,40}$/.test(String(text))) {
      throw new UsageError(
        `--${name} is '${text}'; give a slug of 1 to 40 characters a-z, 0-9, _ and -`,
      );
    }
    filter[name] = String(text);
  }
  return filter;
}

/** Reads a flag that takes one of a few values; an empty object where it is not given. */
export function parseChoice<Name extends keyof typeof VALUES>(
  name: Name,
  flags: Flags,
): { [Key in Name]?: (typeof VALUES)[Key][number] } {
  const text = flags[name];
  if (text === undefined) return {};
  const values: readonly string[] = VALUES[name];
  if (values.includes(String(text))) return { [name]: text } as Record<Name, never>;
  const last = values.at(-1);
  throw new UsageError(`--${name} is '${text}'; give ${values.slice(0, -1).join(", ")} or ${last}`);
}

/** Reads a flag that takes a UTC date, or a date-time in any zone. */
export function parseMomentFlag(flag: string, text: string): string {
  return parseMoment(text) ?? refuseMoment(flag, text);
}

function refuseMoment(flag: string, text: string): never {
  throw new UsageError(
    `${flag} is '${text}'; give a UTC date such as 2026-05-01, or a time such as 2026-05-01T09:30:00Z`,
  );
}

/** Reads until when invitations hold: the end of a UTC day, or a time. */
export function parseExpires(text: string): string {
  return parseMoment(isDay(text) ? addDays(text, 1) : text) ?? refuseMoment("--expires", text);
}

/** Reads a whole number from 1 on. */
export function parseCount(flag: string, text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new UsageError(`${flag} is '${text}'; give a whole number from 1 on`);
}
