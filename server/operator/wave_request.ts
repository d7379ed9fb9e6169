/** The body of `startWave`: its schema, and the check that its fields go together. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { filterSchemas, flagSchema } from "../../shared/people_query.ts";
import { FILTERS, LANGS } from "../waitlist/mod.ts";
import { addressesSchema, expiresSchema, linkSchema, nextSchema } from "./fields.ts";
import { idSchema } from "./ids.ts";

const POSITION_RULE = "give the 'next' of the plan before it, or an empty object";

/** The schema of a number of people in a plan. */
const countSchema = z.int(POSITION_RULE).min(0, POSITION_RULE);

/** The reasons why a plan passes over a person. */
const PASS_REASONS = ["unconfirmed", "undeliverable", "complained", "invited"] as const;

/** The schema of an address in a plan. No e-mail address is longer than 254 characters (RFC 5321). */
const planEmailSchema = z.string(POSITION_RULE).max(254, POSITION_RULE);

/**
 * The position in the list of people from which the next call for a plan (`dryRun`) goes on. It is the `next` in the
 * answer of the previous call.
 */
const planPositionSchema = z.strictObject({
  email: planEmailSchema.exactOptional(),
  read: countSchema.exactOptional(),
  wouldInvite: countSchema.exactOptional(),
  passedOver: z.record(z.enum(PASS_REASONS), countSchema, POSITION_RULE).exactOptional(),
  byLang: z.record(z.enum(LANGS), countSchema, POSITION_RULE).exactOptional(),
  first: z.array(planEmailSchema, POSITION_RULE).max(20, POSITION_RULE).exactOptional(),
}, POSITION_RULE);

/** The schema of the body of `startWave`. */
export const waveSchema: z.ZodType<Schemas.WaveRequest> = z.strictObject({
  wave: idSchema.exactOptional(),
  next: nextSchema.exactOptional(),
  emails: addressesSchema.exactOptional(),
  link: linkSchema,
  ...filterSchemas,
  letters: flagSchema.default(true),
  expires: expiresSchema.exactOptional(),
  dryRun: flagSchema.exactOptional(),
  after: planPositionSchema.exactOptional(),
});

/** Says which fields of a request do not go together; `undefined` if all of them do. */
export function findFieldConflict(request: Schemas.WaveRequest): string | undefined {
  const { next, emails } = request;
  if ((next === undefined) === (emails === undefined)) {
    return "Give either 'next', the number of people to invite, or 'emails', their addresses.";
  }
  const filter = FILTERS.find((name) => request[name] !== undefined);
  if (emails && filter) {
    return `Field '${filter}' goes with 'next' only; leave it out, as the addresses say who is invited.`;
  }
  if (request.after && !request.dryRun) {
    return "Field 'after' goes with 'dryRun' only; leave it out.";
  }
  return undefined;
}
