import { type Html, markup } from "../../content/mod.ts";
import { type Fields, hidden } from "../fields.ts";
import { FORM_ID } from "../form_cookie.ts";
import { PATHS } from "../layout.ts";
import { hiddenPerson } from "./list_query.ts";
import { PERSON_PATHS } from "./paths.ts";
import { type ConsolePage, type PageContext, seeOther, type View } from "../page_context.ts";

/** An action that only a form asks for; who opens its path otherwise gets the list. */
export function actionPage(path: string, post: NonNullable<ConsolePage["post"]>): ConsolePage {
  return { path, get: () => Promise.resolve(seeOther(PATHS.people)), post };
}

/** A page about the person whose address a form brings; the form leads to a page that can be loaded again. */
interface PageAboutPerson {
  path: string;
  show: (pageContext: PageContext, form: Fields) => Promise<View> | View;
  /** The action that the page's own form starts. */
  action?: {
    /** Tells the page's own form from one that only leads to the page. */
    isAskedBy: (form: Fields) => boolean;
    run: (pageContext: PageContext, form: Fields) => Promise<View | Response>;
  };
}

/** Makes the page. */
export function pageAboutPerson({ path, show, action }: PageAboutPerson): ConsolePage {
  return {
    path,
    async get(pageContext) {
      const { form, query } = pageContext;
      if (form?.has("email")) return await show(pageContext, form);
      // The list says so where the page has expired.
      return seeOther(query.has(FORM_ID) && !form ? `${PATHS.people}?${FORM_ID}` : PATHS.people);
    },
    async post(pageContext, form) {
      if (action?.isAskedBy(form)) return await action.run(pageContext, form);
      return await pageContext.redirectWith(path, form) ?? await show(pageContext, form);
    },
  };
}

/** What a page asks before an action on a person. */
interface Question {
  /** The path that the form is sent to. */
  path: string;
  /** The question. */
  title: string;
  /** What the action does. */
  body: Html;
  /** The words of the buttons. */
  submit: string;
  cancel: string;
}

/** Asks before an action on a person, whom a form brings. The answer has the field `confirmed=yes`. */
export function askAboutPerson(
  form: Fields,
  { path, title, body, submit, cancel }: Question,
): View {
  return {
    title,
    body: markup`<p class="address">${form.get("email")}</p>
${body}
<div class="actions">
<form method="post" action="${path}">
${hiddenPerson(form)}
${hidden("confirmed", "yes")}
<button class="danger" type="submit">${submit}</button>
</form>
<form method="post" action="${PERSON_PATHS.person}">
${hiddenPerson(form)}
<button type="submit">${cancel}</button>
</form>
</div>`,
  };
}
