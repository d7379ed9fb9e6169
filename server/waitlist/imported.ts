/**
 * What a line of an import may say, and how it merges with what is kept (decisions, "Sign-up").
 *
 * @module
 */
import { z } from "zod";
import { DEFAULT_LANG, type SignUp, type SignUpRecord } from "./record.ts";
import { signUpSchema } from "./sign_up.ts";

/** A valid sign-up from elsewhere. Its times are date-times in UTC, none of them in the future. */
export interface ImportedSignUp extends SignUp {
  consentedAt: string;
  /** The first sign-up; `consentedAt` where it is absent. */
  createdAt?: string;
  /** The last change, as an export knows it. */
  updatedAt?: string;
  role?: string;
  building?: string;
}

const { email, source, lang } = signUpSchema.shape;

const slug = z.string().regex(/^[a-z0-9_-]{1,40}$/).exactOptional();

const time = z.iso.datetime({ offset: true });

/** A line, without the optional fields that are `null` or empty. */
export const importLineSchema = z.strictObject({
  email,
  consentedAt: time,
  createdAt: time.exactOptional(),
  updatedAt: time.exactOptional(),
  source,
  lang,
  role: slug,
  building: slug,
});

/** The fields of a line, in the order in which they are asked for. */
export const IMPORT_FIELDS = Object.keys(importLineSchema.shape);

/** A valid line, or a sentence that says why it is refused and never holds the address. */
export type ImportVerdict = { imported: ImportedSignUp } | { reason: string };

/**
 * Validates a line of NDJSON. An optional field that is `null` or an empty text counts as absent.
 *
 * @param now milliseconds since 1970
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

const TIMES = ["consentedAt", "createdAt", "updatedAt"] as const;

/** A date-time as it is kept. Most are, and making one anew takes longer than all else of a line. */
const CANONICAL = /^.{10}T.{8}\.\d{3}Z$/;

/** The first moment whose text sorts as it should; an offset leads to the year before, which has a sign. */
const EARLIEST = Date.parse("0000-01-01T00:00:00Z");

function inUtc(line: z.infer<typeof importLineSchema>, now: number): ImportVerdict {
  const imported: ImportedSignUp = { ...line, email: line.email.toLowerCase() };
  for (const name of TIMES) {
    const given = line[name];
    if (given === undefined) continue;
    const moment = Date.parse(given);
    if (moment > now) return { reason: `The field ${name} is '${given}', which is in the future.` };
    if (moment < EARLIEST) return { reason: `The field ${name} is '${given}', too early a year.` };
    if (!CANONICAL.test(given)) imported[name] = new Date(moment).toISOString();
  }
  return { imported };
}

/** Names the fault that comes first: an unknown field, the address, the consent, then the rest. */
function explain(issues: z.core.$ZodIssue[], fields: Record<string, unknown>): string {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  if (unknown !== undefined) {
    return `The field ${quote(unknown)} is not known; the known ones are ${
      IMPORT_FIELDS.join(", ")
    }.`;
  }
  const field = IMPORT_FIELDS.find((name) => issues.some((issue) => issue.path[0] === name));
  switch (field) {
    case "email":
      return "The e-mail address is missing or not valid.";
    case "consentedAt":
      if (fields.consentedAt === undefined) return "There is no consent time (consentedAt).";
      return faultOf(field, fields, "a date-time such as 2026-05-01T09:30:00Z");
    case "createdAt":
    case "updatedAt":
      return faultOf(field, fields, "a date-time such as 2026-05-01T09:30:00Z");
    case "source":
      return faultOf(field, fields, "'hero' or 'cta'");
    case "lang":
      return faultOf(field, fields, "'en' or 'de'");
    default:
      return faultOf(
        String(field),
        fields,
        "a slug of 1 to 40 characters a-z, 0-9, _ and -",
      );
  }
}

function faultOf(name: string, fields: Record<string, unknown>, needed: string): string {
  return `The field ${name} is ${quote(fields[name])}; it must be ${needed}.`;
}

/** Shows a value of the line, cut to a length that stays readable. An address stays out. */
function quote(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.includes("@")) return "(not shown, as it may be an address)";
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`.toWellFormed();
}

/**
 * Merges a line into what is kept of its address, as a sign-up does: an answer that it gives replaces,
 * one that it leaves out stays. The earliest `createdAt` and the latest `consentedAt` are kept.
 *
 * @param existing what is kept, `undefined` for a new address
 * @param now the moment of the import, a date-time
 * @returns `existing` itself where the line changes nothing, so that a second run writes nothing
 */
export function mergeImported(
  existing: SignUpRecord | undefined,
  imported: ImportedSignUp,
  now: string,
): SignUpRecord {
  const { email: _, consentedAt, createdAt = consentedAt, updatedAt = now, ...answers } = imported;
  if (!existing) return { lang: DEFAULT_LANG, createdAt, consentedAt, updatedAt, ...answers };
  const merged = { ...existing, ...answers, ...outerTimes(existing, { createdAt, consentedAt }) };
  return isSame(merged, existing) ? existing : { ...merged, updatedAt: now };
}

/**
 * Puts a record of a backup below what has been kept since: where both have an answer, the kept one is
 * the newer.
 *
 * @returns `existing` itself where the record changes nothing
 */
export function mergeRestored(
  existing: SignUpRecord | undefined,
  restored: SignUpRecord,
): SignUpRecord {
  if (!existing) return restored;
  const merged = { ...restored, ...existing, ...outerTimes(existing, restored) };
  return isSame(merged, existing) ? existing : merged;
}

type Times = Pick<SignUpRecord, "createdAt" | "consentedAt">;

/** The first sign-up and the latest consent of two; date-times in UTC sort as text. */
function outerTimes(a: Times, b: Times): Times {
  return {
    createdAt: a.createdAt < b.createdAt ? a.createdAt : b.createdAt,
    consentedAt: a.consentedAt > b.consentedAt ? a.consentedAt : b.consentedAt,
  };
}

function isSame(a: SignUpRecord, b: SignUpRecord): boolean {
  const names = Object.keys({ ...a, ...b }) as (keyof SignUpRecord)[];
  return names.every((name) => a[name] === b[name]);
}
