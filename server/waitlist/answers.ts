/**
 * The optional answers of a person about role and use case (`building`). This file changes the answers, and limits how
 * many different values (slugs) the answers of all people may have. @module
 */
import { MAX_SLUGS, SLUG_ANSWERS } from "../../shared/person_schema.ts";
import type { SignUpRecord } from "./record.ts";

/** The slugs that the store knows, for each answer whose value is a slug. */
export type KnownSlugs = Record<typeof SLUG_ANSWERS[number], string[]>;

/** Answers whose slugs the store may not know yet. A member is absent or `undefined` if there is no such answer. */
export type SlugsToLearn = { [Name in keyof KnownSlugs]?: string | undefined };

/**
 * The changes of a person's answers. `null` removes the stored answer; if a member is absent, the stored answer stays.
 */
export type AnswerChanges = { [Name in keyof KnownSlugs]?: string | null };

/**
 * Changes the answers in a record. Gives `record` itself if nothing changes.
 * @param at the present moment, a date-time
 */
export function changeAnswers(
  record: SignUpRecord,
  answers: AnswerChanges,
  at: string,
): SignUpRecord {
  const changedRecord = { ...record, updatedAt: at };
  let isChanged = false;
  for (const name of SLUG_ANSWERS) {
    const slug = answers[name];
    if (slug === undefined || slug === (record[name] ?? null)) continue;
    isChanged = true;
    if (slug === null) delete changedRecord[name];
    else changedRecord[name] = slug;
  }
  return isChanged ? changedRecord : record;
}

/**
 * Adds the slugs in answers to the slugs that the store knows. Refuses a new slug if the store already knows {@linkcode
 * MAX_SLUGS} slugs for this answer; `refused` is the sentence that says why.
 */
export function learnSlugs(
  knownSlugs: KnownSlugs,
  answers: SlugsToLearn,
): { slugs: KnownSlugs } | { refused: string } {
  let slugs = knownSlugs;
  for (const name of SLUG_ANSWERS) {
    const slug = answers[name];
    if (slug === undefined || slugs[name].includes(slug)) continue;
    if (slugs[name].length >= MAX_SLUGS) {
      const refused = `The field ${name} is '${slug}', and there is no room for it: ` +
        `the list has ${MAX_SLUGS} different values of this field already, which is the most.`;
      return { refused };
    }
    slugs = { ...slugs, [name]: [...slugs[name], slug] };
  }
  return { slugs };
}
