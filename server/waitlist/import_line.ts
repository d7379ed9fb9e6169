/** Validates the lines of an import, and converts their times to UTC. @module */
import { z } from "zod";
import { storedEmailSchema } from "../../shared/email_schema.ts";
import { findInvisible, nameInvisible } from "../../shared/invisible.ts";
import { parseMoment } from "../../shared/moments.ts";
import { WAVE_ID } from "../../shared/name_patterns.ts";
import { personSchema } from "../../shared/person_schema.ts";
import { REFERRAL_CODE } from "../../shared/referral_code.ts";
import { quote } from "../runtime/mod.ts";
import { MAX_NOTE_LENGTH, noteSchema } from "./note.ts";

/** A date-time with any offset. */
const time = z.iso.datetime({ offset: true });

const { email: _, createdAt, consentedAt, updatedAt, lang, source, ...further } =
  personSchema(time).shape;

/**
 * A printable text without lone surrogates, because values are also shown in terminals and written as CSV. Characters
 * of private use and unassigned characters are allowed, because runtimes differ on which characters are assigned.
 *
 * @param lengths the bounds of the length, such as `1,200`
 */
const printable = (lengths: string) =>
  z.string().regex(new RegExp(`^[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]{${lengths}}$`, "u"));

/**
 * A text about a letter: the answer of the mail server, or the `Message-ID`. Earlier versions could cut an answer
 * within a character. The remaining half of the character becomes U+FFFD here, as it does in a CSV file.
 */
const letterText = z.string().transform((text) => text.toWellFormed()).pipe(printable("0,200"))
  .exactOptional();

/** The schema of a line, after the optional fields that are `null` or empty have been removed from it. */
export const importLineSchema = z.strictObject({
  // An export may have addresses that are longer than those of new sign-ups.
  email: storedEmailSchema,
  consentedAt,
  createdAt: createdAt.exactOptional(),
  updatedAt: updatedAt.exactOptional(),
  source,
  lang: lang.exactOptional(),
  ...further,
  note: noteSchema.exactOptional(),
  proof: further.proof.unwrap()
    .extend({ consentText: printable("1,100"), answer: letterText, messageId: letterText })
    .exactOptional(),
  invitationCode: z.string().regex(/^[A-Za-z0-9_-]{20,64}$/).exactOptional(),
  wave: z.string().regex(WAVE_ID).exactOptional(),
  reference: printable("1,200").exactOptional(),
  invitationUrl: z.string().exactOptional(),
  referralCode: z.string().regex(REFERRAL_CODE).exactOptional(),
  referredBy: z.string().regex(REFERRAL_CODE).exactOptional(),
});

/** A sign-up of an import. Its times are date-times in UTC; only `expiresAt` may be in the future. */
export type ImportedSignUp = Omit<
  z.infer<typeof importLineSchema>,
  // An export has these members for its readers. An import ignores them.
  "placeUrl" | "invitationUrl" | "referrals"
>;

/** The fields of a line, in the order in which their faults are reported. */
const IMPORT_FIELDS = Object.keys(importLineSchema.shape);

/** The result of a validation. The reason is a sentence, and it never holds the address. */
export type ImportVerdict = { imported: ImportedSignUp } | { reason: string };

/**
 * Validates a line. An optional field that is `null` or an empty text counts as absent.
 *
 * @param now the present moment, in milliseconds since 1970
 */
export function validateImportLine(text: string, now: number): ImportVerdict {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: "The line is not valid JSON." };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { reason: "The line must be a JSON object with email and consentedAt." };
  }
  const given = Object.entries(value).filter(([, field]) => field !== null && field !== "");
  const fields: Record<string, unknown> = Object.fromEntries(given);
  const parsed = importLineSchema.safeParse(fields);
  if (!parsed.success) return { reason: explain(parsed.error.issues, fields) };
  return inUtc(parsed.data, now);
}

const TIMES = [
  "consentedAt",
  "createdAt",
  "updatedAt",
  "invitedAt",
  "expiresAt",
  "acceptedAt",
  "undeliverableAt",
  "complainedAt",
] as const;

