import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import { failedView, faultNote } from "../components.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";

/** Finds the person whose id is in the path, or gives the page that says why there is none. */
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
  const shown = await operations.showSignup({ id: personId });
  if (!("failure" in shown)) return shown;
  const known = { not_found: labels.notOnList };
  return failedView(shown, texts, { title: labels.person, back: PATHS.people, known });
}
