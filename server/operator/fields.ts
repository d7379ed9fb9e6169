/** Members of the bodies and queries that operations take. @module */
import { z } from "zod";
import { keptEmailSchema } from "../../shared/email_schema.ts";
import { parseMoment } from "../../shared/moments.ts";
import { quote } from "../runtime/mod.ts";
import { LANGS, SOURCES, STATES } from "../waitlist/mod.ts";

export const badNext = "give the 'next' of the page before it";

/** Becomes a date-time in UTC with milliseconds, as KV has it. @param rule what to give, in the message about another value */
export const dateTimeInBody = (rule: string) =>
  z.iso.datetime({ offset: true, error: rule }).transform(toMoment(rule));

/** Refuses a moment outside of the years 0000 to 9999 in UTC, because such texts do not sort by time. */
const toMoment = (rule: string) => (text: string, context: z.RefinementCtx) => {
  const moment = parseMoment(text);
  if (moment !== undefined) return moment;
  context.addIssue({ code: "custom", message: rule });
  return z.NEVER;
};

const day = "give a UTC date such as 2026-05-01, or a date-time";

/** Becomes a date-time in UTC as KV has it. */
export const dateOrDateTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], day)
  .transform(toMoment(day));

/** A position in a list, which begins with a date-time in UTC. */
export const positionInBody = (pattern: RegExp, rule: string) =>
  z.string(rule).regex(pattern, rule)
    .refine((position) => parseMoment(position.slice(0, 24)) !== undefined, rule);

const ahead = "give a date-time ahead of now, such as 2027-01-31T23:00:00Z";

/** A moment until which something holds, in UTC; {@linkcode notAhead} refuses one that is over. */
export const expiresInBody = dateTimeInBody(ahead);

export const notAhead = (expires: string) => ({
  failure: "invalid_request" as const,
  message: `Field 'expires' is ${quote(expires)}; ${ahead}.`,
});

const address = "give an e-mail address as a record may have it";

/** An address, which it puts into lower case as KV has it. */
export const addressInBody = z.string(address)
  .refine((email) => keptEmailSchema.safeParse(email).success, address)
  .transform((email) => email.toLowerCase());

const addresses = "give a list of 1 to 1,000 addresses";

export const addressesInBody = z.array(addressInBody, addresses).min(1, addresses)
  .max(1_000, addresses);

export const stateInBody = z.enum(STATES, "give 'unconfirmed', 'waiting', 'invited' or 'accepted'");

export const flagInBody = z.boolean("give true or false");

export const allInBody = z.literal(true, "give true").exactOptional();

const slug = "give a slug of 1 to 40 characters a-z, 0-9, _ and -";
export const slugInBody = z.string(slug).regex(/^[a-z0-9_-]{1,40}$/, slug);

export const filterInBody = {
  lang: z.enum(LANGS, "give 'en' or 'de'").exactOptional(),
  source: z.enum(SOURCES, "give 'hero' or 'cta'").exactOptional(),
  role: slugInBody.exactOptional(),
  building: slugInBody.exactOptional(),
};

/** A text of a character at least. @param rule what to give, in the message about another value */
export const textInBody = (max: number, rule: string) => z.string(rule).min(1, rule).max(max, rule);

export function limitInBody(max: number) {
  const message = `give a whole number from 1 to ${max.toLocaleString("en")}`;
  return z.int(message).min(1, message).max(max, message);
}

/** A whole number from 1 on, which a query has as text. */
export function wholeNumberInQuery(max: number) {
  const message = `give a whole number from 1 to ${max.toLocaleString("en")}`;
  const number = z.int(message).min(1, message).max(max, message);
  return z.union(
    [number, z.string().regex(/^[1-9]\d{0,5}$/).transform(Number).pipe(number)],
    message,
  );
}

/** A flag, which a query has as the text `true` or `false`. */
export const flagInQuery = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  "give true or false",
);

/** The body of an operation without parameters: an empty JSON object. */
export const NOTHING = z.strictObject({});
