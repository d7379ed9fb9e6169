/**
 * The optional answers of a person about role and use case (`building`). This file changes the answers, and limits how
 * many different values (slugs) they may have. @module
 */
import { MAX_SLUGS, SLUG_ANSWERS } from "../../shared/person_schema.ts";
import type { SignUpRecord } from "./record.ts";

/** The slugs that the store knows, for each answer whose value is a slug. */
export type KnownSlugs = Record<typeof SLUG_ANSWERS[number], string[]>;

/** New answers of a person. `null` removes the stored answer; if a member is absent, the stored answer stays. */
export type NewAnswers = { [Name in keyof KnownSlugs]?: string | null };

/**
 * Changes the answers in a record; gives `record` itself if nothing changes.
 * @param at the present moment, a date-time
 */
export function changeAnswers(
  record: SignUpRecord,
  answers: NewAnswers,
  at: string,
): SignUpRecord {
  const given = SLUG_ANSWERS.filter((name) => answers[name] !== undefined);
  if (given.every((name) => (record[name] ?? null) === answers[name])) return record;
  const changed = { ...record, updatedAt: at };
  for (const name of given) {
    const slug = answers[name];
    // An empty text removes the answer as `null` does.
    if (slug) changed[name] = slug;
    else delete changed[name];
  }
  return changed;
}

/**
 * Adds the slugs in answers to the known slugs. Refuses a new slug if the store already knows {@linkcode MAX_SLUGS}
 * slugs for its answer.
 */
export function learnSlugs(
  known: KnownSlugs,
  answers: { [Name in keyof KnownSlugs]?: string | undefined },
): { slugs: KnownSlugs } | { refused: string } {
  let slugs = known;
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
