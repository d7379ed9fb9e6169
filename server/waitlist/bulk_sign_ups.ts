/**
 * Sign-ups that arrive in bulk: what a line of an import may say, and what becomes of the sign-ups of an
 * import or a restore and of the records (decisions, "Sign-up").
 *
 * @module
 */
import { z } from "zod";
import { quote } from "../quote.ts";
import type { ImportedSignUp, SignUpRecord } from "./record.ts";
import { signUpSchema } from "./sign_up.ts";
import { CounterChanges } from "./statistics.ts";

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

/** The fields of a line, in the order in which their faults are reported. */
export const IMPORT_FIELDS = Object.keys(importLineSchema.shape);

/** A valid line, or a sentence that says why the line is refused and never holds the address. */
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

/** A date-time as it is stored. Most are; making it again takes longer than the rest of a line. */
const CANONICAL = /^.{10}T.{8}\.\d{3}Z$/;

/** The first moment that sorts as text; an offset can lead to a moment before it, whose year has a sign. */
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

const DATE_TIME = "a date-time such as 2026-05-01T09:30:00Z";
const SLUG = "a slug of 1 to 40 characters a-z, 0-9, _ and -";

/** What the fields must be, but for the address. */
const NEEDED: Record<string, string> = {
  consentedAt: DATE_TIME,
  createdAt: DATE_TIME,
  updatedAt: DATE_TIME,
  source: "'hero' or 'cta'",
  lang: "'en' or 'de'",
  role: SLUG,
  building: SLUG,
};

/** Names the first fault: an unknown field, the address, the consent, then the other fields. */
function explain(issues: z.core.$ZodIssue[], fields: Record<string, unknown>): string {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys")?.keys[0];
  if (unknown !== undefined) {
    const known = IMPORT_FIELDS.join(", ");
    return `The field ${quoteUnlessAddress(unknown)} is not known; the known ones are ${known}.`;
  }
  const field = IMPORT_FIELDS.find((name) => issues.some((issue) => issue.path[0] === name)) ?? "";
  if (field === "email") return "The e-mail address is missing or not valid.";
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

/** A sign-up of an import or a restore. */
export interface BulkSignUp {
  /** Lower-cased. */
  email: string;
  answers: { role?: string | undefined; building?: string | undefined };
  /**
   * When the address's owner consented. Given only where the owner told this service so; an erasure before
   * that moment then no longer counts.
   */
  consentedAt?: string;
  /** Makes the new record; gives `existing` itself where nothing changes. */
  merge: (existing: SignUpRecord | undefined) => SignUpRecord;
}

/** What became of a bulk sign-up; a refusal is a sentence that never holds the address. */
export type ImportOutcome = "new" | "merged" | "unchanged" | "erased" | { refused: string };

/** The slugs that answers have used so far, by the answer's name. */
export interface KnownSlugs {
  role: string[];
  building: string[];
}

/** How many different slugs an answer may have (decisions, "Sign-up"). */
export const MAX_SLUGS = 64;

/** The answers that are slugs. */
export const SLUG_ANSWERS = ["role", "building"] as const;

/** What the store holds before bulk sign-ups are stored. */
export interface StoredState {
  /** By address. */
  records: ReadonlyMap<string, SignUpRecord>;
  /** Addresses whose records cannot be read; they are neither merged nor replaced. */
  unreadable: ReadonlySet<string>;
  /** When addresses were erased; only a later sign-up by the owner brings an address back. */
  erased: ReadonlyMap<string, string>;
  slugs: KnownSlugs;
}

/** What storing bulk sign-ups writes, and what becomes of them. */
export interface BulkPlan {
  /** One for each bulk sign-up, in their order. */
  outcomes: ImportOutcome[];
  /** The records that are to be written, by address. */
  records: Map<string, SignUpRecord>;
  counters: CounterChanges;
  /** The slugs that are known afterwards; the given object itself where no slug is new. */
  slugs: KnownSlugs;
}

/** Decides on bulk sign-ups, one after the other; an address may come more than once. */
export function planBulkSignUps(bulkSignUps: BulkSignUp[], stored: StoredState): BulkPlan {
  const records = new Map<string, SignUpRecord>();
  let { slugs } = stored;
  const outcomes = bulkSignUps.map(({ email, answers, consentedAt = "", merge }): ImportOutcome => {
    if (stored.unreadable.has(email)) {
      return { refused: "The record of the address cannot be read; erase the address first." };
    }
    const existing = records.get(email) ?? stored.records.get(email);
    const erasedAt = stored.erased.get(email);
    if (!existing && erasedAt !== undefined && consentedAt <= erasedAt) return "erased";
    const learned = learnSlugs(slugs, answers);
    if ("refused" in learned) return learned;
    const record = merge(existing);
    if (record === existing) return "unchanged";
    slugs = learned.slugs;
    records.set(email, record);
    return existing ? "merged" : "new";
  });
  const counters = new CounterChanges();
  for (const [email, record] of records) counters.replace(stored.records.get(email), record);
  return { outcomes, records, counters, slugs };
}

/** Adds a bulk sign-up's slugs to the known ones, or refuses it where there is no room for them. */
function learnSlugs(
  slugs: KnownSlugs,
  answers: BulkSignUp["answers"],
): { slugs: KnownSlugs } | { refused: string } {
  for (const name of SLUG_ANSWERS) {
    const slug = answers[name];
    if (slug === undefined || slugs[name].includes(slug)) continue;
    if (slugs[name].length >= MAX_SLUGS) {
      const refused = `The field ${name} is '${slug}', and there is no room for it: ` +
        `there are ${MAX_SLUGS} different ones at the most.`;
      return { refused };
    }
    slugs = { ...slugs, [name]: [...slugs[name], slug] };
  }
  return { slugs };
}
