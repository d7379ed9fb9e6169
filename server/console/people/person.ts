/**
 * The page of a person: everything that is kept, the proof of consent, what was done, and what can be done.
 *
 * @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import type { Lang } from "../../waitlist/mod.ts";
import type { Fields } from "../fields.ts";
import { doneNote } from "../components.ts";
import { pageName, PATHS } from "../layout.ts";
import { type FailedCall, failedView } from "../failures.ts";
import type { PageContext, View } from "../page_context.ts";
import { hiddenListQuery, hiddenPerson, listQueryFields, readListQuery } from "./list_query.ts";
import { pageAboutPerson } from "./page_about_person.ts";
import { PERSON_PATHS } from "./paths.ts";
import { factsOf, historyOf, proofOf } from "./person_view.ts";
import { PERSON_TEXTS, type PersonTexts } from "./person_texts.ts";

/** The page of a person. */
export const personPage = pageAboutPerson({
  path: PERSON_PATHS.person,
  show: (pageContext, form) => personView(pageContext, form),
});

/** What can have been done to a person. */
type Done = "reminded" | "marked" | "invited";

/** Leads to the page of a person to whom something was done, and says so. */
export async function showDone(
  pageContext: PageContext,
  form: Fields,
  done: Done,
): Promise<View | Response> {
  const email = form.get("email") ?? "";
  const listed = listQueryFields(readListQuery(form));
  const fields = new Map([...listed, ["email", email], ["done", done]]);
  return await pageContext.redirectWith(PERSON_PATHS.person, fields) ??
    await personView(pageContext, fields);
}

/**
 * Shows a person.
 *
 * @param form has the address, the query of the list that led here, and what was done, if {@linkcode showDone} led here
 * @param note what has become of an action
 */
export async function personView(
  pageContext: PageContext,
  form: Fields,
  { note, status = 200 }: { note?: Html; status?: number } = {},
): Promise<View> {
  const texts = PERSON_TEXTS[pageContext.lang];
  const shown = await showPerson(pageContext, form);
  if (!shown.data) return failedPerson(shown, pageContext);
  const person = shown.data;
  return {
    title: texts.person,
    status,
    body: markup`<form method="post" action="${PATHS.people}">
${hiddenListQuery(readListQuery(form))}
<button class="link" type="submit">${texts.backToList}</button>
</form>
<p class="address">${person.email}</p>
${note ?? doneTo(person, form, texts)}
${actions(person, form, texts, pageContext)}
<section aria-labelledby="kept">
<h2 id="kept">${texts.kept}</h2>
${factsOf(person, texts)}
</section>
<section aria-labelledby="proof">
<h2 id="proof">${texts.proof}</h2>
${proofOf(person, texts)}
</section>
<section aria-labelledby="history">
<h2 id="history">${texts.history}</h2>
${historyOf(person, texts)}
</section>`,
  };
}

/** Says what was done to a person, where it still holds: the page can be loaded again much later. */
function doneTo(
  { undeliverableAt }: ShownSignup,
  form: Fields,
  texts: PersonTexts,
): Html | undefined {
  switch (form.get("done") as Done | undefined) {
    case "reminded":
      return doneNote(withOutboxLink(texts.reminded, texts.lang));
    case "invited":
      return doneNote(withOutboxLink(texts.invited, texts.lang));
    case "marked":
      return undeliverableAt === undefined ? undefined : doneNote(texts.marked);
  }
}

/** Asks for the person whose address a form brings. */
export function showPerson({ operations }: PageContext, form: Fields) {
  const body = { email: form.get("email")?.trim() ?? "" };
  return operations.POST("/operator/v1/signups/show", { body });
}

/** Shows why an operation about a person failed. */
export function failedPerson(
  failed: FailedCall,
  { lang }: PageContext,
  title: string = PERSON_TEXTS[lang].person,
): View {
  const known = { not_found: PERSON_TEXTS[lang].notOnList };
  return failedView(failed, { lang, title, back: PATHS.people, known });
}

/** Ends a sentence about a letter with the link to where it waits. */
function withOutboxLink(sentence: string, lang: Lang): Html {
  return markup`${sentence} <a href="${PATHS.outbox}">${pageName(lang, "outbox")}</a>.`;
}

function actions(
  person: ShownSignup,
  form: Fields,
  texts: PersonTexts,
  { previewInvitation }: PageContext,
): Html {
  const { state, undeliverableAt } = person;
  const buttons: [keyof typeof PERSON_PATHS, Html][] = [];
  const add = (action: keyof typeof PERSON_PATHS, label: string, name = "") =>
    buttons.push([
      action,
      markup`<button${name && markup` class="${name}"`} type="submit">${label}</button>`,
    ]);
  if (state === "unconfirmed" && previewInvitation && !undeliverableAt) add("remind", texts.remind);
  if (state === "waiting" && !undeliverableAt) add("invite", texts.invite);
  if (!undeliverableAt) add("undeliverable", texts.markAddress);
  add("export", texts.export);
  add("erase", texts.erase, "danger");
  const forms = buttons.map(([action, button]) =>
    markup`<form method="post" action="${PERSON_PATHS[action]}">
${hiddenPerson(form)}
${button}
</form>`
  );
  return markup`<div class="actions">
${forms}
</div>`;
}
