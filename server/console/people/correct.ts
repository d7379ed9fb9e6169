/**
 * The page that corrects the address of a person. It asks for the new address and says what the correction does.
 * @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { failedView, faultNote, statusOf } from "../components.ts";
import { button, field, postForm } from "../forms.ts";
import {
  type ConsolePage,
  type PageContext,
  PATHS,
  PERSON_PATH,
  seeOther,
  type View,
} from "../page_context.ts";
import { findPerson, pathOfPerson } from "./person_view.ts";

export const correctPersonPage: ConsolePage = {
  path: `${PERSON_PATH}/correct`,
  async get(pageContext) {
    const person = await findPerson(pageContext);
    return "body" in person ? person : newAddressView(pageContext, person);
  },
  async post(pageContext, form) {
    const person = await findPerson(pageContext);
    if ("body" in person) return person;
    const newEmail = form.get("new_email")?.trim() ?? "";
    if (newEmail === "") return newAddressView(pageContext, person);
    const { operations, texts } = pageContext;
    const { person: labels } = texts;
    const corrected = await operations.correctSignup({ email: person.email, newEmail });
    if (!("failure" in corrected)) {
      return seeOther(pathOfPerson(pageContext, person, { done: "corrected" }));
    }
    const status = statusOf(corrected);
    if (status !== 400 && status !== 409) {
      return failedView(corrected, texts, { title: labels.correctTitle, back: PATHS.people });
    }
    const note = faultNote(status === 400 ? labels.badAddress : labels.addressTaken);
    return { ...newAddressView(pageContext, person, { newEmail, note }), status };
  },
};

/** The page with the form for the new address, and with a list of what the correction does. */
function newAddressView(
  pageContext: PageContext,
  person: ShownSignup,
  { newEmail = "", note }: { newEmail?: string; note?: Html } = {},
): View {
  const { texts: { person: labels, words }, previewInvitation } = pageContext;
  const { state, proof } = person;
  const asksToConfirm = previewInvitation && (state === "unconfirmed" || state === "waiting");
  const input = markup` type="email" maxlength="254" required value="${newEmail}"
 pattern="[^@]+@.+[.].+" title="${labels.badAddress}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const form = postForm(
    { action: pathOfPerson(pageContext, person, { subpath: "/correct" }) },
    markup`${field("new_email", { label: labels.newAddress, attributes: input })}
<ul class="bullets">
<li>${labels.correctMoves}</li>
${proof && markup`<li>${labels.correctProof}</li>`}
${asksToConfirm && markup`<li>${labels.correctAsks}</li>`}
${state === "invited" && markup`<li>${labels.correctCode}</li>`}
<li>${labels.correctMark}</li>
</ul>
<div class="actions">${button(labels.correctNow, "primary")}</div>`,
  );
  return {
    title: labels.correctTitle,
    body: markup`<p class="address">${person.email}</p>
${note}
${form}
<a class="button" href="${pathOfPerson(pageContext, person)}">${words.back}</a>`,
  };
}
