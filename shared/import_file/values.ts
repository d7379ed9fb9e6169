/**
 * Converts the values of an import file to the forms that the service accepts: trimmed, times as RFC 3339, languages
 * by their codes, campaigns as a sign-up keeps them.
 *
 * @module
 */
import { quotable } from "../api_failure.ts";
import { CAMPAIGN_FIELDS, campaignValue } from "../campaigns.ts";
import { parseForeignTime, type TimeFault } from "../foreign_times.ts";
import { trimInvisible } from "../invisible.ts";
import { LANGS } from "../schemas.ts";
import { INVITED_FIELDS } from "../signup_formats.ts";

/**
 * The fields with free text, whose values are not trimmed. They come from exports of this service, unless the
 * settings about columns say otherwise.
 */
const FREE_TEXT_FIELDS = new Set(["note", "reference", "proof.answer", "proof.messageId"]);

/** The fields whose values a sign-up keeps in the form of `campaignValue()`. */
const FIELDS_OF_CAMPAIGN = new Set<string>(CAMPAIGN_FIELDS);

/** The fields that hold times. All their names end in `At`. */
const TIME_FIELDS = new Set(INVITED_FIELDS.filter((field) => field.endsWith("At")));

/** Matches a date-time that the service accepts. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Matches most valid times: those in UTC (`Z`) with a day from 1 to 28, which every month has. Such times are not
 * parsed, because parsing a time takes longer than the rest of a row.
 */
const USUAL_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** Matches a language of the service that a country or another part of a locale may follow, such as `de-AT`. */
const LOCALE = new RegExp(`^(${LANGS.join("|")})(?:[-_][a-z0-9_-]+)?$`, "i");

/** The languages of the service by their names in English and German, in lower case. */
const LANGS_BY_NAME = new Map<string, typeof LANGS[number]>([
  ["german", "de"],
  ["deutsch", "de"],
  ["english", "en"],
  ["englisch", "en"],
]);

/** Matches a country in brackets behind the name of a language, as in `German (Austria)`. */
const COUNTRY = /\s*\([^()]*\)$/;

/** A converted value, or the reason why the row is refused. */
export type ReadValue = AcceptedValue | RefusedValue;

interface AcceptedValue {
  value: string | number | boolean;
  /** Whether the file has only a day in place of the time. The value is then the beginning of the day in the zone. */
  isDay?: boolean;
}

/** Why a row is refused because of a value. */
interface RefusedValue {
  reason: string;
  /** Whether the value is a time without a zone, or a day without a time, and the rules have no zone. */
  lacksZone?: boolean;
}

/** The settings about values. */
export interface ValueRules {
  /** The IANA name of the zone for times without a zone, and for days without a time. */
  zone: string | undefined;
  advice: Advice;
}

/**
 * What somebody can do about a refused row, as the end of a sentence. The command and the console give different advice,
 * because a flag gives a setting to the command, and a form gives it to the console.
 */
export interface Advice {
  /** How to give the zone of times without a zone. */
  zone: string;
  /** How to leave out a column without a name. */
  nameless: string;
}

/** Converts the value of a field. The service checks the result. */
export function readValue(field: string, text: string, rules: ValueRules): ReadValue {
  if (FREE_TEXT_FIELDS.has(field)) return { value: text };
  const value = trimInvisible(text);
  if (field === "lang" || field === "proof.lang") {
    const name = value.replace(COUNTRY, "").toLowerCase();
    const lang = LOCALE.exec(value)?.[1]?.toLowerCase() ?? LANGS_BY_NAME.get(name);
    return { value: lang ?? value };
  }
  if (FIELDS_OF_CAMPAIGN.has(field)) return { value: campaignValue(value) };
  // CSV has only texts, but the service accepts only a number or a boolean for `referrals` and for `referralCounts`.
  if (field === "referrals" && /^\d+$/.test(value)) return { value: Number(value) };
  if (field === "referralCounts" && /^(?:true|false)$/.test(value)) {
    return { value: value === "true" };
  }
  return TIME_FIELDS.has(field) && value !== "" ? readTime(field, value, rules) : { value };
}

function readTime(field: string, value: string, { zone, advice }: ValueRules): ReadValue {
  if (USUAL_TIME.test(value)) return { value };
  const parsed = parseForeignTime(value, zone);
  if ("time" in parsed) {
    const { time, isDay } = parsed;
    return { value: RFC_3339.test(value) ? value : time, ...isDay && { isDay } };
  }
  // The value is sent as it is, because the service says which form a time must have.
  if (parsed.fault === "no_time") return { value };
  const quoted = value.includes("@") ? "(not shown)" : `'${quotable(value, 40)}'`;
  return {
    reason: `The field ${field} is ${quoted}, ${
      describeTimeFault(parsed.fault, { zone, advice })
    }.`,
    lacksZone: parsed.fault === "no_zone" || parsed.fault === "no_time_of_day",
  };
}

/** Says what is wrong with a time, as the end of a sentence. */
function describeTimeFault(
  fault: Exclude<TimeFault, "no_time">,
  { zone, advice }: ValueRules,
): string {
  switch (fault) {
    case "no_zone":
      return `a time without a zone; ${advice.zone}`;
    case "no_time_of_day":
      return `a day without a time, which counts from 00:00 in a time zone; ${advice.zone}`;
    case "not_on_calendar":
      return "a day or a time that does not exist; correct this value";
    case "left_out":
      return `a time that does not exist in ${zone}, because the clocks are put forward then; correct this value`;
    case "ambiguous_day":
      return "a date whose day and month cannot be told apart; write the year first, as in 2026-05-31 09:30";
  }
}
