/**
 * The schema of a query for a list of people, and the schemas of its fields. The operator surface, the console and the
 * CLI check a query with this schema. Each constant `…_RULE` is the part of an error message that says which value to
 * give.
 *
 * @module
 */
import * as z from "zod";
import { MARKS, STEPS } from "./counters.ts";
import { storedEmailSchema } from "./email_schema.ts";
import { parseMoment } from "./moments.ts";
import { SLUG, WAVE_ID } from "./name_patterns.ts";
import type { ListRequest, PeopleSelection, SavedFilter } from "./operator_schemas.ts";
import { LANGS, SOURCES, STATES } from "./schemas.ts";

/** How many people one page of a list has at most. */
export const MAX_LISTED = 500;

/** The least number of characters that a search may have. A shorter text is part of most addresses. */
const MIN_SEARCH_LENGTH = 3;

/** The greatest number of characters that a search may have: the length of the longest address (RFC 5321). */
const MAX_SEARCH_LENGTH = 254;

/** Matches a text with at least {@linkcode MIN_SEARCH_LENGTH} characters between the spaces at its ends. */
const LONG_ENOUGH = /\S[\s\S]+\S/u;

/** The rule for `after`, the position from which a list continues. */
export const AFTER_RULE = "give the 'next' of the page before it";
const DATE_RULE = "give a UTC date such as 2026-05-01, or a date-time";
const ADDRESS_RULE = "give an e-mail address as a record may have it";
const ANSWER_RULE = "give a slug of 1 to 40 characters a-z, 0-9, _ and -";
const REFERRALS_RULE = "give a whole number from 1 on";
const WAVE_RULE = "give the id of a wave";
const REFUSED_LETTER_RULE = "give true, or leave it out";
const SEARCH_RULE =
  `give a part of an address, of ${MIN_SEARCH_LENGTH} to ${MAX_SEARCH_LENGTH} characters`;

const ORDERS = ["oldest", "newest"] as const;

/** Makes the rule for a field with a fixed list of values, such as `give 'en' or 'de'`. */
export function choiceRule(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  return `give ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/**
 * Makes the function that turns a date-time into UTC. It refuses a time outside of the years 0000 to 9999 in UTC, because
 * such texts do not sort by time.
 */
const toMoment = (rule: string) => (text: string, context: z.RefinementCtx) => {
  const moment = parseMoment(text);
  if (moment !== undefined) return moment;
  context.addIssue({ code: "custom", message: rule });
  return z.NEVER;
};

/**
 * Makes the schema of a date-time. The result is in UTC with milliseconds, the form in which KV has date-times.
 *
 * @param rule the error message about any other value, which says what to give
 */
export const dateTimeSchema = (rule: string) =>
  z.iso.datetime({ offset: true, error: rule }).transform(toMoment(rule));

/**
 * A UTC date or a date-time. The result is a date-time in UTC with milliseconds, the form in which KV has date-times.
 */
export const dateOrDateTimeSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], DATE_RULE)
  .transform(toMoment(DATE_RULE));

/** An address that a record may have. The result is in lower case, the form in which KV has addresses. */
export const addressSchema = z.string(ADDRESS_RULE)
  .refine((email) => storedEmailSchema.safeParse(email).success, ADDRESS_RULE)
  .transform((email) => email.toLowerCase());

/** A state of a person. */
export const stateSchema = z.enum(STATES, choiceRule(STATES));

/** A field that is true or false. */
export const flagSchema = z.boolean("give true or false");

/** A role, a use case or a part of a campaign, as a slug. */
export const answerSchema = z.string(ANSWER_RULE).regex(SLUG, ANSWER_RULE);

/**
 * The schemas of the filters of a list: the answers of a person, the campaign that brought the person, and the person's
 * number of referrals.
 */
export const filterSchemas = {
  lang: z.enum(LANGS, choiceRule(LANGS)).exactOptional(),
  source: z.enum(SOURCES, choiceRule(SOURCES)).exactOptional(),
  role: answerSchema.exactOptional(),
  building: answerSchema.exactOptional(),
  utmSource: answerSchema.exactOptional(),
  utmMedium: answerSchema.exactOptional(),
  utmCampaign: answerSchema.exactOptional(),
  /** The least number of referrals that a person must have. */
  referrals: z.int(REFERRALS_RULE).min(1, REFERRALS_RULE).exactOptional(),
};

/** Makes the schema of the number of people on a page, from 1 to `max`. */
export function limitSchema(max: number) {
  const rule = `give a whole number from 1 to ${max.toLocaleString("en")}`;
  return z.int(rule).min(1, rule).max(max, rule);
}

/** The schemas of the members that say which people a list, an export or a job is about. */
export const selectionSchemas = {
  state: stateSchema.exactOptional(),
  mark: z.enum(MARKS, choiceRule(MARKS)).exactOptional(),
  refusedLetter: z.literal(true, REFUSED_LETTER_RULE).exactOptional(),
  search: z.string(SEARCH_RULE)
    .min(MIN_SEARCH_LENGTH, SEARCH_RULE).max(MAX_SEARCH_LENGTH, SEARCH_RULE)
    .regex(LONG_ENOUGH, SEARCH_RULE)
    .transform((part) => part.trim().toLowerCase()).exactOptional(),
  ...filterSchemas,
  wave: z.string(WAVE_RULE).regex(WAVE_ID, WAVE_RULE).exactOptional(),
  reached: z.enum(STEPS, choiceRule(STEPS)).exactOptional(),
  since: dateOrDateTimeSchema.exactOptional(),
  before: dateOrDateTimeSchema.exactOptional(),
};

/**
 * The schema of a selection of people. It turns the times of the selection into UTC, and the text of the search into lower
 * case without spaces at its ends.
 */
export const peopleSelectionSchema: z.ZodType<PeopleSelection> = z.strictObject(selectionSchemas);

/** A selection that an operator saves. It has no search, because the text of a search can be a person's address. */
export const savedSelectionSchema: z.ZodType<SavedFilter["selection"]> = z
  .strictObject(selectionSchemas).omit({ search: true });

/** The order of a list, by the time of the first sign-up. */
export const orderSchema = z.enum(ORDERS, choiceRule(ORDERS));

/**
 * The position from which a list or a count continues: the time of a person's first sign-up, and the person's address.
 */
export const pagePlaceSchema = z.strictObject({
  createdAt: dateTimeSchema(AFTER_RULE),
  email: addressSchema,
  /** The number of people that were found before this position. */
  hits: z.int(AFTER_RULE).min(0, AFTER_RULE).exactOptional(),
}, AFTER_RULE);

/**
 * The schema of a query for a list of people. It turns the times of the query into UTC, and the addresses and the text of
 * the search into lower case.
 */
export const peopleQuerySchema: z.ZodType<ListRequest> = z.strictObject({
  ...selectionSchemas,
  order: orderSchema.exactOptional(),
  /** Whether to add to each person the link to the person's self-service page. */
  withPlaceUrl: flagSchema.exactOptional(),
  limit: limitSchema(MAX_LISTED).exactOptional(),
  /** The `next` of the previous page. */
  after: pagePlaceSchema.exactOptional(),
});
