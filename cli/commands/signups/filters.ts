/**
 * The flags by which several commands choose people: language, form, role, use case and referrals.
 *
 * @module
 */
import type { Command } from "commander";
import { SLUG } from "../../../shared/name_patterns.ts";
import { LANGS, SOURCES } from "../../../shared/schemas.ts";
import { UsageError } from "../../errors.ts";
import { parseChoice, parseCount } from "../../flag_values.ts";
import type { FlagValues } from "../../settings.ts";

/** The answers, and the least number of referrals, by which people are chosen. */
export interface Filter {
  lang?: typeof LANGS[number];
  source?: typeof SOURCES[number];
  role?: string;
  building?: string;
  referrals?: number;
}

/** Declares the flags of a filter. */
export function addFilterFlags(command: Command): void {
  command
    .option("--lang <lang>", "only people of this language: en or de")
    .option("--source <form>", "only people who used this form: hero or cta")
    .option("--role <slug>", "only people with this role")
    .option("--building <slug>", "only people with this use case")
    .option("--referrals <number>", "only people by whose link at least so many people joined");
}

/** Reads the flags of a filter, and throws a `UsageError` if a value is wrong. */
export function parseFilter(flags: FlagValues): Filter {
  const { lang, source } = flags;
  const filter: Filter = {
    ...lang !== undefined && { lang: parseChoice("--lang", String(lang), LANGS) },
    ...source !== undefined && { source: parseChoice("--source", String(source), SOURCES) },
  };
  for (const name of ["role", "building"] as const) {
    const text = flags[name];
    if (text === undefined) continue;
    if (!SLUG.test(String(text))) {
      throw new UsageError(
        `--${name} is '${text}'; give a slug of 1 to 40 characters a-z, 0-9, _ and -`,
      );
    }
    filter[name] = String(text);
  }
  if (flags.referrals !== undefined) {
    filter.referrals = parseCount("--referrals", String(flags.referrals));
  }
  return filter;
}
