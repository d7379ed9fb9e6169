/** Chooses the parts of a text that stand between `{{if mail}}` and `{{end}}`, by their conditions. @module */
import { STATES } from "../../shared/schemas.ts";

/**
 * The conditions that `{{if …}}` can name. `content/README.md` explains them. The text of the self-service page can
 * also name the states of the person.
 */
const CONDITIONS = [
  /** The service sends letters. */
  "mail",
  /** Other sites may show the form in a frame. */
  "embed",
  /** The service makes backups by itself. */
  "backups",
  /** The home page leads to the pages for developers. */
  "developers",
  /** The home page has the picture `dawn.svg`: the built-in picture or a picture of the overlay. */
  "sun",
  // Each condition from `tagline` to `address` holds if `brand.yaml` has the member with this name.
  "tagline",
  "headline",
  "promise",
  "picture",
  "address",
  /** The self-service page asks for role or use case. */
  "answers",
  /** The self-service page has the person's referral link. The page of an unconfirmed person has no such link. */
  "referrals",
  ...STATES,
] as const;

/** The name of a condition. */
export type Condition = typeof CONDITIONS[number];

/**
 * Matches a part of a text that has a condition. `{{if …}}`, `{{else}}` and `{{end}}` each have a line of their own.
 */
const PART = /^\{\{if ([^}]*)\}\}\n([\s\S]*?)(?:^\{\{else\}\}\n([\s\S]*?))?^\{\{end\}\}\n/gm;

/**
 * Removes the parts whose condition does not hold. If such a part has `{{else}}`, the text after `{{else}}` stays.
 *
 * @param trueConditions the conditions that hold
 * @throws an Error that names an unknown condition, or a line that belongs to no part
 */
export function chooseParts(text: string, trueConditions: readonly Condition[]): string {
  const chosenText = text.replace(PART, (_, name: Condition, part: string, otherwise = "") => {
    if (CONDITIONS.includes(name)) return trueConditions.includes(name) ? part : otherwise;
    throw new Error(`{{if ${name}}} has no condition; the conditions are ${CONDITIONS.join(", ")}`);
  });
  const [unmatched] = /\{\{(?:if [^}]*|else|end)\}\}/.exec(chosenText) ?? [];
  if (unmatched === undefined) return chosenText;
  throw new Error(
    `${unmatched} must be on a line of its own, between {{if …}} and {{end}} of one part`,
  );
}
