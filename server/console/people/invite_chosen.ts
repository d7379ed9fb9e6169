import { type Html, markup } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import { type Fact, facts, failedView, failureNote, faultNote } from "../components.ts";
import { button, type Fields, type HandedOn, postForm, untilEndOfDay } from "../form_fields.ts";
import { badLink, invitationFields, isUnsure, lastLink, letterPreviews } from "../invite/mod.ts";
import { linkOf, wavePath, withoutCode } from "../invite/mod.ts";
import { momentId, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { CHOSEN_PATH } from "./page_about_person.ts";

/** Those who were chosen, the fields that hand them on, and the way back. */
interface Chosen {
  emails: string[];
  fields: HandedOn;
  cancel: Html;
}

/** Starts a wave of those who were chosen, and leads to its page; says who is not in it, and why. */
export async function inviteChosen(pageContext: PageContext, form: Fields, chosen: Chosen) {
  const { texts, operations } = pageContext;
  const { person: labels, invite: { unsure, waveTitle }, pages: { invite: title } } = texts;
  const wave = form.get("wave") ?? "", link = linkOf(form), expires = form.get("expires");
  const fault = !isSafeLink(link) ? badLink(texts, link) : isUnsure(form) && unsure;
  if (fault) return await askWhere(pageContext, form, chosen, faultNote(fault));
  const until = expires && { expires: untilEndOfDay(expires) };
  const emails = chosen.emails.map((email) => email.toLowerCase());
  const body = { wave, emails, link, letters: form.has("letters"), ...until };
  const answer = await operations.POST("/operator/v1/waves", { body });
  if (answer.response.status === 400) {
    return await askWhere(pageContext, form, chosen, failureNote(answer, texts));
  }
  if (!answer.data) return failedView(answer, texts, { title, back: PATHS.people });
  const left = ("notInvited" in answer.data && answer.data.notInvited) || [];
  if (left.length === 0) return seeOther(wavePath(wave));
  const reasons = left.map(({ email, reason }): Fact => [email, labels.notInvited[reason]]);
  return {
    title,
    status: 409,
    body: markup`${faultNote(texts.people.notDoneFor)}
${facts(reasons)}
${
      left.length < emails.length &&
      markup`<p><a href="${wavePath(wave)}">${waveTitle({ wave })}</a></p>`
    }
${chosen.cancel}`,
  };
}

/** Asks where the invitation of those who were chosen leads. */
export async function askWhere(
  pageContext: PageContext,
  given: Fields,
  { emails, fields, cancel }: Chosen,
  fault?: Html,
): Promise<View> {
  const { texts, now, previewInvitation } = pageContext;
  const { words, person: { linkHere } } = texts;
  // Ticked at first; later as the operator left it, so that no letter goes out against a choice.
  const shown = given.has("link")
    ? given
    : new Map([["letters", "yes"], ["link", await lastLink(pageContext)]]);
  const wave = given.get("wave") ?? momentId(now);
  return {
    title: texts.pages.invite,
    ...fault && { status: 400 },
    body: markup`${facts(emails.map((email): Fact => [words.address, email]))}
${fault}
${
      postForm(
        { action: CHOSEN_PATH, fields: { ...fields, wave, confirmed: true } },
        markup`${invitationFields(pageContext, shown)}
${isUnsure(given) && withoutCode(linkOf(given), texts)}
${!previewInvitation && markup`<p>${words.noMail} ${linkHere}</p>`}
${button(texts.pages.invite, "primary")}`,
      )
    }
${cancel}
${letterPreviews(pageContext)}`,
  };
}
