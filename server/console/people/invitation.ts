/**
 * The section of a person's page about the invitation: its wave, its code, what became of its e-mail, and what an
 * operator can do for an invited person who has not got the e-mail. @module
 */
import type { LoggedLetter, ShownSignup, WaveReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { hasExpired, invitationUrlOf } from "../../waitlist/mod.ts";
import { facts, section, showEnd, showTime } from "../components.ts";
import { button, knownValue, pathWith, postForm } from "../forms.ts";
import { wavePath } from "../invite/mod.ts";
import { letterReason, letterState } from "../letter_table.ts";
import { type ItemRow, rowOfItem } from "../outbox/mod.ts";
import { type PageContext, PATHS } from "../page_context.ts";

/** What keeps an invited person from using the invitation; the name of the sentence that says what to do about it. */
type Situation = keyof ConsoleTexts["person"]["invitationHelp"];

/** The lists of the outbox that can have the e-mail. Each of them has the name of the situation. */
const LISTS = ["waiting", "refused"] as const;

/** How many items of a list are searched for the e-mail. This is the most that one call of the operation returns. */
const MAX_SEARCHED = 1_000;

/** The section for a person who is invited or has accepted; `undefined` for another person. */
export async function invitationSection(
  person: ShownSignup,
  pageContext: PageContext,
): Promise<Html | undefined> {
  const { texts, operations } = pageContext;
  const { state, wave: id } = person;
  if (state !== "invited" && state !== "accepted") return undefined;
  const outcome = id === undefined ? undefined : await operations.showWave({ id });
  // The service does not have the wave of an invitation that an import has brought.
  const wave = outcome === undefined || "failure" in outcome ? undefined : outcome;
  const help = state === "invited" && await invitationHelp(person, wave, pageContext);
  return section(
    "invitation",
    texts.person.invitation,
    markup`${invitationFacts(person, wave, texts)}
${help}`,
  );
}

/** Shows the data of the invitation. */
function invitationFacts(
  person: ShownSignup,
  wave: WaveReport | undefined,
  texts: ConsoleTexts,
): Html {
  const { person: labels, words, invite } = texts;
  const { invitedAt, expiresAt, acceptedAt, reference, invitationCode, wave: id } = person;
  const waveName = id && markup`<code>${id}</code>`;
  const letter = lastInvitationLetter(person);
  const reason = letter && letterReason(letter);
  return facts([
    [words.states.invited, invitedAt && showTime(invitedAt, texts)],
    [invite.wave, wave ? markup`<a href="${wavePath(wave.wave)}">${waveName}</a>` : waveName],
    [
      labels.invitationLetter,
      letter && markup`${letterState(letter, texts)}${reason && markup` <small>${reason}</small>`}`,
    ],
    [labels.invitationCode, invitationCode && markup`<code>${invitationCode}</code>`],
    [labels.expiresAt, expiresAt && showEnd(expiresAt, texts)],
    [words.states.accepted, acceptedAt && showTime(acceptedAt, texts)],
    [labels.reference, reference && markup`<code>${reference}</code>`],
  ]);
}

/** Returns what became of the last e-mail of the invitation; `undefined` if it has not left the outbox. */
function lastInvitationLetter(
  { lastLetters, letterLog = [] }: ShownSignup,
): LoggedLetter | undefined {
  const last = lastLetters?.invitation;
  if (!last) return undefined;
  const logged = letterLog.find(({ letter, putAt }) =>
    letter === "invitation" && putAt === last.putAt
  );
  // The log has the reports of the mail provider as well, but it keeps a letter for 90 days only.
  return logged ?? { letter: "invitation", state: last.takenAt ? "taken" : "refused", ...last };
}

/**
 * Says what an operator can do for a person who says that the invitation did not arrive. Returns `undefined` if the
 * service knows too little about an invitation that an import has brought.
 */
async function invitationHelp(
  person: ShownSignup,
  wave: WaveReport | undefined,
  pageContext: PageContext,
): Promise<Html | undefined> {
  const { person: labels, pages } = pageContext.texts;
  const situation = situationOf(person, wave, pageContext);
  if (situation === undefined) return undefined;
  const list = knownValue(LISTS, situation);
  const outboxLink = list &&
    markup` <a href="${pathWith(PATHS.outbox, { list })}">${pages.outbox}</a>`;
  return markup`<p>${labels.invitationHelp[situation]}${outboxLink}</p>
${list && await retryPart(person, list, pageContext)}
${situation !== "expired" && wave && linkHelp(person, wave, labels)}`;
}

/** Says what keeps an invited person from using the invitation. */
function situationOf(
  { expiresAt, complainedAt, undeliverableAt, lastLetters }: ShownSignup,
  wave: WaveReport | undefined,
  { now, previewInvitation }: PageContext,
): Situation | undefined {
  const { takenAt, refusedAt } = lastLetters?.invitation ?? {};
  if (hasExpired(expiresAt, new Date(now).toISOString())) return "expired";
  // A rejected e-mail can have marked the address as undeliverable. To send it again also lifts this mark.
  if (refusedAt) return "refused";
  if (complainedAt) return "complained";
  if (undeliverableAt) return "undeliverable";
  if (takenAt) return "taken";
  if (!wave) return undefined;
  if (!wave.letters) return "noLetters";
  if (!previewInvitation) return "mailOff";
  return wave.state === "paused" || wave.state === "cancelled" ? wave.state : "waiting";
}

/** Shows why the last try to send the e-mail failed, and the button that tries it again at once. */
async function retryPart(
  person: ShownSignup,
  list: typeof LISTS[number],
  pageContext: PageContext,
): Promise<Html | undefined> {
  const { reason: reasonLabel, retry } = pageContext.texts.outbox.lists[list];
  const item = await findItem(person, list, pageContext);
  if (!item) return undefined;
  const form = postForm(
    { action: PATHS.outbox, fields: { action: "retry", list, id: item.id } },
    button(retry),
  );
  // The facts have the reason of a rejected e-mail already.
  const reason = list === "waiting" && item.details;
  return markup`${reason && markup`<p>${reasonLabel}: ${reason}</p>`}
${item.canRetry && markup`<div class="actions">${form}</div>`}`;
}

/** Finds the e-mail of the invitation among the first items of a list of the outbox. */
async function findItem(
  { id }: ShownSignup,
  list: typeof LISTS[number],
  { operations, may, now, previewInvitation }: PageContext,
): Promise<ItemRow | undefined> {
  const page = await operations.listOutbox({ refused: list === "refused", limit: MAX_SEARCHED });
  if ("failure" in page) return undefined;
  const item = page.items.find(({ recordId, message }) =>
    recordId === id && message === "invitation"
  );
  const letters = may("retryOutbox") && previewInvitation !== undefined;
  return item && rowOfItem(item, { now, mayRetry: { letters, events: false } });
}

/** The link of the invitation, for an operator who sends it to the person; `undefined` if the role sees no codes. */
function linkHelp(
  { invitationCode: code }: ShownSignup,
  { link }: WaveReport,
  labels: ConsoleTexts["person"],
): Html | undefined {
  if (code === undefined) return undefined;
  const url = invitationUrlOf(link, code);
  const codeBesides = !url.includes(code) && markup` ${labels.withCode} <code>${code}</code>`;
  return markup`<p>${labels.sendLink} <code>${url}</code>${codeBesides}</p>`;
}
