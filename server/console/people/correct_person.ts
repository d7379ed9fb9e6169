import { type Html, markup } from "../../content/mod.ts";
import { faultNote } from "../components.ts";
import { button, confirmView, field, type Fields, isConfirmed, postForm } from "../form_fields.ts";
import { type PageContext, PERSON_PATH, type View } from "../page_context.ts";
import { failedPerson, pageAboutPerson } from "./page_about_person.ts";
import { personFields, showPerson } from "./page_about_person.ts";
import { CORRECT_PATH, showDone } from "./person.ts";

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
 autocapitalize="none" autocomplete="off" spellcheck="false"`;
  return {
    title: labels.correctTitle,
    body: markup`<p class="address">${given.get("email")}</p>
${fault}
${
      postForm(
        { action: CORRECT_PATH, fields: personFields(given) },
        markup`${field("new_email", labels.newAddress, input)}
<div class="actions">${button(labels.goOn, "primary")}</div>`,
      )
    }
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
