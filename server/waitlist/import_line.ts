/**
 * Defines the fields of a line of an import, and validates lines. `record.ts` merges the sign-up of a line with the
 * record of its address. @module
 */
import { z } from "zod";
import { findInvisible, nameInvisible } from "../../shared/invisible.ts";
import { parseMoment } from "../../shared/moments.ts";
import { WAVE_ID } from "../../shared/name_patterns.ts";
import { personSchema } from "../../shared/person_schema.ts";
import { REFERRAL_CODE } from "../../shared/referral_code.ts";
import { quote } from "../runtime/mod.ts";
import { MAX_NOTE_LENGTH, noteSchema } from "./note.ts";

/** The schema of a date-time with any offset from UTC. */
const dateTime = z.iso.datetime({ offset: true });

const { email, consentedAt, createdAt, updatedAt, source, lang, ...otherFields } =
  personSchema(dateTime).shape;

/**
 * Makes the schema of a text without control characters, format characters, line separators and lone surrogates,
 * because values are also shown in terminals and written as CSV. Characters of private use and unassigned characters
 * are allowed, because runtimes differ on which characters are assigned.
 *
 * @param lengths the least and the largest length, such as `1,200`
 */
const printable = (lengths: string) =>
  z.string().regex(new RegExp(`^[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]{${lengths}}$`, "u"));

/**
 * The schema of a text about a letter: the mail server's answer, or the `Message-ID`. Earlier versions could cut an
 * answer in the middle of a character. U+FFFD replaces the remaining half of this character, as in a CSV file.
 */
const letterText = z.string().transform((text) => text.toWellFormed()).pipe(printable("0,200"))
  .exactOptional();

const referralCode = z.string().regex(REFERRAL_CODE).exactOptional();

/**
 * The schema of a line, from which optional fields that are `null` or empty have already been removed. If several
 * fields have faults, the fault of the field that comes first here is reported.
 */
export const importLineSchema = z.strictObject({
  email,
  consentedAt,
  // An export always has `createdAt`, `updatedAt` and `lang`. A line from another system may lack them.
  createdAt: createdAt.exactOptional(),
  updatedAt: updatedAt.exactOptional(),
  source,
  lang: lang.exactOptional(),
  ...otherFields,
  // `personSchema` accepts any text for the following fields, because it is meant for people of the store. An import
  // must check these texts.
  note: noteSchema.exactOptional(),
  proof: otherFields.proof.unwrap()
    .extend({ consentText: printable("1,100"), answer: letterText, messageId: letterText })
    .exactOptional(),
  invitationCode: z.string().regex(/^[A-Za-z0-9_-]{20,64}$/).exactOptional(),
  wave: z.string().regex(WAVE_ID).exactOptional(),
  reference: printable("1,200").exactOptional(),
  referralCode,
  referredBy: referralCode,
  // Only the export of the people in a wave has this field.
  invitationUrl: z.string().exactOptional(),
});

type ValidLine = z.infer<typeof importLineSchema>;

/** The name of a field of a line. */
type Field = keyof ValidLine;

const FIELDS = importLineSchema.keyof().options;

/**
 * The fields that an export has only for its readers. An import ignores them, because the service makes their values
 * itself.
 */
const IGNORED_FIELDS = [
  "placeUrl",
  "invitationUrl",
  "referrals",
] as const satisfies readonly Field[];

/** The sign-up of a line: the lower-cased address, and the other fields with their times in UTC. */
export type ImportedSignUp = Omit<ValidLine, typeof IGNORED_FIELDS[number]>;

const DATE_TIME = "a date-time such as 2026-05-01T09:30:00Z";
const ID_CHARACTERS = "of the characters A-Z, a-z, 0-9, _ and -";
const CODE_OF_10 = "a code of 10 characters A-Z, a-z and 0-9";
const SLUG = "a slug of 1 to 40 characters a-z, 0-9, _ and -";

