/**
 * The section of a person's page about the invitation: its wave, its code, what became of its e-mail, and how an
 * operator can help an invited person who has not got the e-mail. @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { hasExpired } from "../../waitlist/mod.ts";
import { facts, section, showEnd, showTime } from "../components.ts";
import { button, field, postForm } from "../forms.ts";
import { wavePath } from "../invite/mod.ts";
import type { PageContext } from "../page_context.ts";
import { TOKEN_FIELD } from "../repeated_forms.ts";
import { LETTERS_ID, mayBeInSpam, stateOfLastLetter, type WaitingOptions } from "./letters.ts";
import { rejectedLettersTo } from "./rejected_letters.ts";

/** The section for a person who is invited or has accepted; `undefined` for another person. */
export async function invitationSection(
  person: ShownSignup,
  pageContext: PageContext,
  { action, pause }: WaitingOptions,
): Promise<Html | undefined> {
  const { texts } = pageContext;
  const { state } = person;
  if (state !== "invited" && state !== "accepted") return undefined;
  return section(
    "invitation",
    texts.person.invitation,
    markup`${await invitationFacts(person, pageContext, pause)}
${state === "invited" && helpForInvited(person, pageContext, action)}`,
  );
}

/** Shows the data of the invitation. */
async function invitationFacts(
  person: ShownSignup,
  pageContext: PageContext,
  pause: WaitingOptions["pause"],
): Promise<Html> {
  const { texts } = pageContext;
  const { person: labels, words, invite } = texts;
  const { invitedAt, expiresAt, acceptedAt, reference, invitationCode, wave } = person;
  return facts([
    [words.states.invited, invitedAt && showTime(invitedAt, texts)],
    [invite.wave, wave && await waveLink(wave, pageContext)],
    [
      labels.invitationLetter,
      stateOfLastLetter("invitation", person, { pageContext, pause }),
    ],
    [labels.invitationCode, invitationCode && markup`<code>${invitationCode}</code>`],
    [labels.expiresAt, expiresAt && showEnd(expiresAt, texts)],
    [words.states.accepted, acceptedAt && showTime(acceptedAt, texts)],
    [labels.reference, reference && markup`<code>${reference}</code>`],
  ]);
}

/** Links to the wave. The service does not have the wave of an invitation that an import has brought. */
async function waveLink(wave: string, { operations }: PageContext): Promise<Html> {
  const name = markup`<code>${wave}</code>`;
  // Of the operations that find a wave, this operation reads the least.
  const found = await operations.listWavePeople({ id: wave, limit: 1 });
  return "failure" in found ? name : markup`<a href="${wavePath(wave)}">${name}</a>`;
}

/**
 * What an operator can do for an invited person who says that the invitation did not arrive: send it again or see why
 * that is not possible, send the link, or set another last day.
 */
function helpForInvited(person: ShownSignup, pageContext: PageContext, action: string): Html {
  const { texts, may, now, newToken } = pageContext;
  const { person: labels } = texts;
  const { expiresAt } = person;
  const url = shownInvitationUrl(person, now);
  const isRetriable = rejectedLettersTo(person, pageContext).some(({ kind, retriable }) =>
    kind === "invitation" && retriable !== undefined
  );
  // The warning about a rejected e-mail has the button that sends the invitation again.
  const mayResend = may("resendInvitation") && !isRetriable;
  const whyNot = reasonNotToResend(person, pageContext);
  return markup`${mayBeInSpam("invitation", person) && markup`<p>${labels.invitationTaken}</p>`}
${mayResend && whyNot && markup`<p class="hint">${whyNot}</p>`}
${
    mayResend && !whyNot && markup`<div class="actions">
${
      postForm(
        { action, fields: { act: "resend", [TOKEN_FIELD]: newToken() } },
        button(labels.resend),
      )
    }
</div>`
  }
${url && linkToCopy(url, texts)}
${expiresAt && may("renewInvitation") && renewalForm(action, texts)}`;
}

/**
 * The link of the invitation that the page of the person shows, so that an operator can send it; `undefined` if the role
 * of the operator may not see the link, if the invitation has expired, and if the person is not invited.
 */
export function shownInvitationUrl(
  { state, expiresAt, invitationUrl }: ShownSignup,
  now: number,
): string | undefined {
  const isExpired = hasExpired(expiresAt, new Date(now).toISOString());
  return state === "invited" && !isExpired ? invitationUrl : undefined;
}

/** The link of the invitation, to which the script `copy.js` adds a button that copies the link. */
function linkToCopy(url: string, { person, clients }: ConsoleTexts): Html {
  return markup`<p id="sendLink">${person.sendLink}</p>
<article data-copy="${clients.copy}" data-copied="${clients.copied}">
<pre role="region" aria-labelledby="sendLink" tabindex="0">${url}</pre>
</article>`;
}

/**
 * Says why the invitation cannot be sent again to an invited person, and until when. Returns `undefined` if it can be
 * sent now.
 */
function reasonNotToResend(
  { nextInvitation = "", noInvitation }: ShownSignup,
  { texts, readClock, previewInvitation }: PageContext,
): Html | string | undefined {
  const { person, words } = texts;
  const labels = person.notResentYet;
  if (!previewInvitation) return words.noMail;
  if (noInvitation === "in_outbox") {
    return markup`${labels.in_outbox} <a href="#${LETTERS_ID}">${person.letters}</a>.`;
  }
  if (noInvitation) return labels[noInvitation];
  // If a letter is allowed now, `nextInvitation` is the moment at which the operation was called. This moment is after
  // the moment of the request.
  if (Date.parse(nextInvitation) <= readClock()) return undefined;
  return markup`${labels.until} ${showTime(nextInvitation, texts)}.`;
}

/** The form that sets the last day of an invitation. */
function renewalForm(action: string, { person: labels, words }: ConsoleTexts): Html {
  const expires = field("expires", {
    label: words.expires,
    attributes: markup` type="date" required`,
    hint: labels.renewHint,
  });
  const form = postForm(
    { action, fields: { act: "renew" } },
    markup`${expires}
${button(labels.renew)}`,
  );
  return markup`<details><summary>${labels.renew} …</summary>${form}</details>`;
}
