/** What the pages of one person share: they find the person by the path, and link to the page of the person. @module */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import { failedView, faultNote } from "../components.ts";
import { pathWith } from "../forms.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";

/**
 * Finds the person whose id is in the path, or returns the page that says why the person cannot be shown. Only the page
 * has the member `body`.
 */
export async function findPerson(pageContext: PageContext): Promise<ShownSignup | View> {
  const { operations, personId, texts } = pageContext;
  const { person: labels, words } = texts;
  if (personId === undefined) {
    return {
      title: labels.person,
      status: 404,
      body: markup`${faultNote(labels.notOnList)}
<p><a href="${PATHS.people}">${words.back}</a></p>`,
    };
  }
  const outcome = await operations.showSignup({ id: personId });
  if (!("failure" in outcome)) return outcome;
  const messages = { not_found: labels.notOnList };
  return failedView(outcome, texts, { title: labels.person, back: PATHS.people, messages });
}

/**
 * The values of the query parameter `done`, with which the page of a person says what was done. Each value is the name
 * of a sentence in the texts of the page.
 */
export const DONE_NAMES = [
  "reminded",
  "marked",
  "lifted",
  "corrected",
  "answered",
  "noted",
  "renewed",
  "resent",
  "retried",
] as const;

/**
 * Returns the path of the page of a person, with the query of the list from which the operator came.
 *
 * @param options.done what was done, for the page to say
 * @param options.subpath the rest of the path, such as `/correct`
 */
export function pathOfPerson(
  { personPath, query }: Pick<PageContext, "personPath" | "query">,
  { id = "" }: ShownSignup,
  { done, subpath }: { done?: typeof DONE_NAMES[number]; subpath?: string } = {},
): string {
  return pathWith(personPath(id, subpath), { done, list: query.get("list") });
}
