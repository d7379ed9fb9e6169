/** Schemas of members that several operations have in their bodies and queries, and failures about them. @module */
import { z } from "zod";
import { parseMoment } from "../../shared/moments.ts";
import { addressInBody, dateTimeInBody } from "../../shared/people_query.ts";
import { quote } from "../runtime/mod.ts";
import { isSafeLink } from "../waitlist/mod.ts";
export {
  addressInBody,
  badNext,
  dateOrDateTime,
  dateTimeInBody,
  filterInBody,
  flagInBody,
  limitInBody,
  slugInBody,
  stateInBody,
} from "../../shared/people_query.ts";

/** Makes the schema of a position in a list: a text that begins with a date-time in UTC. */
export const positionInBody = (pattern: RegExp, rule: string) =>
  z.string(rule).regex(pattern, rule)
    .refine((position) => parseMoment(position.slice(0, 24)) !== undefined, rule);

const ahead = "give a date-time ahead of now, such as 2027-01-31T23:00:00Z";

/** The schema of an end, a date-time in UTC. It accepts a past date-time; see {@linkcode notAhead}. */
export const expiresInBody = dateTimeInBody(ahead);

export const notAhead = (expires: string) => ({
  failure: "invalid_request" as const,
  message: `Field 'expires' is ${quote(expires)}; ${ahead}.`,
});

/** Makes the failure of a wave or schedule with letters if mail is off. @param how how to ask for it without letters */
export const noLetters = (how: string) => ({
  failure: "conflict" as const,
  message: "The service sends no letters, as MAIL_URL is not set; set it, or write to the people " +
    `yourself, ${how}.`,
});

/** Quotes the parameters of an existing wave or schedule for a message. */
export const quoteParameters = (parameters: object): string[] =>
  Object.entries(parameters).map(([name, value]) => `${name} ${quote(value)}`);

const next = "give a whole number from 1 on";

/** The schema of the number of people whom a wave invites at most. */
export const nextInBody = z.int(next).min(1, next);

const link = "give an https: URL of at most 2,000 characters, such as " +
  "https://app.example.com/welcome?code={code}; http: is for loopback hosts";

/** The schema of the link of invitations. */
export const linkInBody = z.string(link).max(2_000, link).refine(isSafeLink, link);

const addresses = "give a list of 1 to 1,000 addresses";

export const addressesInBody = z.array(addressInBody, addresses).min(1, addresses)
  .max(1_000, addresses);

export const allInBody = z.literal(true, "give true").exactOptional();

/** Makes the schema of a text of 1 to `max` characters. @param rule what to give, for the message about a fault */
export const textInBody = (max: number, rule: string) => z.string(rule).min(1, rule).max(max, rule);

/** Makes the schema of a whole number from 1 to `max`, which a query has as text. */
export function wholeNumberInQuery(max: number) {
  const message = `give a whole number from 1 to ${max.toLocaleString("en")}`;
  const number = z.int(message).min(1, message).max(max, message);
  return z.union(
    [number, z.string().regex(/^[1-9]\d{0,5}$/).transform(Number).pipe(number)],
    message,
  );
}

/** The schema of a flag, which a query has as the text `true` or `false`. */
export const flagInQuery = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  "give true or false",
);

/** The body of an operation without parameters: an empty JSON object. */
export const NOTHING = z.strictObject({});
