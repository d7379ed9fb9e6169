/** Decides on the sign-ups of an import or a restore, many at once, and limits the slugs of answers. @module */
import { MAX_SLUGS, SLUG_ANSWERS } from "../../shared/person_schema.ts";
import type { SignUpRecord } from "./record.ts";
export { MAX_SLUGS, SLUG_ANSWERS };

/** A sign-up of an import or a restore. */
export interface BulkSignUp {
  /** The lower-cased address. */
  email: string;
  answers: { [Name in keyof KnownSlugs]?: string | undefined };
  /** The moment of the consent, a date-time. An erasure before the consent does not stop this sign-up. */
  consentedAt: string;
  /** Makes the new record. Gives `existing` itself if nothing changes. */
  merge: (existing: SignUpRecord | undefined) => SignUpRecord;
}

/** What became of a sign-up. The text of a refusal is a sentence, and it never holds the address. */
export type ImportOutcome = "new" | "merged" | "unchanged" | "erased" | { refused: string };

/** For each answer that has slugs as values: the slugs that the store knows. */
export type KnownSlugs = Record<typeof SLUG_ANSWERS[number], string[]>;

/** New answers of a person. `null` removes the stored answer, and an absent member leaves the stored answer. */
export type NewAnswers = { [Name in keyof KnownSlugs]?: string | null };

/** Changes the answers of a record; gives `record` itself if nothing changes. @param at the present date-time */
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

/** The stored data that a decision on bulk sign-ups needs. The keys of the maps are addresses. */
export interface StoredState {
  records: ReadonlyMap<string, SignUpRecord | undefined>;
  /** The addresses whose records cannot be read. A sign-up of such an address is refused. */
  unreadable: ReadonlySet<string>;
  /** The moments at which addresses were erased, date-times. Only a later consent brings an erased address back. */
  erased: ReadonlyMap<string, string>;
  slugs: KnownSlugs;
}

/**
 * Decides on bulk sign-ups in their order. Gives the outcomes, the changed records, and the slugs of answers that the
 * store knows after these sign-ups.
 */
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

/** Adds the slugs in answers to the known slugs. Refuses a slug that would be one more than {@linkcode MAX_SLUGS}. */
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
