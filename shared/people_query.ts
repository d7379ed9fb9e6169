/**
 * The schema of a query for a list of people, and the schemas of its fields. The operator surface, the console and the CLI
 * check a query with this schema.
 *
 * @module
 */
import { z } from "zod";
import { MARKS, STEPS } from "./counters.ts";
import { storedEmailSchema } from "./email_schema.ts";
import { parseMoment } from "./moments.ts";
import type { ListRequest } from "./operator_schemas.ts";
import { LANGS, SOURCES, STATES } from "./schemas.ts";

/** The most people on one page of a list. */
export const MAX_LISTED = 500;

/** The fewest characters of a search. A shorter text is part of most addresses. */
const MIN_SEARCHED = 3;

/** The part of an error message that says which value to send as `after`. */
export const badNext = "give the 'next' of the page before it";

/**
 * Makes the schema of a date-time. The result is in UTC with milliseconds, the form of KV.
 *
 * @param rule the error message about any other value, which says what to give
 */
export const dateTimeInBody = (rule: string) =>
  z.iso.datetime({ offset: true, error: rule }).transform(toMoment(rule));

/** Refuses a time outside of the years 0000 to 9999 in UTC, because such texts do not sort by time. */
const toMoment = (rule: string) => (text: string, context: z.RefinementCtx) => {
  const moment = parseMoment(text);
  if (moment !== undefined) return moment;
  context.addIssue({ code: "custom", message: rule });
  return z.NEVER;
};

const day = "give a UTC date such as 2026-05-01, or a date-time";

/** A UTC date or a date-time. The result is a date-time in UTC with milliseconds, the form of KV. */
export const dateOrDateTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], day)
  .transform(toMoment(day));

const address = "give an e-mail address as a record may have it";

/** An address that a record may have. The result is in lower case, the form of KV. */
export const addressInBody = z.string(address)
  .refine((email) => storedEmailSchema.safeParse(email).success, address)
  .transform((email) => email.toLowerCase());

/** A state of a person. */
export const stateInBody = z.enum(STATES, "give 'unconfirmed', 'waiting', 'invited' or 'accepted'");

/** True or false. */
export const flagInBody = z.boolean("give true or false");

const slug = "give a slug of 1 to 40 characters a-z, 0-9, _ and -";
/** A role or a use case. */
export const slugInBody = z.string(slug).regex(/^[a-z0-9_-]{1,40}$/, slug);

const atLeastOne = "give a whole number from 1 on";

/** The least number of people on the list who have joined by a person's link. */
const referralsInBody = z.int(atLeastOne).min(1, atLeastOne);

/** The answers, and the number of referrals, by which people are chosen. */
export const filterInBody = {
  lang: z.enum(LANGS, "give 'en' or 'de'").exactOptional(),
  source: z.enum(SOURCES, "give 'hero' or 'cta'").exactOptional(),
  role: slugInBody.exactOptional(),
  building: slugInBody.exactOptional(),
  referrals: referralsInBody.exactOptional(),
};

/** Makes the schema of the number of people on a page, from 1 to `max`. */
export function limitInBody(max: number) {
  const message = `give a whole number from 1 to ${max.toLocaleString("en")}`;
  return z.int(message).min(1, message).max(max, message);
}

/** Matches the id of a wave. The operator who starts the wave chooses the id. */
export const WAVE_ID = /^[A-Za-z0-9_-]{1,64}$/;

const badWave = "give the id of a wave";
const badSearch = `give ${MIN_SEARCHED} to 254 characters, a part of an address`;

/** A query for a list of people. In the result, times are in UTC and addresses in lower case. */
export const peopleQuerySchema: z.ZodType<ListRequest> = z.strictObject({
  state: stateInBody.exactOptional(),
  mark: z.enum(MARKS, "give 'undeliverable' or 'complained'").exactOptional(),
  search: z.string(badSearch).min(MIN_SEARCHED, badSearch).max(254, badSearch)
    .transform((part) => part.toLowerCase()).exactOptional(),
  ...filterInBody,
  wave: z.string(badWave).regex(WAVE_ID, badWave).exactOptional(),
  reached: z.enum(STEPS, `give ${STEPS.join(", ")}`).exactOptional(),
  since: dateOrDateTime.exactOptional(),
  before: dateOrDateTime.exactOptional(),
  order: z.enum(["oldest", "newest"], "give 'oldest' or 'newest'").exactOptional(),
  withPlaceUrl: flagInBody.exactOptional(),
  limit: limitInBody(MAX_LISTED).exactOptional(),
  after: z.strictObject({
    createdAt: dateTimeInBody(badNext),
    email: addressInBody,
    hits: z.int(badNext).min(0, badNext).exactOptional(),
  }, badNext).exactOptional(),
});
