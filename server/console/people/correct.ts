/** The page that corrects the address of a person: asks for the address, says what the correction does, and does it. @module */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { failedView, faultNote, statusOf } from "../components.ts";
import { button, confirmView, field, isConfirmed, postForm } from "../form_fields.ts";
import {
  type ConsolePage,
  type PageContext,
  PATHS,
  PERSON_PATH,
  seeOther,
  type View,
} from "../page_context.ts";
import { findPerson } from "./find_person.ts";
import { pathOfPerson } from "./person.ts";

export const correctPersonPage: ConsolePage = {
  path: `${PERSON_PATH}/correct`,
  async get(pageContext) {
    const person = await findPerson(pageContext);
    return "body" in person ? person : askForAddress(pageContext, person);
  },
  async post(pageContext, form) {
    const person = await findPerson(pageContext);
    if ("body" in person) return person;
    const newEmail = form.get("new_email")?.trim() ?? "";
    if (newEmail === "") return askForAddress(pageContext, person);
    if (!isConfirmed(form)) return askFirst(pageContext, person, newEmail);
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
    return { ...askForAddress(pageContext, person, { newEmail, note }), status };
  },
};

function backLink(pageContext: PageContext, person: ShownSignup): Html {
  const { words } = pageContext.texts;
  return markup`<a class="button" href="${pathOfPerson(pageContext, person)}">${words.back}</a>`;
}

const actionOf = (pageContext: PageContext, person: ShownSignup): string =>
  pathOfPerson(pageContext, person, { below: "/correct" });

function askForAddress(
  pageContext: PageContext,
  person: ShownSignup,
  { newEmail = "", note }: { newEmail?: string; note?: Html } = {},
): View {
  const { person: labels } = pageContext.texts;
  const input = markup` type="email" maxlength="254" required value="${newEmail}"
 pattern="[^@]+@.+[.].+" title="${labels.badAddress}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const form = postForm(
    { action: actionOf(pageContext, person) },
    markup`${field("new_email", labels.newAddress, input)}
<div class="actions">${button(labels.goOn, "primary")}</div>`,
  );
  return {
    title: labels.correctTitle,
    body: markup`<p class="address">${person.email}</p>
${note}
${form}
${backLink(pageContext, person)}`,
  };
}

function askFirst(pageContext: PageContext, person: ShownSignup, newEmail: string): View {
  const { texts: { person: labels }, previewInvitation } = pageContext;
  const { state, proof } = person;
  const asks = previewInvitation && (state === "unconfirmed" || state === "waiting");
  return confirmView({
    title: labels.correctTitle,
    body: markup`<p class="address">${person.email} → ${newEmail}</p>
<ul class="bullets">
<li>${labels.correctMoves}</li>
${proof && markup`<li>${labels.correctProof}</li>`}
${asks && markup`<li>${labels.correctAsks}</li>`}
${state === "invited" && markup`<li>${labels.correctCode}</li>`}
<li>${labels.correctMark}</li>
</ul>`,
    action: actionOf(pageContext, person),
    fields: { new_email: newEmail },
    submit: labels.correctNow,
    cancel: backLink(pageContext, person),
  });
}
