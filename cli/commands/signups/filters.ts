/**
 * The flags by which several commands choose people: language, form, role and use case.
 *
 * @module
 */
import type { Command } from "commander";
import { LANGS, SOURCES } from "../../../shared/schemas.ts";
import { UsageError } from "../../errors.ts";
import { parseChoice } from "../../flag_values.ts";
import type { Flags } from "../../settings.ts";

/** The answers by which people are chosen. */
export interface Filter {
  lang?: typeof LANGS[number];
  source?: typeof SOURCES[number];
  role?: string;
  building?: string;
}

/** Declares the flags of the answers. */
export function addFilterFlags(command: Command): void {
  command
    .option("--lang <lang>", "only people of this language: en or de")
    .option("--source <form>", "only people who used this form: hero or cta")
    .option("--role <slug>", "only people with this role")
    .option("--building <slug>", "only people with this use case");
}

/** Reads the flags of the answers, and throws a `UsageError` if a value is wrong. */
export function parseFilter(flags: Flags): Filter {
  const { lang, source } = flags;
  const filter: Filter = {
    ...lang !== undefined && { lang: parseChoice("--lang", String(lang), LANGS) },
    ...source !== undefined && { source: parseChoice("--source", String(source), SOURCES) },
  };
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
