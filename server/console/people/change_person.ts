/** The pages that change a person: a correction of the address, role and use case, and a longer invitation. @module */
import { type Html, markup } from "../../content/mod.ts";
import { SLUG_ANSWERS } from "../../waitlist/mod.ts";
import { failureNote, faultNote } from "../components.ts";
import { button, confirmView, field, type Fields, isConfirmed, postForm } from "../form_fields.ts";
import { untilEndOfDay } from "../form_fields.ts";
import { type PageContext, PERSON_PATH, type View } from "../page_context.ts";
import { ANSWERS_PATH, failedPerson, pageAboutPerson } from "./page_about_person.ts";
import { personFields, showPerson } from "./page_about_person.ts";
import { CORRECT_PATH, personView, RENEW_PATH, showDone } from "./person.ts";

/** Asks for the new address, says what the correction does, and does it once that is confirmed. */
export const correctPersonPage = pageAboutPerson({
  path: CORRECT_PATH,
  show: (pageContext, form) =>
    newEmailOf(form) === "" ? askForAddress(pageContext, form) : askFirst(pageContext, form),
  isAskedFor: isConfirmed,
  async act(pageContext, form) {
    const { operations, texts: { person: labels } } = pageContext;
    const body = { email: form.get("email") ?? "", newEmail: newEmailOf(form) };
    const corrected = await operations.POST("/operator/v1/signups/correct", { body });
    if (corrected.data) {
      return await showDone(pageContext, new Map([...form, ["email", body.newEmail]]), "corrected");
    }
    const { status } = corrected.response;
    if (status !== 400 && status !== 409) {
      return failedPerson(corrected, pageContext, labels.correctTitle);
    }
    const note = faultNote(status === 400 ? labels.badAddress : labels.addressTaken);
    return { ...askForAddress(pageContext, form, note), status };
  },
});

const newEmailOf = (form: Fields) => form.get("new_email")?.trim() ?? "";

const cancelForm = (given: Fields, { texts: { words } }: PageContext) =>
  postForm({ action: PERSON_PATH, fields: personFields(given) }, button(words.back));

function askForAddress(pageContext: PageContext, given: Fields, fault?: Html): View {
  const { person: labels } = pageContext.texts;
  const input = markup` type="email" maxlength="254" required value="${newEmailOf(given)}"
 pattern="[^@]+@.+[.].+" title="${labels.badAddress}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const inputs = markup`${field("new_email", labels.newAddress, input)}
<div class="actions">${button(labels.goOn, "primary")}</div>`;
  return {
    title: labels.correctTitle,
    body: markup`<p class="address">${given.get("email")}</p>
${fault}
${postForm({ action: CORRECT_PATH, fields: personFields(given) }, inputs)}
${cancelForm(given, pageContext)}`,
  };
}

async function askFirst(pageContext: PageContext, given: Fields): Promise<View> {
  const { texts: { person: labels }, previewInvitation } = pageContext;
  const shown = await showPerson(pageContext, given);
  if (!shown.data) return failedPerson(shown, pageContext, labels.correctTitle);
  const { state, proof } = shown.data;
  const asks = previewInvitation && (state === "unconfirmed" || state === "waiting");
  return confirmView({
    title: labels.correctTitle,
    body: markup`<p class="address">${given.get("email")} → ${newEmailOf(given)}</p>
<ul class="bullets">
<li>${labels.correctMoves}</li>
${proof && markup`<li>${labels.correctProof}</li>`}
${asks && markup`<li>${labels.correctAsks}</li>`}
${state === "invited" && markup`<li>${labels.correctCode}</li>`}
<li>${labels.correctMark}</li>
</ul>`,
    action: CORRECT_PATH,
    fields: { ...personFields(given), new_email: newEmailOf(given) },
    submit: labels.correctNow,
    cancel: cancelForm(given, pageContext),
  });
}

/** Sets both answers; an empty field takes one away. */
export const answersPage = pageAboutPerson({
  path: ANSWERS_PATH,
  show: personView,
  isAskedFor: (form) => SLUG_ANSWERS.every((name) => form.has(`new_${name}`)),
  async act(pageContext, form) {
    const { operations, texts } = pageContext;
    const [role = null, building = null] = SLUG_ANSWERS
      .map((name) => form.get(`new_${name}`)?.trim() || null);
    const changed = await operations.POST("/operator/v1/signups/answers", {
      body: { email: form.get("email") ?? "", role, building },
    });
    if (changed.data) return await showDone(pageContext, form, "answered");
    const { badAnswer, tooManyAnswers } = texts.person;
    const known = { invalid_request: badAnswer, conflict: tooManyAnswers };
    const note = failureNote(changed, texts, known);
    return await personView(pageContext, form, { note, status: changed.response.status });
  },
});

/** Lets the invitation of a person hold until another day; a day that is over is refused on the person's page. */
export const renewPersonPage = pageAboutPerson({
  path: RENEW_PATH,
  show: personView,
  isAskedFor: (form) => form.has("code"),
  async act(pageContext, form) {
    const { operations, texts } = pageContext;
    const expires = untilEndOfDay(form.get("expires") ?? "");
    const body = { code: form.get("code") ?? "", email: form.get("email") ?? "", expires };
    const renewed = await operations.POST("/operator/v1/invitations/renew", { body });
    if (renewed.data) return await showDone(pageContext, form, "renewed");
    const note = failureNote(renewed, texts, { invalid_request: texts.invite.badExpires });
    return await personView(pageContext, form, { note, status: renewed.response.status });
  },
});
