/**
 * Finds an offered answer by its name. The self-service page offers answers about role and use case (`building`).
 * @module
 */
import type { SLUG_ANSWERS } from "../../shared/person_schema.ts";

/** The name of a field whose value is the slug of an answer. */
type AnswerName = typeof SLUG_ANSWERS[number];

/**
 * The answers that people can choose on the self-service page: for each slug, the name of the answer in each language.
 */
export type OfferedAnswers = { [Name in AnswerName]?: Record<string, Record<string, string>> };

/** Returns the slug of the offered answer that a text means; `undefined` if the text means no answer, or several. */
export type FindAnswer = (name: AnswerName, text: string) => string | undefined;

/**
 * Makes the function that finds offered answers. A text means an answer if it is the slug or a name of the answer;
 * case, spaces, hyphens and underscores do not matter. For example, `Software Engineer` means `software-engineer`.
 */
export function createAnswerFinder({ role = {}, building = {} }: OfferedAnswers = {}): FindAnswer {
  const slugs = { role: slugsByText(role), building: slugsByText(building) };
  return (name, text) => slugs[name].get(comparable(text));
}

/**
 * Returns, for each text that means an answer, the slug of the answer. For a text that means several answers, the map
 * has `undefined`.
 */
function slugsByText(
  answers: Record<string, Record<string, string>>,
): Map<string, string | undefined> {
  const slugs = new Map<string, string | undefined>();
  for (const [slug, names] of Object.entries(answers)) {
    for (const text of new Set([slug, ...Object.values(names)].map(comparable))) {
      slugs.set(text, slugs.has(text) ? undefined : slug);
    }
  }
  return slugs;
}

/** Gives a text in a form in which case, spaces, hyphens and underscores make no difference. */
function comparable(text: string): string {
  return text.trim().normalize("NFC").toLowerCase().replace(/[\s_-]+/g, "-");
}
