/**
 * What the pages about one person have in common: the address comes with a form, as no URL has it.
 *
 * @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import {
  button,
  confirmView,
  type Fields,
  type HandedOn,
  isConfirmed,
  postForm,
} from "../components.ts";
import { type FailedCall, failedView } from "../failures.ts";
import { FORM_ID } from "../cookies.ts";
import { PATHS } from "../layout.ts";
import { type ConsolePage, type PageContext, seeOther, type View } from "../page_context.ts";
import { listFields, PERSON_PATH } from "./list.ts";

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
      const { form, hasExpired } = pageContext;
      if (form?.has("email")) return await show(pageContext, form);
      // The list says so where the page has expired.
      return seeOther(hasExpired ? `${PATHS.people}?${FORM_ID}` : PATHS.people);
    },
    async post(pageContext, form) {
      if (action?.isAskedBy(form)) return await action.run(pageContext, form);
      return await pageContext.redirectWith(path, form) ?? await show(pageContext, form);
    },
  };
}

/** Hands a person on in a form, and the query of the list that led to the person. */
export function personFields(form: Fields): HandedOn {
  return { email: form.get("email"), ...listFields(form) };
}

/** Asks for the person whose address a form brings. */
export function showPerson({ operations }: PageContext, form: Fields) {
  const body = { email: form.get("email")?.trim() ?? "" };
  return operations.POST("/operator/v1/signups/show", { body });
}

/** Shows why an operation about a person failed. */
export function failedPerson(
  failed: FailedCall,
  { texts }: PageContext,
  title: string = texts.person.person,
): View {
  const known = { not_found: texts.person.notOnList };
  return failedView(failed, texts, { title, back: PATHS.people, known });
}

/** An action on a person that a page asks about first. */
interface AskedAction {
  path: string;
  /** The keys of the question, and of the words of the button. */
  title: "markTitle" | "eraseTitle";
  submit: "markUndeliverable" | "eraseNow";
  /** Says what the action does. */
  describe: (person: ShownSignup, texts: PageContext["texts"]["person"]) => Html;
  run: (pageContext: PageContext, form: Fields) => Promise<View | Response>;
}

/** Makes the page that asks, and acts once that is confirmed. */
export function askedAction({ path, title, submit, describe, run }: AskedAction): ConsolePage {
  return pageAboutPerson({
    path,
    async show(pageContext, given) {
      const { person: labels, words } = pageContext.texts;
      const shown = await showPerson(pageContext, given);
      if (!shown.data) return failedPerson(shown, pageContext, labels[title]);
      const fields = personFields(given);
      return confirmView({
        title: labels[title],
        body: markup`<p class="address">${given.get("email")}</p>
${describe(shown.data, labels)}`,
        action: path,
        fields,
        submit: labels[submit],
        cancel: postForm({ action: PERSON_PATH, fields }, button(words.cancel)),
      });
    },
    action: { isAskedBy: isConfirmed, run },
  });
}
