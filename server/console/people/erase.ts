/**
 * Erases a person, after a page that names what goes.
 *
 * @module
 */
import { markup } from "../../content/html.ts";
import { type Fields, hidden } from "../fields.ts";
import { PATHS } from "../layout.ts";
import { seeOther, type View, type Visit } from "../visit.ts";
import { choiceOf } from "./choice.ts";
import { pageAboutPerson } from "./page_about_person.ts";
import { PERSON_PATHS } from "./paths.ts";
import { failedPerson, hiddenPerson, showPerson } from "./person.ts";
import { PERSON_TEXTS } from "./person_texts.ts";

/** Asks whether to erase a person, and does so once that is confirmed. */
export const erasePersonPage = pageAboutPerson({
  path: PERSON_PATHS.erase,
  show: askToErase,
  action: { isAskedBy: (form) => form.get("confirmed") === "yes", run: erase },
});

async function erase(visit: Visit, form: Fields): Promise<View | Response> {
  const body = { email: form.get("email") ?? "" };
  const erased = await visit.operations.POST("/operator/v1/signups/erase", { body });
  if (erased.data) return visit.clearForms(seeOther(`${PATHS.people}?erased`));
  return failedPerson(erased, visit, PERSON_TEXTS[visit.lang].eraseTitle);
}

async function askToErase(visit: Visit, form: Fields): Promise<View> {
  const texts = PERSON_TEXTS[visit.lang];
  const shown = await showPerson(visit, form);
  if (!shown.data) return failedPerson(shown, visit, texts.eraseTitle);
  const { email, proof, invitationCode } = shown.data;
  const person = hiddenPerson(email, choiceOf(form));
  return {
    title: texts.eraseTitle,
    body: markup`<p class="address">${email}</p>
<p>${texts.eraseWhat}</p>
<ul class="bullets">
<li>${texts.eraseRecord}</li>
${proof && markup`<li>${texts.eraseProof}</li>`}
${invitationCode && markup`<li>${texts.eraseInvitation}</li>`}
<li>${texts.eraseOutbox}</li>
</ul>
<p>${texts.eraseMark}</p>
<div class="actions">
<form method="post" action="${PERSON_PATHS.erase}">
${person}
${hidden("confirmed", "yes")}
<button class="danger" type="submit">${texts.eraseNow}</button>
</form>
<form method="post" action="${PERSON_PATHS.person}">
${person}
<button type="submit">${texts.cancel}</button>
</form>
</div>`,
  };
}
