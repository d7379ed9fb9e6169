/**
 * The flags by which commands choose people. Waves and schedules have the flags of a filter: language, form, role, use
 * case, campaign and referrals. Lists, exports and jobs have these flags and further ones, such as `--state`.
 *
 * @module
 */
import type { Command } from "commander";
import { type Campaign, CAMPAIGN_FIELDS, campaignValue } from "../../../shared/campaigns.ts";
import { MARKS, STEPS } from "../../../shared/counters.ts";
import { SLUG } from "../../../shared/name_patterns.ts";
import type { PeopleSelection } from "../../../shared/operator_schemas.ts";
import { peopleSelectionSchema } from "../../../shared/people_query.ts";
import { LANGS, SOURCES, STATES } from "../../../shared/schemas.ts";
import { UsageError } from "../../errors.ts";
import { type FlagValues, parseChoice, parseCount, parseMomentFlag } from "../../flag_values.ts";

/** The values by which waves and schedules choose people. `referrals` is the least number of referrals of a person. */
export interface Filter extends Campaign {
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
    .option("--utm-source <slug>", "only people whom a campaign with this source brought")
    .option("--utm-medium <slug>", "only people whom a campaign with this medium brought")
    .option("--utm-campaign <slug>", "only people whom this campaign brought")
    .option("--referrals <number>", "only people by whose link at least so many people joined");
}

/** Reads the flags of a filter, and throws a `UsageError` if a value is wrong. */
export function parseFilter(typedFlags: FlagValues): Filter {
  const flags = withCampaignValues(typedFlags);
  const { lang, source } = flags;
  const filter: Filter = {
    ...lang !== undefined && { lang: parseChoice("--lang", String(lang), LANGS) },
    ...source !== undefined && { source: parseChoice("--source", String(source), SOURCES) },
  };
  for (const name of ["role", "building", ...CAMPAIGN_FIELDS] as const) {
    const text = flags[name];
    if (text === undefined) continue;
    if (!SLUG.test(String(text))) {
      throw new UsageError(
        `${flagOf(name)} is '${text}'; give a slug of 1 to 40 characters a-z, 0-9, _ and -`,
      );
    }
    filter[name] = String(text);
  }
  if (flags.referrals !== undefined) {
    filter.referrals = parseCount("--referrals", String(flags.referrals));
  }
  return filter;
}

/**
 * Returns the flags with the values of campaigns in the form that sign-ups store. So an operator can type a value as it
 * stands in the link of the campaign.
 */
function withCampaignValues(typedFlags: FlagValues): FlagValues {
  const flags = { ...typedFlags };
  for (const name of CAMPAIGN_FIELDS) {
    if (flags[name] !== undefined) flags[name] = campaignValue(String(flags[name]).trim());
  }
  return flags;
}

/** Returns the flag of a member, such as `--utm-source` of `utmSource`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Declares the flags of a selection of people. */
export function addSelectionFlags(command: Command): void {
  command
    .option("--state <state>", `only people in this state: ${STATES.join(", ")}`)
    .option("--mark <mark>", `only people to whom no e-mail goes: ${MARKS.join(" or ")}`)
    .option("--refused-letter", "only people whose last e-mail a mail server has rejected")
    .option(
      "--search <part>",
      "only addresses with these words in them, such as a surname; at least three characters; 'ü' also finds 'ue' and 'u'",
    );
  addFilterFlags(command);
  command
    .option("--wave <id>", "only people who were invited in this wave")
    .option("--reached <step>", `only people who came to this step: ${STEPS.join(", ")}`)
    .option("--since <date>", "only people who signed up on this UTC day, at this time, or later")
    .option("--before <date>", "only people who signed up before this UTC day or time");
}

/** The flags whose values become members of a selection, with the same name and without a further conversion. */
const SELECTION_FLAGS = [
  "state",
  "mark",
  "refusedLetter",
  "search",
  "lang",
  "source",
  "role",
  "building",
  ...CAMPAIGN_FIELDS,
  "wave",
  "reached",
];

/** Reads the flags of a selection, and throws a `UsageError` if a value is wrong. */
export function parseSelection(typedFlags: FlagValues): PeopleSelection {
  const flags = withCampaignValues(typedFlags);
  const members: Record<string, unknown> = {};
  for (const name of SELECTION_FLAGS) {
    if (flags[name] !== undefined) members[name] = flags[name];
  }
  if (flags.referrals !== undefined) {
    members.referrals = parseCount("--referrals", String(flags.referrals));
  }
  for (const name of ["since", "before"]) {
    const text = flags[name];
    if (text !== undefined) members[name] = parseMomentFlag(`--${name}`, String(text));
  }
  const { data, error } = peopleSelectionSchema.safeParse(members);
  if (data) return data;
  const [issue] = error!.issues;
  const name = String(issue?.path[0]);
  throw new UsageError(`${flagOf(name)} is '${flags[name]}'; ${issue?.message}`);
}
