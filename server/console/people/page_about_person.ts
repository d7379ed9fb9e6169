/** What the pages about one person have in common: the address comes with a form, as no URL has it. @module */
import type { ShownSignup, ShowRequest } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import type { MaybePromise } from "../../runtime/mod.ts";
import {
  button,
  confirmView,
  type Fields,
  type HandedOn,
  isConfirmed,
  postForm,
} from "../form_fields.ts";
import { FORM_ID } from "../cookies.ts";
import { type FailedCall, failedView } from "../components.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { PERSON_PATH } from "./list.ts";
import { listFields } from "./list_query.ts";

/** An action that only a form asks for; who opens its path otherwise gets the list. */
export function actionPage(path: string, post: NonNullable<ConsolePage["post"]>): ConsolePage {
  return { path, get: () => seeOther(PATHS.people), post };
}

/** Makes a page about a person; the form that brings the address leads to a page that can be loaded again. */
export function pageAboutPerson(
  { path, show, isAskedFor, act }: {
    path: string;
    show: (pageContext: PageContext, form: Fields) => MaybePromise<View>;
    /** Tells a form that starts the page's action from one that only leads to the page. */
    isAskedFor?: (form: Fields) => boolean;
    act?: NonNullable<ConsolePage["post"]>;
  },
): ConsolePage {
  return {
    path,
    async get(pageContext) {
      const { form, hasExpired } = pageContext;
      if (form?.has("email")) return await show(pageContext, form);
      // The list says so where the page has expired.
      return seeOther(hasExpired ? `${PATHS.people}?${FORM_ID}` : PATHS.people);
    },
    async post(pageContext, form) {
      if (act && isAskedFor?.(form)) return await act(pageContext, form);
      return await pageContext.redirectWith(path, form) ?? await show(pageContext, form);
    },
  };
}

/** Hands a person on in a form, and the query of the list that led to the person. */
export function personFields(form: Fields): HandedOn {
  return { email: form.get("email"), ...listFields(form) };
}

/** Asks for the person whose address a form brings. @param options whether the answer becomes a file */
export function showPerson(
  { operations }: PageContext,
  form: Fields,
  options: Pick<ShowRequest, "export"> = {},
) {
  const body: ShowRequest = { email: form.get("email")?.trim() ?? "", ...options };
  return operations.POST("/operator/v1/signups/show", { body });
}

export function failedPerson(
  failed: FailedCall,
  { texts }: PageContext,
  title: string = texts.person.person,
): View {
  const known = { not_found: texts.person.notOnList };
  return failedView(failed, texts, { title, back: PATHS.people, known });
}

/** Makes the page that asks before an action on a person, and acts once that is confirmed. */
export function askedAction(
  { path, title, submit, describe, act }: {
    path: string;
    title: "markTitle" | "eraseTitle";
    submit: "markUndeliverable" | "eraseNow";
    describe: (person: ShownSignup, labels: PageContext["texts"]["person"]) => Html;
    act: NonNullable<ConsolePage["post"]>;
  },
): ConsolePage {
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
    isAskedFor: isConfirmed,
    act,
  });
}
