/** Describes the faults of a line of an import, for the operator who sent the line. @module */
import type { z } from "zod";
import { faultOfAddress } from "../../shared/import_file/address_fault.ts";
import { LANGS, SOURCES, STATES } from "../../shared/schemas.ts";
import { quote } from "../runtime/mod.ts";
import { IMPORT_FIELDS, type ImportField } from "./import_line_schema.ts";
import { MAX_NOTE_LENGTH } from "./note.ts";

const AND_LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Lists the allowed values of a field for a message, such as `'a', 'b' or 'c'`. */
function listValues(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(quoted);
}

// Descriptions of allowed values, for use in `EXPECTED`.
const DATE_TIME_FORM = "a date-time such as 2026-05-01T09:30:00Z";
const ID_CHARACTERS = "of the characters A-Z, a-z, 0-9, _ and -";
const REFERRAL_CODE_FORM = "a code of 10 characters A-Z, a-z and 0-9";
const SHORT_NAME_FORM = "a short name of 1 to 40 characters a-z, 0-9, _ and -";
const ANSWER_FORM = `one of the offered answers, or ${SHORT_NAME_FORM}`;

/** What the value of each field must be, for the message about a wrong value. The address has messages of its own. */
const EXPECTED: Record<Exclude<ImportField, "email">, string> = {
  consentedAt: DATE_TIME_FORM,
  createdAt: DATE_TIME_FORM,
  updatedAt: DATE_TIME_FORM,
  source: listValues(SOURCES),
  lang: listValues(LANGS),
  role: ANSWER_FORM,
  building: ANSWER_FORM,
  utmSource: SHORT_NAME_FORM,
  utmMedium: SHORT_NAME_FORM,
  utmCampaign: SHORT_NAME_FORM,
  note: `a text of at most ${MAX_NOTE_LENGTH} characters`,
  state: listValues(STATES),
  proof:
    "an object with requestedAt, consentText (1 to 100 printable characters) and confirmedAt, " +
    "and the other members that an export has",
  invitedAt: DATE_TIME_FORM,
  invitationCode: `a code of 20 to 64 ${ID_CHARACTERS}`,
  wave: `an id of 1 to 64 ${ID_CHARACTERS}`,
  expiresAt: DATE_TIME_FORM,
  acceptedAt: DATE_TIME_FORM,
  reference: "an id of 1 to 200 printable characters",
  undeliverableAt: DATE_TIME_FORM,
  complainedAt: DATE_TIME_FORM,
  referralCode: REFERRAL_CODE_FORM,
  referrals: "a whole number of at least 0",
  referredBy: REFERRAL_CODE_FORM,
  referralCounts: "true or false",
  placeUrl: "a URL",
  invitationUrl: "a URL",
};

/**
 * Describes the faults of a line, each in a sentence that never has the address in it: first the unknown fields, and then
 * each wrong field in the order of the schema.
 *
 * @param issues the faults that the schema found
 * @param fields the fields of the line
 */
export function describeFaults(
  issues: z.core.$ZodIssue[],
  fields: Record<string, unknown>,
): string[] {
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => [...issue.path, key].join("."))
      : []
  );
  const wrong = new Set(
    issues.flatMap(({ code, path }) => code === "unrecognized_keys" ? [] : path.slice(0, 1)),
  );
  return [
    ...unknown.length > 0 ? [describeUnknown(unknown)] : [],
    ...IMPORT_FIELDS.filter((field) => wrong.has(field))
      .map((field) => describeWrongValue(field, fields[field])),
  ];
}

/** Names the fields of a line, or members of its proof, that are not known. */
function describeUnknown(names: string[]): string {
  const shownNames = AND_LIST.format(names.map(quoteUnlessAddress));
  const subject = names.length === 1
    ? `The field ${shownNames} is`
    : `The fields ${shownNames} are`;
  return `${subject} not known; the known ones are ${IMPORT_FIELDS.join(", ")}.`;
}

/** Says which value a field must have. */
function describeWrongValue(field: ImportField, value: unknown): string {
  if (field === "email") return faultOfAddress(value) ?? "The e-mail address is not valid.";
  if (field === "consentedAt" && value === undefined) {
    return "There is no consent time (consentedAt).";
  }
  return `The field ${field} is ${quoteUnlessAddress(value)}; it must be ${EXPECTED[field]}.`;
}

/** Quotes a value of a line, unless it may be an address. */
function quoteUnlessAddress(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.includes("@") ? "(not shown, as it may be an address)" : quote(text);
}
