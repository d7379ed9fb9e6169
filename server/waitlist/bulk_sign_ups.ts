/**
 * Sign-ups that arrive in bulk: what becomes of the sign-ups of an import or a restore, and of the records
 * (decisions, "Sign-up").
 *
 * @module
 */
import type { SignUpRecord } from "./record.ts";

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
  records: ReadonlyMap<string, SignUpRecord | undefined>;
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
  return { outcomes, records, slugs };
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
