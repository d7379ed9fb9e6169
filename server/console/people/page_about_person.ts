/** What the pages about one person have in common: the address comes with a form, as no URL has it. @module */
import type { ListRequest, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import type { MaybePromise } from "../../runtime/mod.ts";
import { type Fields, type HandedOn, pathWith, withValues } from "../form_fields.ts";
import { FORM_ID } from "../cookies.ts";
import { type FailedCall, failedView, faultNote } from "../components.ts";
import { type ConsolePage, type PageContext, PATHS, PERSON_PATH } from "../page_context.ts";
import { seeOther, type View } from "../page_context.ts";
import { listFields } from "./list_query.ts";

/** Where role and use case of a person are changed. */
export const ANSWERS_PATH = "/operator/people/answers/";

/**
 * Leads to the page of a person without an address in the URL, so that it can be opened in another tab: the id of the
 * record and the moment of the sign-up find the person. `further` is how the list was asked for.
 */
export const personPath = ({ id, createdAt }: StoredSignup, further: HandedOn): string =>
  pathWith(PERSON_PATH, { ...further, id, at: createdAt });

/** Finds the fields of the person to whom {@linkcode personPath} leads; `undefined` where there is none. */
async function findFields({ operations, query, form }: PageContext): Promise<Fields | undefined> {
  const [id, at] = [query.get("id"), Date.parse(query.get("at") ?? "")];
  if (!id || isNaN(at)) return undefined;
  const [since, before] = [at, at + 1].map((moment) => new Date(moment).toISOString());
  const request: ListRequest = {
    id,
    since: since!,
    before: before!,
    limit: 1,
    withPlaceUrl: false,
  };
  for (;;) {
    const { data } = await operations.POST("/operator/v1/signups/list", { body: request });
    const email = data?.people[0]?.email;
    // An import can have given many people the same moment.
    if (email === undefined && data?.next) request.after = data.next;
    else return email ? withValues({ ...listFields(form ?? new Map(query)), email }) : undefined;
  }
}

/** What is done to those who are chosen. */
export const CHOSEN_PATH = "/operator/people/chosen/";

/** An address that a narrow column breaks behind its @. */
export function breakable(email: string): Html {
  const at = email.lastIndexOf("@") + 1;
  return markup`${email.slice(0, at)}<wbr>${email.slice(at)}`;
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
      const { form, query, hasExpired } = pageContext;
      if (form?.has("email")) return await show(pageContext, form);
      if (query.has("id")) {
        const found = await findFields(pageContext);
        return found ? await show(pageContext, found) : notOnList(pageContext);
      }
      // The list says so where the page has expired.
      return seeOther(hasExpired ? `${PATHS.people}?${FORM_ID}` : PATHS.people);
    },
    async post(pageContext, form) {
      if (act && isAskedFor?.(form)) return await act(pageContext, form);
      return await pageContext.redirectWith(path, form) ?? await show(pageContext, form);
    },
  };
}

const notOnList = ({ texts: { person: labels, failures } }: PageContext): View => ({
  title: labels.person,
  status: 404,
  body: markup`${faultNote(labels.notOnList)}
<p><a href="${PATHS.people}">${failures.back}</a></p>`,
});

/** Hands a person on in a form, and the query of the list that led to the person. */
export function personFields(form: Fields): HandedOn {
  return { email: form.get("email"), ...listFields(form) };
}

/** Asks for the person whose address a form brings. */
export function showPerson({ operations }: PageContext, form: Fields) {
  const body = { email: form.get("email")?.trim() ?? "" };
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
