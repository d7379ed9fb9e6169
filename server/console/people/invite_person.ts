import { type Html, markup } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import { doneNote, failureNote, faultNote } from "../components.ts";
import { button, type Fields, postForm, untilEndOfDay } from "../form_fields.ts";
import { badLink, invitationFields, lacksCode, lastLink, letterPreviews } from "../invite/mod.ts";
import { withoutCode } from "../invite/mod.ts";
import { momentId, type PageContext, type View } from "../page_context.ts";
import { failedPerson, pageAboutPerson, PERSON_PATH, personFields } from "./page_about_person.ts";
import { PERSON_PATHS, personView, showDone } from "./person.ts";

export const invitePersonPage = pageAboutPerson({
  path: PERSON_PATHS.invite,
  show: askForLink,
  isAskedFor: (form) => isSafeLink(linkOf(form)),
  act: invite,
});

const linkOf = (form: Fields) => form.get("link")?.trim() ?? "";

/** Whether letters would go out without a code, and nobody has said that this is meant. */
const isUnsure = (form: Fields) =>
  form.has("letters") && lacksCode(linkOf(form)) && !form.has("without_code");

async function invite(pageContext: PageContext, form: Fields): Promise<View | Response> {
  const { texts, operations } = pageContext;
  const { person: labels, invite: { unsure } } = texts;
  const letters = form.has("letters");
  const email = form.get("email") ?? "";
  const wave = form.get("wave") ?? "";
  const link = linkOf(form);
  const expires = form.get("expires");
  if (isUnsure(form)) return await askForLink(pageContext, form, faultNote(unsure));
  const answer = await operations.POST("/operator/v1/waves", {
    body: {
      wave,
      emails: [email.toLowerCase()],
      link,
      letters,
      ...expires && { expires: untilEndOfDay(expires) },
    },
  });
  if (answer.response.status === 400) {
    return await askForLink(pageContext, form, failureNote(answer, texts));
  }
  if (!answer.data) return failedPerson(answer, pageContext, labels.inviteTitle);
  const [refused] = ("notInvited" in answer.data && answer.data.notInvited) || [];
  if (refused) {
    const note = faultNote(labels.notInvited[refused.reason]);
    return await personView(pageContext, form, { note, status: 409 });
  }
  if (letters) return await showDone(pageContext, form, "invited");
  const { data } = await operations.GET("/operator/v1/waves/{id}/people", {
    params: { path: { id: wave } },
  });
  const url = data?.people[0]?.invitationUrl;
  const note = doneNote(markup`${labels.invitedLink} <code>${url}</code>`);
  return await personView(pageContext, form, { note });
}

async function askForLink(pageContext: PageContext, given: Fields, failure?: Html): Promise<View> {
  const { texts, now, previewInvitation } = pageContext;
  const { person: labels, words } = texts;
  const link = linkOf(given);
  const isBad = link !== "" && !isSafeLink(link);
  const fault = failure ?? (isBad ? faultNote(badLink(texts, link)) : undefined);
  // Ticked at first; later as the operator left it, so that no letter goes out against a choice.
  const isFirst = !given.has("link");
  const fields = isFirst
    ? new Map([["letters", "yes"], ["link", await lastLink(pageContext)]])
    : given;
  const person = personFields(given);
  const wave = given.get("wave") ?? momentId(now);
  return {
    title: labels.inviteTitle,
    ...fault && { status: 400 },
    body: markup`<p class="address">${given.get("email")}</p>
${fault}
${
      postForm(
        { action: PERSON_PATHS.invite, fields: { ...person, wave } },
        markup`${invitationFields(pageContext, fields)}
${isUnsure(given) && withoutCode(link, texts)}
${!previewInvitation && markup`<p>${words.noMail} ${labels.linkHere}</p>`}
<div class="actions">
${button(texts.pages.invite, "primary")}
<button type="submit" form="cancel">${words.cancel}</button>
</div>`,
      )
    }
${postForm({ action: PERSON_PATH, fields: person, attributes: markup` id="cancel"` }, markup``)}
${letterPreviews(pageContext)}`,
  };
}