/** What each field must be, for the message about a wrong value. The address has messages of its own. */
const MUST_BE: Record<Exclude<Field, "email">, string> = {
  consentedAt: DATE_TIME,
  createdAt: DATE_TIME,
  updatedAt: DATE_TIME,
  source: "'hero' or 'cta'",
  lang: "'en' or 'de'",
  role: SLUG,
  building: SLUG,
  utmSource: SLUG,
  utmMedium: SLUG,
  utmCampaign: SLUG,
  note: `a text of at most ${MAX_NOTE_LENGTH} characters`,
  state: "'unconfirmed', 'waiting', 'invited' or 'accepted'",
  proof:
    "an object with requestedAt, consentText (1 to 100 printable characters) and confirmedAt, " +
    "and the other members that an export has",
  invitedAt: DATE_TIME,
  invitationCode: `a code of 20 to 64 ${ID_CHARACTERS}`,
  wave: `an id of 1 to 64 ${ID_CHARACTERS}`,
  expiresAt: DATE_TIME,
  acceptedAt: DATE_TIME,
  reference: "an id of 1 to 200 printable characters",
  undeliverableAt: DATE_TIME,
  complainedAt: DATE_TIME,
  referralCode: CODE_OF_10,
  referrals: "a whole number of at least 0",
  referredBy: CODE_OF_10,
  referralCounts: "true or false",
  placeUrl: "a URL",
  invitationUrl: "a URL",
};

/** The names of those fields of an object that are times. They all end in `At`. */
type TimeOf<Fields> = Extract<keyof Fields, `${string}At`>;

/** Whether a time must not be in the future (`past`), or may be any moment (`any`). */
type TimeRule = "past" | "any";

const TIMES: Record<TimeOf<ValidLine>, TimeRule> = {
  consentedAt: "past",
  createdAt: "past",
  updatedAt: "past",
  invitedAt: "past",
  expiresAt: "any",
  acceptedAt: "past",
  undeliverableAt: "past",
  complainedAt: "past",
};

const PROOF_TIMES: Record<TimeOf<NonNullable<ValidLine["proof"]>>, TimeRule> = {
  requestedAt: "any",
  putAt: "any",
  takenAt: "any",
  confirmedAt: "any",
};

/** The result of a validation. The reason of a refusal is a sentence that never has the address in it. */
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
  return toImported(parsed.data, now);
}

/** Makes the sign-up of a valid line, or gives the reason why a time of the line is refused. */
function toImported(line: ValidLine, now: number): ImportVerdict {
  const imported: ValidLine = { ...line, email: line.email.toLowerCase() };
  for (const name of IGNORED_FIELDS) delete imported[name];
  let reason = convertTimes(imported, TIMES, { now });
  if (reason === undefined && line.proof) {
    imported.proof = { ...line.proof };
    reason = convertTimes(imported.proof, PROOF_TIMES, { now, path: "proof." });
  }
  return reason === undefined ? { imported } : { reason };
}

type TimeName = keyof typeof TIMES | keyof typeof PROOF_TIMES;

/**
 * The form of a date-time that needs no conversion. The check saves time, because a conversion takes longer than all
 * other work on a line.
 */
const CANONICAL = /^.{10}T.{8}\.\d{3}Z$/;

/**
 * Converts the times in an object to UTC. The object itself is changed.
 *
 * @param options.path what a reason puts in front of the name of a time, such as `proof.`
 * @returns why a time is refused; `undefined` if all times are converted
 */
function convertTimes(
  times: Partial<Record<TimeName, string>>,
  rules: Partial<Record<TimeName, TimeRule>>,
  { now, path = "" }: { now: number; path?: string },
): string | undefined {
  // The cast is needed because the type of `Object.keys()` is a list of plain strings.
  for (const name of Object.keys(rules) as TimeName[]) {
    const given = times[name];
    if (given === undefined) continue;
    if (rules[name] === "past" && Date.parse(given) > now) {
      return `The field ${path}${name} is '${given}', which is in the future.`;
    }
    if (CANONICAL.test(given)) continue;
    const moment = parseMoment(given);
    // A year with more or fewer than four digits is refused, because date-times with such years do not sort as text.
    if (moment === undefined) {
      return `The field ${path}${name} is '${given}', ` +
        "which is outside of the years 0000 to 9999 in UTC.";
    }
    times[name] = moment;
  }
  return undefined;
}

/**
 * Describes one fault of a line. An unknown field is described first, then the address, the consent, and the other
 * fields.
 */
function explain(issues: z.core.$ZodIssue[], fields: Record<string, unknown>): string {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  if (unknown !== undefined) {
    const known = FIELDS.join(", ");
    return `The field ${quoteUnlessAddress(unknown)} is not known; the known ones are ${known}.`;
  }
  // Every other issue is about the value of a field.
  const field = FIELDS.find((name) => issues.some(({ path }) => path[0] === name))!;
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
  return `The field ${field} is ${given}; it must be ${MUST_BE[field]}.`;
}

function quoteUnlessAddress(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.includes("@") ? "(not shown, as it may be an address)" : quote(text);
}