/**
 * A date-time that needs no conversion. The check saves time, because a conversion takes longer than all other work on
 * a line.
 */
const CANONICAL = /^.{10}T.{8}\.\d{3}Z$/;

function inUtc(line: z.infer<typeof importLineSchema>, now: number): ImportVerdict {
  const { placeUrl: _, invitationUrl: _url, referrals: _count, ...kept } = line;
  const imported: ImportedSignUp = { ...kept, email: line.email.toLowerCase() };
  for (const name of TIMES) {
    const given = line[name];
    if (given === undefined) continue;
    if (Date.parse(given) > now && name !== "expiresAt") {
      return { reason: `The field ${name} is '${given}', which is in the future.` };
    }
    if (CANONICAL.test(given)) continue;
    const moment = parseMoment(given);
    if (moment === undefined) return refuseYear(name, given);
    imported[name] = moment;
  }
  if (line.proof) {
    imported.proof = { ...line.proof };
    for (const name of ["requestedAt", "putAt", "takenAt", "confirmedAt"] as const) {
      const given = line.proof[name];
      if (given === undefined) continue;
      const moment = parseMoment(given);
      if (moment === undefined) return refuseYear(`proof.${name}`, given);
      imported.proof[name] = moment;
    }
  }
  return { imported };
}

/** Refuses a time outside of the years 0 to 9999 in UTC, because such date-times do not sort as text. */
const refuseYear = (name: string, given: string): ImportVerdict => ({
  reason: `The field ${name} is '${given}', which is outside of the years 0000 to 9999 in UTC.`,
});

const DATE_TIME = "a date-time such as 2026-05-01T09:30:00Z";
const ID_CHARACTERS = "of the characters A-Z, a-z, 0-9, _ and -";
const REFERRAL_CODE_WORDS = "a code of 10 characters A-Z, a-z and 0-9";
const SLUG = "a slug of 1 to 40 characters a-z, 0-9, _ and -";

/** The values that each field may have, for the message about a wrong value. */
const NEEDED: Record<string, string> = {
  ...Object.fromEntries(TIMES.map((name) => [name, DATE_TIME])),
  source: "'hero' or 'cta'",
  lang: "'en' or 'de'",
  role: SLUG,
  building: SLUG,
  note: `a text of at most ${MAX_NOTE_LENGTH} characters`,
  state: "'unconfirmed', 'waiting', 'invited' or 'accepted'",
  proof:
    "an object with requestedAt, consentText (1 to 100 printable characters) and confirmedAt, " +
    "and the other members that an export has",
  invitationCode: `a code of 20 to 64 ${ID_CHARACTERS}`,
  wave: `an id of 1 to 64 ${ID_CHARACTERS}`,
  reference: "an id of 1 to 200 printable characters",
  placeUrl: "a URL",
  invitationUrl: "a URL",
  referralCode: REFERRAL_CODE_WORDS,
  referrals: "a whole number of at least 0",
  referredBy: REFERRAL_CODE_WORDS,
  referralCounts: "true or false",
};

/** Describes the first fault, in this order: an unknown field, the address, the consent, the other fields. */
function explain(issues: z.core.$ZodIssue[], fields: Record<string, unknown>): string {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  if (unknown !== undefined) {
    const known = IMPORT_FIELDS.join(", ");
    return `The field ${quoteUnlessAddress(unknown)} is not known; the known ones are ${known}.`;
  }
  const field = IMPORT_FIELDS.find((name) => issues.some((issue) => issue.path[0] === name)) ?? "";
  if (field === "email") {
    const unseen = findInvisible(String(fields[field]));
    return unseen
      ? `The e-mail address holds ${nameInvisible(unseen)}; remove it.`
      : "The e-mail address is missing or not valid.";
  }
  if (field === "consentedAt" && fields[field] === undefined) {
    return "There is no consent time (consentedAt).";
  }
  const given = quoteUnlessAddress(fields[field]);
  return `The field ${field} is ${given}; it must be ${NEEDED[field]}.`;
}

function quoteUnlessAddress(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.includes("@") ? "(not shown, as it may be an address)" : quote(text);
}
