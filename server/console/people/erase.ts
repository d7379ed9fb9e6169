/**
 * Erases a person, after a page that names what goes.
 *
 * @module
 */
import { markup } from "../../content/mod.ts";
import { isConfirmed } from "../confirm.ts";
import type { Fields } from "../fields.ts";
import { PATHS } from "../layout.ts";
import { type PageContext, seeOther, type View } from "../page_context.ts";
import { askAboutPerson, pageAboutPerson } from "./page_about_person.ts";
import { PERSON_PATHS } from "./paths.ts";
import { failedPerson, showPerson } from "./person.ts";
import { PERSON_TEXTS } from "./person_texts.ts";

/** Asks whether to erase a person, and does so once that is confirmed. */
export const erasePersonPage = pageAboutPerson({
  path: PERSON_PATHS.erase,
  show: askToErase,
  action: { isAskedBy: isConfirmed, run: erase },
});

async function erase(pageContext: PageContext, form: Fields): Promise<View | Response> {
  const body = { email: form.get("email") ?? "" };
  const erased = await pageContext.operations.POST("/operator/v1/signups/erase", { body });
  if (erased.data) return pageContext.clearForms(seeOther(`${PATHS.people}?erased`));
  return failedPerson(erased, pageContext, PERSON_TEXTS[pageContext.lang].eraseTitle);
}

async function askToErase(pageContext: PageContext, form: Fields): Promise<View> {
  const texts = PERSON_TEXTS[pageContext.lang];
  const shown = await showPerson(pageContext, form);
  if (!shown.data) return failedPerson(shown, pageContext, texts.eraseTitle);
  const { proof, invitationCode } = shown.data;
  return askAboutPerson(form, {
    path: PERSON_PATHS.erase,
    title: texts.eraseTitle,
    body: markup`<p>${texts.eraseWhat}</p>
<ul class="bullets">
<li>${texts.eraseRecord}</li>
${proof && markup`<li>${texts.eraseProof}</li>`}
${invitationCode && markup`<li>${texts.eraseInvitation}</li>`}
<li>${texts.eraseOutbox}</li>
</ul>
<p>${texts.eraseMark}</p>`,
    submit: texts.eraseNow,
    cancel: texts.cancel,
  });
}
