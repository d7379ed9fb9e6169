/**
 * Invites one person, once the link is given.
 *
 * @module
 */
import type {
  InvitationRequest,
  InvitedSignup,
  NotInvited,
} from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { readToEnd } from "../answer_lines.ts";
import { type Fields, hidden } from "../fields.ts";
import { letterPreviews, waveOf } from "../invite/mod.ts";
import { failureNote } from "../failures.ts";
import { doneNote, faultNote } from "../components.ts";
import type { PageContext, View } from "../page_context.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import { hiddenPerson } from "./list_query.ts";
import { pageAboutPerson } from "./page_about_person.ts";
import { PERSON_PATHS } from "./paths.ts";
import { failedPerson, personView, showDone } from "./person.ts";
import { PERSON_TEXTS } from "./person_texts.ts";

/** Asks where the invitation leads, and invites the person. */
export const invitePersonPage = pageAboutPerson({
  path: PERSON_PATHS.invite,
  show: (pageContext, form) => askForLink(pageContext, form),
  action: { isAskedBy: (form) => isSafeLink(linkOf(form)), run: invite },
});

const linkOf = (form: Fields) => form.get("link")?.trim() ?? "";

async function invite(pageContext: PageContext, form: Fields): Promise<View | Response> {
  const texts = PERSON_TEXTS[pageContext.lang];
  const email = form.get("email") ?? "";
  const link = linkOf(form);
  const letters = form.has("letters");
  const body: InvitationRequest = { wave: form.get("wave") ?? "", emails: [email], link, letters };
  const answer = await pageContext.operations.POST("/operator/v1/signups/invite", {
    body,
    parseAs: "stream",
  });
  if (!answer.data) {
    if (answer.response.status !== 400) {
      return failedPerson(answer, pageContext, texts.inviteTitle);
    }
    return askForLink(pageContext, form, failureNote(answer, pageContext.lang));
  }
  const lines = await readToEnd<Partial<InvitedSignup & NotInvited>>(answer.data);
  if (!lines) {
    return failedPerson(answer, pageContext, texts.inviteTitle);
  }
  const reason = lines.find(({ notInvited }) => notInvited)?.notInvited?.reason;
  const url = lines.find(({ invitationUrl }) => invitationUrl)?.invitationUrl;
  if (reason) {
    return await personView(pageContext, form, {
      note: faultNote(texts.notInvited[reason]),
      status: 409,
    });
  }
  if (letters) return await showDone(pageContext, form, "invited");
  return await personView(pageContext, form, {
    note: doneNote(markup`${texts.invitedLink} <code>${url}</code>`),
  });
}

/** Shows the form for the link, and the letter that goes with it. */
function askForLink(
  { lang, now, previewInvitation }: PageContext,
  form: Fields,
  failure?: Html,
): View {
  const texts = PERSON_TEXTS[lang];
  const link = linkOf(form);
  const fault = failure ?? (link && !isSafeLink(link) ? faultNote(texts.badLink(link)) : undefined);
  // Ticked at first; later as the operator left it, so that no letter goes out against a choice.
  const letters = !form.has("link") || form.has("letters");
  const person = hiddenPerson(form);
  return {
    title: texts.inviteTitle,
    ...fault && { status: 400 },
    body: markup`<p class="address">${form.get("email")}</p>
${fault}
<form method="post" action="${PERSON_PATHS.invite}">
${person}
${hidden("wave", form.get("wave") ?? waveOf(now))}
<div class="field">
<label for="link">${texts.link}</label>
<input id="link" name="link" type="url" required maxlength="2000" value="${link}"
 placeholder="https://app.example.com/welcome?code={code}" aria-describedby="link-hint">
<p class="hint" id="link-hint">${texts.linkHint}</p>
</div>
${
      previewInvitation
        ? markup`<div class="field">
<label><input type="checkbox" name="letters" value="yes"${
          letters && markup` checked`
        }> ${texts.letters}</label>
</div>`
        : markup`<p>${texts.lettersOff}</p>`
    }
<div class="actions">
<button class="primary" type="submit">${texts.inviteNow}</button>
<button type="submit" form="cancel">${texts.cancel}</button>
</div>
</form>
<form id="cancel" method="post" action="${PERSON_PATHS.person}">
${person}
</form>
${previewInvitation && letterPreviews(lang, previewInvitation)}`,
  };
}
