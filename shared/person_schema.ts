/**
 * The zod schema of a person on the list, which imports, exports, events and backups share.
 *
 * @module
 */
import * as z from "zod";
import { storedEmailSchema } from "./email_schema.ts";
import { SLUG } from "./name_patterns.ts";
import type { StoredSignup } from "./operator_schemas.ts";
import { LANGS, SOURCES, STATES } from "./schemas.ts";

/** A slug: a short name for programs, such as a role, a use case or the name of an operator. */
export const slugSchema = z.string().regex(SLUG);

/** The answers whose values the statistics count. */
export const SLUG_ANSWERS = ["role", "building"] as const;

/** The greatest number of different values that the store keeps of one answer, so that the statistics stay small. */
export const MAX_SLUGS = 64;

/**
 * Makes the schema of a person as exports and events show the person. The schemas of import lines and of backup lines are
 * made from this schema, each with another form of a date-time.
 *
 * @param time the schema of a date-time
 */
export const personSchema = <Time extends z.ZodType<string>>(time: Time) =>
  z.strictObject({
    email: storedEmailSchema,
    createdAt: time,
    consentedAt: time,
    updatedAt: time,
    lang: z.enum(LANGS),
    source: z.enum(SOURCES).exactOptional(),
    role: slugSchema.exactOptional(),
    building: slugSchema.exactOptional(),
    utmSource: slugSchema.exactOptional(),
    utmMedium: slugSchema.exactOptional(),
    utmCampaign: slugSchema.exactOptional(),
    note: z.string().exactOptional(),
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
    referralCode: z.string().exactOptional(),
    referrals: z.int().min(0).exactOptional(),
    referredBy: z.string().exactOptional(),
    referralCounts: z.boolean().exactOptional(),
    placeUrl: z.string().exactOptional(),
  });

/**
 * The type `true` if two types are the same, otherwise `never`. So `true satisfies Same<A, B>` compiles only if the
 * types are the same.
 */
export type Same<A, B> = [A, B] extends [B, A] ? true : never;
// This line does not compile if the schema differs from the OpenAPI document.
true satisfies Same<z.infer<ReturnType<typeof personSchema<z.ZodString>>>, StoredSignup>;
