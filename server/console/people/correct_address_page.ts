/**
 * The page that corrects the address of a person. It asks for the new address and says what the correction does.
 * @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { failedView, faultNote, statusOf } from "../components.ts";
import { button, field, postForm, toFields } from "../forms.ts";
import {
  type ConsolePage,
  type PageContext,
  PATHS,
  PERSON_PATH,
  seeOther,
  type View,
} from "../page_context.ts";
import { findPerson, pathOfPerson } from "./find_person.ts";

/** The pattern of an address for the browser: a domain with a dot behind an `@`. The operation checks the address. */
const ADDRESS_PATTERN = "[^@]+@.+[.].+";

export const correctAddressPage: ConsolePage = {
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
    return await correctAddress(pageContext, person, newEmail);
  },
};

async function correctAddress(
  pageContext: PageContext,
  person: ShownSignup,
  newEmail: string,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const { person: labels } = texts;
  const outcome = await operations.correctSignup({ email: person.email, newEmail });
  if (!("failure" in outcome)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "corrected" }));
  }
  const showFormAgain = (fault: string | Html): View => ({
    ...newAddressView(pageContext, person, { newEmail, fault }),
    status: statusOf(outcome),
  });
  switch (outcome.failure) {
    case "invalid_request":
      return showFormAgain(labels.badAddress);
    case "conflict":
      return showFormAgain(takenSentence(newEmail, pageContext));
    default:
      return failedView(outcome, texts, { title: labels.correctTitle, back: PATHS.people });
  }
}

/** Says that the new address is taken, with a link to the list of people who have this address. */
function takenSentence(newEmail: string, { texts, encryptedPath }: PageContext): Html {
  const { addressTaken, findTaken } = texts.person;
  const path = encryptedPath(PATHS.people, toFields({ search: newEmail }));
  return markup`${addressTaken}${
    path !== undefined && markup` <a href="${path}">${findTaken}</a>`
  }`;
}

/** The page with the form for the new address. @param options.fault why the form is shown again */
function newAddressView(
  pageContext: PageContext,
  person: ShownSignup,
  { newEmail = person.email, fault }: { newEmail?: string; fault?: string | Html } = {},
): View {
  const { person: labels, words } = pageContext.texts;
  const attributes = markup` type="email" maxlength="254" required value="${newEmail}"
 pattern="${ADDRESS_PATTERN}" title="${labels.badAddress}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const form = postForm(
    { action: pathOfPerson(pageContext, person, { subpath: "/correct" }) },
    markup`${field("new_email", { label: labels.newAddress, attributes })}
${effectsList(person, pageContext)}
<div class="actions">${button(labels.correctNow, "primary")}</div>`,
  );
  return {
    title: labels.correctTitle,
    body: markup`<p class="address">${person.email}</p>
${fault !== undefined && faultNote(fault)}
${form}
<a class="button" href="${pathOfPerson(pageContext, person)}">${words.back}</a>`,
  };
}

/** Lists what the correction does with the data, the letters and the invitation of the person. */
function effectsList(
  { state, proof }: ShownSignup,
  { texts: { person: labels }, previewInvitation }: PageContext,
): Html {
  // The service asks the person to confirm the new address, if the service sends letters.
  const sendsLetters = previewInvitation !== undefined;
  const asksToConfirm = sendsLetters && (state === "unconfirmed" || state === "waiting");
  return markup`<ul class="bullets">
<li>${labels.correctMoves}</li>
${proof && markup`<li>${labels.correctProof}</li>`}
${asksToConfirm && markup`<li>${labels.correctAsks}</li>`}
${state === "invited" && markup`<li>${labels.correctCode}</li>`}
<li>${labels.correctMark}</li>
</ul>`;
}
