/**
 * Parts of a text that are there under a condition:
 *
 * ```md
 * {{if mail}}
 *
 * A letter is on its way.
 *
 * {{else}}
 *
 * We will write to you.
 *
 * {{end}}
 * ```
 *
 * @module
 */

/**
 * The conditions: whether letters are sent, and whether other sites may show the form in a frame; and, on the page of
 * a person, the state of the person.
 */
export const CONDITIONS = ["mail", "embed", "unconfirmed", "waiting", "invited"] as const;

/** A condition. */
export type Condition = typeof CONDITIONS[number];

/**
 * Leaves out the parts whose condition does not hold.
 *
 * @throws an Error that names an unknown condition, or a line that begins or ends no part
 */
export function chooseParts(text: string, holding: readonly Condition[]): string {
  const chosen = text.replace(PART, (_, name: string, part: string, otherwise = "") => {
    if (!CONDITIONS.some((condition) => condition === name)) {
      throw new Error(
        `{{if ${name}}} has no condition; the conditions are ${CONDITIONS.join(", ")}`,
      );
    }
    return holding.some((condition) => condition === name) ? part : otherwise;
  });
  const [left] = /\{\{(?:if [^}]*|else|end)\}\}/.exec(chosen) ?? [];
  if (left === undefined) return chosen;
  throw new Error(`${left} must be on a line of its own, between {{if …}} and {{end}} of one part`);
}

/** The lines of a part, each of which is a line of its own. */
const PART = /^\{\{if ([^}]*)\}\}\n([\s\S]*?)(?:^\{\{else\}\}\n([\s\S]*?))?^\{\{end\}\}\n/gm;
