/** Decides on the sign-ups of an import or a restore, many at once. @module */
import { type KnownSlugs, learnSlugs, type SlugsToLearn } from "./answers.ts";
import type { SignUpRecord } from "./record.ts";

/** A sign-up of an import or a restore. */
export interface BulkSignUp {
  /** The lower-cased address. */
  email: string;
  answers: SlugsToLearn;
  /** The moment of the consent, a date-time. An erasure before the consent does not stop this sign-up. */
  consentedAt: string;
  /** Makes the new record from the existing record, if there is one. Gives `existing` itself if nothing changes. */
  merge: (existing: SignUpRecord | undefined) => SignUpRecord;
}

/**
 * The result for one sign-up. `staysErased` means that the address was erased after the consent, and is not stored
 * again. The text of a refusal is a sentence that never has the address in it.
 */
export type BulkOutcome = "new" | "merged" | "unchanged" | "staysErased" | { refused: string };

/** The stored data that a decision on bulk sign-ups needs. The keys of the maps are addresses. */
export interface StoredBulkData {
  records: ReadonlyMap<string, SignUpRecord | undefined>;
  /** The addresses whose records cannot be read. A sign-up of such an address is refused. */
  unreadable: ReadonlySet<string>;
  /**
   * The moments at which addresses were erased, as date-times. A sign-up of an erased address without a record is
   * stored only if the consent was given after the erasure.
   */
  erasureMoments: ReadonlyMap<string, string>;
  slugs: KnownSlugs;
}

/** The decisions on bulk sign-ups, and what to store for them. */
export interface BulkPlan {
  /** An outcome for each sign-up, in the order of the sign-ups. */
  outcomes: BulkOutcome[];
  /** The new and changed records, by address. */
  records: Map<string, SignUpRecord>;
  /** The slugs of answers that the store will know after these sign-ups. */
  slugs: KnownSlugs;
}

/**
 * Decides on bulk sign-ups, one after the other, so that a later sign-up of the same address sees the record of an
 * earlier sign-up.
 */
export function planBulkSignUps(bulkSignUps: BulkSignUp[], stored: StoredBulkData): BulkPlan {
  const records = new Map<string, SignUpRecord>();
  let { slugs } = stored;
  const outcomes = bulkSignUps.map(({ email, answers, consentedAt, merge }): BulkOutcome => {
    if (stored.unreadable.has(email)) {
      return { refused: "The record of the address cannot be read; erase the address first." };
    }
    const existing = records.get(email) ?? stored.records.get(email);
    const erasedAt = stored.erasureMoments.get(email);
    if (!existing && erasedAt !== undefined && consentedAt <= erasedAt) return "staysErased";
    // A sign-up is refused because of the limit of slugs even if the merge would keep the stored answers.
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
