/**
 * The schema and the fields of a line of an import. `import_line.ts` validates lines with this schema, and
 * `import_line_faults.ts` describes the faults of lines. @module
 */
import { z } from "zod";
import { WAVE_ID } from "../../shared/name_patterns.ts";
import { personSchema } from "../../shared/person_schema.ts";
import { REFERRAL_CODE } from "../../shared/referral_code.ts";
import { noteSchema } from "./note.ts";

/** The schema of a date-time with any offset from UTC. */
const dateTimeSchema = z.iso.datetime({ offset: true });

// The fields from `email` to `lang` are taken out by name, because `importLineSchema` puts them first, in this order.
const { email, consentedAt, createdAt, updatedAt, source, lang, ...otherFields } =
  personSchema(dateTimeSchema).shape;

/**
 * Makes the schema of a text without control characters, format characters, line separators and lone surrogates,
 * because values are also shown in terminals and written as CSV. Characters of private use are allowed, because they
 * do not control a terminal or a spreadsheet. Unassigned characters are allowed, because runtimes differ on which
 * characters are assigned.
 *
 * @param minLength the least length, in characters
 * @param maxLength the greatest length, in characters
 */
const printableSchema = (minLength: number, maxLength: number) =>
  z.string().regex(
    new RegExp(`^[^\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]{${minLength},${maxLength}}$`, "u"),
  );

/**
 * The schema of a text about a letter: the mail server's answer, or the `Message-ID`. Earlier versions could cut an
 * answer in the middle of a character, so the schema replaces a half of a character by U+FFFD.
 */
const letterTextSchema = z.string().transform((text) => text.toWellFormed())
  .pipe(printableSchema(0, 200))
  .exactOptional();

const referralCodeSchema = z.string().regex(REFERRAL_CODE).exactOptional();

/**
 * The schema of a line. Optional fields that are `null` or empty have been removed before the line is checked. The
 * faults of a line are reported in the order of {@linkcode IMPORT_FIELDS}.
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
  // `personSchema` accepts any text for the following fields, because it describes people who are already stored. An
  // import must check these texts.
  note: noteSchema.exactOptional(),
  proof: otherFields.proof.unwrap()
    .extend({
      consentText: printableSchema(1, 100),
      answer: letterTextSchema,
      messageId: letterTextSchema,
    })
    .exactOptional(),
  invitationCode: z.string().regex(/^[A-Za-z0-9_-]{20,64}$/).exactOptional(),
  wave: z.string().regex(WAVE_ID).exactOptional(),
  reference: printableSchema(1, 200).exactOptional(),
  referralCode: referralCodeSchema,
  referredBy: referralCodeSchema,
  // Only the export of the people in a wave has this field. An import does not store it.
  invitationUrl: z.string().exactOptional(),
});

/** A line that the schema accepts. */
export type ValidImportLine = z.infer<typeof importLineSchema>;

/** The name of a field of a line. */
export type ImportField = keyof ValidImportLine;

/** The fields of a line, in the order of the schema. */
export const IMPORT_FIELDS: readonly ImportField[] = importLineSchema.keyof().options;
