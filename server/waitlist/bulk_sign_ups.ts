/**
 * Sign-ups that arrive in bulk, by import or restore: what becomes of each, and of the records.
 *
 * @module
 */
import type { SignUpRecord } from "./record.ts";
import { CounterChanges } from "./statistics.ts";

/** One sign-up that arrives. */
export interface BulkSignUp {
  /** Lower-cased. */
  email: string;
  answers: { role?: string | undefined; building?: string | undefined };
  /**
   * When its owner consented, given only where this service was told so by the owner: an erasure before
   * that moment is over.
   */
  consentedAt?: string;
  /** Makes the record of what is kept; gives back what it got where nothing changes. */
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

/** What is kept before bulk sign-ups are stored. */
export interface StoredState {
  /** By address. */
  records: ReadonlyMap<string, SignUpRecord>;
  /** Addresses whose record cannot be read; it is neither merged nor replaced. */
  unreadable: ReadonlySet<string>;
  /** When addresses were erased, which nothing but a later sign-up by their owner brings back. */
  erased: ReadonlyMap<string, string>;
  slugs: KnownSlugs;
}

/** What storing bulk sign-ups comes to. */
export interface BulkPlan {
  /** One for each bulk sign-up, in their order. */
  outcomes: ImportOutcome[];
  /** The records that are to be written, by address. */
  records: Map<string, SignUpRecord>;
  counters: CounterChanges;
  /** The slugs known afterwards; the very object that was given where none is new. */
  slugs: KnownSlugs;
}

/** Says what becomes of bulk sign-ups, taken one after the other; an address may come more than once. */
export function planBulkSignUps(bulkSignUps: BulkSignUp[], kept: StoredState): BulkPlan {
  const records = new Map<string, SignUpRecord>();
  let { slugs } = kept;
  const outcomes = bulkSignUps.map(({ email, answers, consentedAt = "", merge }): ImportOutcome => {
    if (kept.unreadable.has(email)) {
      return { refused: "The record of the address cannot be read; erase the address first." };
    }
    const existing = records.get(email) ?? kept.records.get(email);
    const erasedAt = kept.erased.get(email);
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
  for (const [email, record] of records) counters.replace(kept.records.get(email), record);
  return { outcomes, records, counters, slugs };
}

/** The slugs once a bulk sign-up's own are known too, or a refusal where there is no room for one. */
function learnSlugs(
  slugs: KnownSlugs,
  answers: BulkSignUp["answers"],
): { slugs: KnownSlugs } | { refused: string } {
  for (const name of SLUG_ANSWERS) {
    const slug = answers[name];
    if (slug === undefined || slugs[name].includes(slug)) continue;
    if (slugs[name].length >= MAX_SLUGS) {
      return {
        refused:
          `The field ${name} is '${slug}', and there is no room for it: there are ${MAX_SLUGS} ` +
          "different ones at the most.",
      };
    }
    slugs = { ...slugs, [name]: [...slugs[name], slug] };
  }
  return { slugs };
}
