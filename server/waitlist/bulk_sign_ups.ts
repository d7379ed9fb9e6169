/** What becomes of the sign-ups of an import or a restore, and of the records. @module */
import { MAX_SLUGS, SLUG_ANSWERS } from "../../shared/person_schema.ts";
import type { SignUpRecord } from "./record.ts";
export { MAX_SLUGS, SLUG_ANSWERS };

/** A sign-up of an import or a restore. */
export interface BulkSignUp {
  /** Lower-cased. */
  email: string;
  answers: { [Name in keyof KnownSlugs]?: string | undefined };
  /** A date-time; an erasure before it does not count, as the owner has signed up since. */
  consentedAt: string;
  /** Gives `existing` itself where nothing changes. */
  merge: (existing: SignUpRecord | undefined) => SignUpRecord;
}

/** A refusal is a sentence that never holds the address. */
export type ImportOutcome = "new" | "merged" | "unchanged" | "erased" | { refused: string };

export type KnownSlugs = Record<typeof SLUG_ANSWERS[number], string[]>;

/** `null` takes an answer away, and one that is absent stays. */
export type NewAnswers = { [Name in keyof KnownSlugs]?: string | null };

/** Changes role and use case; gives `record` itself where nothing changes. @param at a date-time */
export function changeAnswers(record: SignUpRecord, answers: NewAnswers, at: string) {
  const given = SLUG_ANSWERS.filter((name) => answers[name] !== undefined);
  if (given.every((name) => (record[name] ?? null) === answers[name])) return record;
  const changed = { ...record, updatedAt: at };
  for (const name of given) {
    const slug = answers[name];
    if (slug) changed[name] = slug;
    else delete changed[name];
  }
  return changed;
}

export interface StoredState {
  records: ReadonlyMap<string, SignUpRecord | undefined>;
  /** Addresses whose records are neither merged nor replaced, as they cannot be read. */
  unreadable: ReadonlySet<string>;
  /** When addresses were erased, date-times; only a later sign-up by the owner brings one back. */
  erased: ReadonlyMap<string, string>;
  slugs: KnownSlugs;
}

/** Decides on bulk sign-ups in their order; gives outcomes, changed records, and the slugs, the same if none is new. */
export function planBulkSignUps(bulkSignUps: BulkSignUp[], stored: StoredState) {
  const records = new Map<string, SignUpRecord>();
  let { slugs } = stored;
  const outcomes = bulkSignUps.map(({ email, answers, consentedAt, merge }): ImportOutcome => {
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

/** Refuses answers where there is no room for their slugs. */
export function learnSlugs(
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
