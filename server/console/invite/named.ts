/** Invites people who were chosen by name: the form for their wave, and the page of who is not in it. @module */
import type { NotInvited } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { breakable, doneNote, table } from "../components.ts";
import { type Fields, postForm } from "../form_fields.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";
import { invitationFields, lastLink } from "./letter.ts";

/** The field with the path of the page on which the people were chosen. */
export const BACK = "back";

/** The fields of a form that names people. */
export function namedFields(emails: string[]): [name: string, email: string][] {
  return emails.map((email, at) => [`chosen_${at}`, email]);
}

/** The addresses of those who were chosen; none for a wave of the next people. */
export function namedIn(form: Fields): string[] {
  const chosen = [...form].filter(([name]) => /^chosen_\d+$/.test(name));
  return [...new Set(chosen.map(([, email]) => email.toLowerCase()))];
}

/** Leads back to the person or the list. */
export function backLink(form: Fields, label: string): Html {
  const back = form.get(BACK) ?? "";
  // A form can come from elsewhere with any text in the field.
  const path = back.startsWith(PATHS.people) ? back : PATHS.people;
  return markup`<a class="button" href="${path}">${label}</a>`;
}

export async function namedFormView(
  pageContext: PageContext,
  form: Fields,
  fault?: Html,
): Promise<View> {
  const { texts, previewInvitation } = pageContext;
  const { invite: labels, people, person, words } = texts;
  const emails = namedIn(form);
  // Ticked at first; later as the operator left it, so that no letter goes out against a choice.
  const shown = form.has("link")
    ? form
    : new Map([...form, ["letters", "yes"], ["link", await lastLink(pageContext)]]);
  const fields = { ...Object.fromEntries(namedFields(emails)), [BACK]: form.get(BACK) };
  const count = emails.length;
  const attributes = markup` class="wave" autocomplete="off"`;
  const inputs = invitationFields(pageContext, shown);
  return {
    title: count > 1 ? people.actOnMany({ act: people.acts.invite, count }) : people.acts.invite,
    body: markup`${fault}
<p class="soft">${labels.aboutNamed}</p>
<ul class="bullets">
${emails.map((email) => markup`<li>${email}</li>`)}
</ul>
${!previewInvitation && markup`<p class="notice">${words.noMail} ${person.linkHere}</p>`}
${postForm({ action: PATHS.invite, fields, attributes }, inputs)}
${backLink(form, words.back)}`,
  };
}

/** Names those who are passed over, each with the reason. */
export function passedOverTable(left: NotInvited[], { invite: labels, words }: ConsoleTexts): Html {
  return table({
    caption: labels.passedOverNamed,
    head: [words.address, labels.why],
    rows: left.map(({ email, reason }) => [{ row: breakable(email) }, labels.reasons[reason]]),
  });
}

/** Says how many of those who were chosen are invited, who is not and why, and where to look on. */
export function namedResultView(
  texts: ConsoleTexts,
  { form, wave, path, left }: { form: Fields; wave: string; path: string; left: NotInvited[] },
): View {
  const { invite: labels, number } = texts;
  const count = namedIn(form).length - left.length;
  return {
    title: count === 1 ? labels.oneInvited : labels.manyInvited({ count: number(count) }),
    body: markup`${doneNote(labels.lookOn({ wave }))}
${passedOverTable(left, texts)}
<div class="actions">
<a class="button primary" href="${path}">${labels.open}</a>
${backLink(form, labels.backToPeople)}
</div>`,
  };
}
