import { z } from "zod";
import { keptEmailSchema } from "./email_schema.ts";
import type { StoredSignup } from "./operator_schemas.ts";
import { LANGS, SOURCES, STATES } from "./schemas.ts";

/** A short name for programs, as answers and operators have it. */
export const slugSchema = z.string().regex(/^[a-z0-9_-]{1,40}$/);

/** The answers that are counted by their values, and how many values an answer may have: the statistics stay small. */
export const SLUG_ANSWERS = ["role", "building"] as const, MAX_SLUGS = 64;

/**
 * A person as the operator sees them, exports them and gets them in events. What is imported and what a backup keeps
 * are made from this, each with its own form of a date-time.
 */
export const personSchema = <Time extends z.ZodType<string>>(time: Time) =>
  z.strictObject({
    email: keptEmailSchema,
    createdAt: time,
    consentedAt: time,
    updatedAt: time,
    lang: z.enum(LANGS),
    source: z.enum(SOURCES).exactOptional(),
    role: slugSchema.exactOptional(),
    building: slugSchema.exactOptional(),
    state: z.enum(STATES).exactOptional(),
    proof: z.strictObject({
      requestedAt: time,
      source: z.enum(SOURCES).exactOptional(),
      lang: z.enum(LANGS).exactOptional(),
      consentText: z.string(),
      putAt: time.exactOptional(),
      takenAt: time.exactOptional(),
      answer: z.string().exactOptional(),
      messageId: z.string().exactOptional(),
      confirmedAt: time,
    }).exactOptional(),
    invitedAt: time.exactOptional(),
    invitationCode: z.string().exactOptional(),
    wave: z.string().exactOptional(),
    expiresAt: time.exactOptional(),
    acceptedAt: time.exactOptional(),
    reference: z.string().exactOptional(),
    undeliverableAt: time.exactOptional(),
    complainedAt: time.exactOptional(),
    placeUrl: z.string().exactOptional(),
  });

/** Whether two types are the same; a statement `true satisfies Same<…>` compiles only then. */
export type Same<A, B> = [A, B] extends [B, A] ? true : never;
// Does not compile where the schema differs from the OpenAPI document.
true satisfies Same<z.infer<ReturnType<typeof personSchema<z.ZodString>>>, StoredSignup>;
