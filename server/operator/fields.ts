/**
 * Schemas of members that several operations have in their bodies or queries, and failures about such members. @module
 */
import { z } from "zod";
import { parseMoment } from "../../shared/moments.ts";
import type { Address } from "../../shared/operator_schemas.ts";
import { addressSchema, dateTimeSchema } from "../../shared/people_query.ts";
import { quote } from "../runtime/mod.ts";
import { isSafeLink } from "../waitlist/mod.ts";

/** The length of a date-time in UTC with milliseconds, such as `2027-01-31T23:00:00.000Z`. */
const DATE_TIME_LENGTH = 24;

/**
 * Makes the schema of a position in a list: a text that matches `pattern` and begins with a date-time in UTC.
 *
 * @param rule the message about any other value, which says what to give
 */
export const positionSchema = (pattern: RegExp, rule: string) =>
  z.string(rule).regex(pattern, rule)
    .refine((position) => parseMoment(position.slice(0, DATE_TIME_LENGTH)) !== undefined, rule);

const EXPIRES_RULE = "give a date-time ahead of now, such as 2027-01-31T23:00:00Z";

/**
 * The schema of the member `expires`, the date-time in UTC at which invitations expire. It accepts a date-time in the
 * past; the operations refuse such a date-time with {@linkcode pastExpiryFailure}.
 */
export const expiresSchema = dateTimeSchema(EXPIRES_RULE);

/** Makes the failure of an operation whose `expires` is not in the future. */
export const pastExpiryFailure = (expires: string) => ({
  failure: "invalid_request" as const,
  message: `Field 'expires' is ${quote(expires)}; ${EXPIRES_RULE}.`,
});

/**
 * Makes the failure of a wave or schedule that needs letters while mail is off.
 * @param how the end of the message, which says how to start the wave or schedule without letters
 */
export const noLettersFailure = (how: string) => ({
  failure: "conflict" as const,
  message: "The service sends no e-mails, as MAIL_URL is not set; set it, or write to the people " +
    `yourself, ${how}.`,
});

/** Gives each parameter of an existing wave or schedule as a text for a message: its name and its quoted value. */
export const quoteParameters = (parameters: object): string[] =>
  Object.entries(parameters).map(([name, value]) => `${name} ${quote(value)}`);

const NEXT_RULE = "give a whole number from 1 on";

/** The schema of the member `next`: the number of people whom a wave invites at most. */
export const nextSchema = z.int(NEXT_RULE).min(1, NEXT_RULE);

const LINK_RULE = "give an https: URL of at most 2,000 characters, such as " +
  "https://app.example.com/welcome?code={code}; http: is for loopback hosts";

/** The schema of the link in invitations. */
export const linkSchema = z.string(LINK_RULE).max(2_000, LINK_RULE).refine(isSafeLink, LINK_RULE);

/** The schema of a body that is one address. */
export const addressBodySchema: z.ZodType<Address> = z.strictObject({ email: addressSchema });

const ADDRESSES_RULE = "give a list of 1 to 1,000 addresses";

/** The schema of a list of addresses. */
export const addressesSchema = z.array(addressSchema, ADDRESSES_RULE).min(1, ADDRESSES_RULE)
  .max(1_000, ADDRESSES_RULE);

/** The longest overlap of an old and a new secret, or of an old and a new self-service key, in seconds: 90 days. */
export const MAX_OVERLAP = 90 * 24 * 60 * 60;

const OVERLAP_RULE = `give a whole number of seconds from 0 to ${MAX_OVERLAP}`;

/** The schema of the member `overlapSeconds`. */
export const overlapSchema = z.int(OVERLAP_RULE).min(0, OVERLAP_RULE).max(
  MAX_OVERLAP,
  OVERLAP_RULE,
);

/** The schema of a member that is `true` or absent. */
export const trueSchema = z.literal(true, "give true").exactOptional();

/**
 * Makes the schema of a text that matches a pattern of the OpenAPI document, and that KV can store.
 * @param rule the message about any other value
 */
export const storableTextSchema = (pattern: string, rule: string) =>
  z.string(rule).regex(new RegExp(pattern, "u"), rule)
    // `isWellFormed()` refuses half a surrogate pair, which PostgreSQL does not store. The pattern cannot refuse it,
    // because the same pattern must work in all programming languages.
    .refine((text) => text.isWellFormed(), rule);

/** Makes the schema of a text of 1 to `max` characters. @param rule the message about any other value */
export const boundedTextSchema = (max: number, rule: string) =>
  z.string(rule).min(1, rule).max(max, rule);

/**
 * Makes the schema of a query parameter that is a whole number from 1 to `max`. HTTP gives the number as a text.
 *
 * @param max at most 999,999, because a longer text is refused
 */
export function wholeNumberParameterSchema(max: number) {
  const rule = `give a whole number from 1 to ${max.toLocaleString("en")}`;
  const number = z.int(rule).min(1, rule).max(max, rule);
  return z.union(
    [number, z.string().regex(/^[1-9]\d{0,5}$/).transform(Number).pipe(number)],
    rule,
  );
}

/** The schema of a query parameter that is true or false. HTTP gives it as the text `true` or `false`. */
export const flagParameterSchema = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  "give true or false",
);

/** The schema of a body without members: an empty JSON object. */
export const emptyBodySchema = z.strictObject({});
