/** Schemas of members that several operations have in their bodies and queries. @module */
import { z } from "zod";
import { parseMoment } from "../../shared/moments.ts";
import { addressInBody, dateTimeInBody } from "../../shared/people_query.ts";
import { quote } from "../runtime/mod.ts";
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

/** A position in a list, which begins with a date-time in UTC. */
export const positionInBody = (pattern: RegExp, rule: string) =>
  z.string(rule).regex(pattern, rule)
    .refine((position) => parseMoment(position.slice(0, 24)) !== undefined, rule);

const ahead = "give a date-time ahead of now, such as 2027-01-31T23:00:00Z";

/** The date-time at which something ends, in UTC. {@linkcode notAhead} refuses a past one. */
export const expiresInBody = dateTimeInBody(ahead);

export const notAhead = (expires: string) => ({
  failure: "invalid_request" as const,
  message: `Field 'expires' is ${quote(expires)}; ${ahead}.`,
});

const addresses = "give a list of 1 to 1,000 addresses";

export const addressesInBody = z.array(addressInBody, addresses).min(1, addresses)
  .max(1_000, addresses);

export const allInBody = z.literal(true, "give true").exactOptional();

/** A text of 1 to `max` characters. @param rule what to give, for the message about any other value */
export const textInBody = (max: number, rule: string) => z.string(rule).min(1, rule).max(max, rule);

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
