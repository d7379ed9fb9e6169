/** What a line of an import may say. @module */
import { z } from "zod";
import { keptEmailSchema } from "../../shared/email_schema.ts";
import { parseMoment } from "../../shared/moments.ts";
import { findInvisible, nameInvisible } from "../../shared/invisible.ts";
import { WAVE_ID } from "../../shared/people_query.ts";
import { personSchema } from "../../shared/person_schema.ts";
import { quote } from "../runtime/mod.ts";
export { WAVE_ID } from "../../shared/people_query.ts";

const time = z.iso.datetime({ offset: true });

const { email: _, createdAt, consentedAt, updatedAt, lang, source, ...further } =
  personSchema(time).shape;

/**
 * Printable, without lone surrogates: lists are CSV too, and people's data is shown in terminals. Characters of private
 * use are taken, and unassigned ones, because each runtime knows others.
 */
const textOf = (lengths: string) =>
  z.string().regex(new RegExp(`^[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]{${lengths}}$`, "u"));
const textTo = (length: number) => textOf(`1,${length}`);

/** Earlier versions cut an answer within a character; a CSV file holds U+FFFD for such a half, and so does this. */
const ofLetter = z.string().transform((text) => text.toWellFormed()).pipe(textOf("0,200"))
  .exactOptional();

/** Optional fields that are `null` or empty have been removed. */
export const importLineSchema = z.strictObject({
  // An export may have addresses that are longer than those of new sign-ups.
  email: keptEmailSchema,
  consentedAt,
  createdAt: createdAt.exactOptional(),
  updatedAt: updatedAt.exactOptional(),
  source,
  lang: lang.exactOptional(),
  ...further,
  proof: further.proof.unwrap()
    .extend({ consentText: textTo(100), answer: ofLetter, messageId: ofLetter }).exactOptional(),
  invitationCode: z.string().regex(/^[A-Za-z0-9_-]{20,64}$/).exactOptional(),
  wave: z.string().regex(WAVE_ID).exactOptional(),
  reference: textTo(200).exactOptional(),
  invitationUrl: z.string().exactOptional(),
});

/** Times are date-times in UTC, none of them in the future. */
export type ImportedSignUp = Omit<
  z.infer<typeof importLineSchema>,
  "placeUrl" | "invitationUrl"
>;

/** The fields of a line, in the order in which their faults are reported. */
const IMPORT_FIELDS = Object.keys(importLineSchema.shape);

/** The reason never holds the address. */
export type ImportVerdict = { imported: ImportedSignUp } | { reason: string };

/** An optional field that is `null` or an empty text counts as absent. */
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
  ...["consentedAt", "createdAt", "updatedAt", "invitedAt", "expiresAt", "acceptedAt"] as const,
  ...["undeliverableAt", "complainedAt"] as const,
];

/** Most date-times are so; making one again takes longer than the rest of a line. */
const CANONICAL = /^.{10}T.{8}\.\d{3}Z$/;

function inUtc(line: z.infer<typeof importLineSchema>, now: number): ImportVerdict {
  const { placeUrl: _, invitationUrl: _url, ...kept } = line;
  const imported: ImportedSignUp = { ...kept, email: line.email.toLowerCase() };
  for (const name of TIMES) {
    const given = line[name];
    if (given === undefined) continue;
    if (Date.parse(given) > now && name !== "expiresAt") {
      return { reason: `The field ${name} is '${given}', which is in the future.` };
    }
    if (CANONICAL.test(given)) continue;
    const moment = parseMoment(given);
    if (moment === undefined) return tooFar(name, given);
    imported[name] = moment;
  }
  if (line.proof) {
    imported.proof = { ...line.proof };
    for (const name of ["requestedAt", "putAt", "takenAt", "confirmedAt"] as const) {
      const given = line.proof[name];
      if (given === undefined) continue;
      const moment = parseMoment(given);
      if (moment === undefined) return tooFar(`proof.${name}`, given);
      imported.proof[name] = moment;
    }
  }
  return { imported };
}

/** An offset can lead to a year with a sign, which does not sort as text. */
const tooFar = (name: string, given: string): ImportVerdict => ({
  reason: `The field ${name} is '${given}', which is outside of the years 0000 to 9999 in UTC.`,
});

const DATE_TIME = "a date-time such as 2026-05-01T09:30:00Z";
const ID_CHARACTERS = "of the characters A-Z, a-z, 0-9, _ and -";
const SLUG = "a slug of 1 to 40 characters a-z, 0-9, _ and -";

const NEEDED: Record<string, string> = {
  ...Object.fromEntries(TIMES.map((name) => [name, DATE_TIME])),
  source: "'hero' or 'cta'",
  lang: "'en' or 'de'",
  role: SLUG,
  building: SLUG,
  state: "'unconfirmed', 'waiting', 'invited' or 'accepted'",
  proof:
    "an object with requestedAt, consentText (1 to 100 printable characters) and confirmedAt, " +
    "and what else an export has",
  invitationCode: `a code of 20 to 64 ${ID_CHARACTERS}`,
  wave: `an id of 1 to 64 ${ID_CHARACTERS}`,
  reference: "an id of 1 to 200 printable characters",
  placeUrl: "a URL",
  invitationUrl: "a URL",
};

/** The first fault of: an unknown field, the address, the consent, the other fields. */
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
