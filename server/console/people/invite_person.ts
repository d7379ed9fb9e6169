import type { InvitedSignup, NotInvited } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import { readToEnd } from "../answer_lines.ts";
import { doneNote, failureNote, faultNote } from "../components.ts";
import { button, type Fields, postForm } from "../form_fields.ts";
import { askForInvitations, badLink, invitationFields, letterPreviews } from "../invite/mod.ts";
import { momentId, type PageContext, type View } from "../page_context.ts";
import { PERSON_PATH } from "./list.ts";
import { failedPerson, pageAboutPerson, personFields } from "./page_about_person.ts";
import { PERSON_PATHS, personView, showDone } from "./person.ts";

export const invitePersonPage = pageAboutPerson({
  path: PERSON_PATHS.invite,
  show: askForLink,
  isAskedFor: (form) => isSafeLink(linkOf(form)),
  act: invite,
});

const linkOf = (form: Fields) => form.get("link")?.trim() ?? "";

async function invite(pageContext: PageContext, form: Fields): Promise<View | Response> {
  const { texts } = pageContext;
  const { person: labels } = texts;
  const letters = form.has("letters");
  const answer = await askForInvitations(pageContext, {
    wave: form.get("wave") ?? "",
    emails: [form.get("email") ?? ""],
    link: linkOf(form),
    letters,
  });
  if (answer.response.status === 400) {
    return askForLink(pageContext, form, failureNote(answer, texts));
  }
  const lines = await readToEnd<Partial<InvitedSignup & NotInvited>>(answer);
  if (!lines) return failedPerson(answer, pageContext, labels.inviteTitle);
  const reason = lines.find(({ notInvited }) => notInvited)?.notInvited?.reason;
  const url = lines.find(({ invitationUrl }) => invitationUrl)?.invitationUrl;
  if (reason) {
    const note = faultNote(labels.notInvited[reason]);
    return await personView(pageContext, form, { note, status: 409 });
  }
  if (letters) return await showDone(pageContext, form, "invited");
  const note = doneNote(markup`${labels.invitedLink} <code>${url}</code>`);
  return await personView(pageContext, form, { note });
}

function askForLink(pageContext: PageContext, given: Fields, failure?: Html): View {
  const { texts, now, previewInvitation } = pageContext;
  const { person: labels, words } = texts;
  const link = linkOf(given);
  const isBad = link !== "" && !isSafeLink(link);
  const fault = failure ?? (isBad ? faultNote(badLink(texts, link)) : undefined);
  // Ticked at first; later as the operator left it, so that no letter goes out against a choice.
  const letters = !given.has("link") || given.has("letters");
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
        markup`${invitationFields(pageContext, { link, letters })}
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
