/** What the pages about one person have in common: the address comes with a form, as no URL has it. @module */
import type { ListRequest } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import type { MaybePromise } from "../../runtime/mod.ts";
import { type Fields, type HandedOn, withValues } from "../form_fields.ts";
import { FORM_ID } from "../cookies.ts";
import { type FailedCall, failedView, faultNote } from "../components.ts";
import { type ConsolePage, type PageContext, PATHS } from "../page_context.ts";
import { seeOther, type View } from "../page_context.ts";
import { listFields } from "./list_query.ts";

/** Where role and use case of a person are changed. */
export const ANSWERS_PATH = "/operator/people/answers/";

/** The most parts of the list that are read for one link: an import can give the whole list the same moment. */
const MAX_PARTS = 10;

/** Shows the person to whom a link of the list leads, or why there is none. */
async function showLinked(pageContext: PageContext, show: Show): Promise<View> {
  const { operations, query, form, texts: { person: labels } } = pageContext;
  const [id, at] = [query.get("id"), Date.parse(query.get("at") ?? "")];
  if (!id || isNaN(at)) return notFound(pageContext, labels.notOnList);
  const [since, before] = [at, at + 1].map((moment) => new Date(moment).toISOString());
  const wanted = { id, since: since!, before: before!, limit: 1, withPlaceUrl: false };
  let after: ListRequest["after"];
  for (let part = 0; part < MAX_PARTS; part++) {
    const body: ListRequest = { ...wanted, ...after && { after } };
    const listed = await operations.POST("/operator/v1/signups/list", { body });
    if (!listed.data) return failedPerson(listed, pageContext);
    const { people: [found], next } = listed.data;
    const fields = found && { ...listFields(form ?? new Map(query)), email: found.email };
    if (fields) return await show(pageContext, withValues(fields));
    if (!next) return notFound(pageContext, labels.notOnList);
    after = next;
  }
  return notFound(pageContext, labels.notFoundByLink);
}

/** What is done to those who are chosen. */
export const CHOSEN_PATH = "/operator/people/chosen/";

type Show = (pageContext: PageContext, form: Fields) => MaybePromise<View>;

/** Makes a page about a person; the form that brings the address leads to a page that can be loaded again. */
export function pageAboutPerson(
  { path, show, isAskedFor, act }: {
    path: string;
    show: Show;
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
      if (query.has("id")) return await showLinked(pageContext, show);
      // The list says so where the page has expired.
      return seeOther(hasExpired ? `${PATHS.people}?${FORM_ID}` : PATHS.people);
    },
    async post(pageContext, form) {
      if (act && isAskedFor?.(form)) return await act(pageContext, form);
      return await pageContext.redirectWith(path, form) ?? await show(pageContext, form);
    },
  };
}

const notFound = ({ texts: { person, words } }: PageContext, why: string): View => ({
  title: person.person,
  status: 404,
  body: markup`${faultNote(why)}
<p><a href="${PATHS.people}">${words.back}</a></p>`,
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
