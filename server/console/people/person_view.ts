/**
 * Shows the page of a person: what the service keeps of the person, and the buttons for the acts. Other files of this
 * folder have further sections of the page. `person.ts` acts on the forms of the page. @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS } from "../../waitlist/mod.ts";
import {
  type Fact,
  facts,
  listLink,
  nameIn,
  personBadges,
  section,
  showAddress,
  showTime,
  statusNote,
} from "../components.ts";
import { button, knownValue, postForm, type SentFields } from "../forms.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";
import { type ActName, ACTS, fitsPerson } from "./acts.ts";
import { answersForm } from "./answers_form.ts";
import { DONE_NAMES, pathOfPerson } from "./find_person.ts";
import { historyTable } from "./history.ts";
import { invitationSection } from "./invitation.ts";
import { lettersSection } from "./letters.ts";
import { noteSection } from "./note.ts";
import { proofFacts } from "./proof.ts";
import { referralFacts } from "./referral_facts.ts";

/**
 * The page of a person.
 * @param options.refusalNote why a form of the page was refused
 * @param options.refusedForm the refused form, whose values the page shows again
 */
export async function personView(
  pageContext: PageContext,
  person: ShownSignup,
  { refusalNote, status, refusedForm }: {
    refusalNote?: Html;
    status?: number;
    refusedForm?: SentFields;
  } = {},
): Promise<View> {
  const { texts, may, query } = pageContext;
  const { person: labels } = texts;
  const action = pathOfPerson(pageContext, person);
  const recordContent = markup`${personFacts(person, pageContext)}
${may("setAnswers") && await answersForm(person, pageContext, { action, refusedForm })}
<p>${labels.keptElse}</p>`;
  const proofPath = pathOfPerson(pageContext, person, { subpath: "/proof" });
  const proofContent = markup`${proofFacts(person, texts)}
<p><a href="${proofPath}">${labels.openProof}</a></p>`;
  const keptSection = section("kept", labels.kept, recordContent);
  const proofSection = section("proof", labels.proof, proofContent);
  const shownNote = noteSection(person, pageContext, { action, refusedForm });
  const shownInvitation = await invitationSection(person, pageContext, action);
  // An invited person is mostly looked up because of the invitation, which therefore comes first. In both orders, the
  // columns have about the same height.
  const [left, right] = shownInvitation
    ? [markup`${shownInvitation}\n${shownNote}`, markup`${keptSection}\n${proofSection}`]
    : [keptSection, markup`${shownNote}\n${proofSection}`];
  return {
    title: labels.person,
    heading: markup`${showAddress(person.email)} ${personBadges(texts, person)}`,
    ...status !== undefined && { status },
    body: markup`${listLink(query.get("list"), labels.backToList)}
${refusalNote ?? noteAfterAct(query, texts)}
${refusedConfirmation(person, texts)}
${personButtons(person, pageContext)}
<div class="columns">
<div>${left}</div>
<div>${right}</div>
</div>
${section("history", labels.history, historyTable(person, texts))}
${lettersSection(person, pageContext, action)}`,
  };
}

/** Says what was done with the person, if an act has just led to the page. */
function noteAfterAct(
  query: URLSearchParams,
  { person: labels, pages }: ConsoleTexts,
): Html | undefined {
  const done = knownValue(DONE_NAMES, query.get("done"));
  // The note about a new letter links to the page "E-mails and events", which lists the letter until it is sent.
  const outboxLink = (done === "reminded" || done === "resent") &&
    markup` <a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  return done && statusNote(markup`${labels[done]}${outboxLink}`);
}

/**
 * Says that the mail server has refused the last confirmation letter, and why, because the person cannot confirm without
 * this letter. Returns `undefined` if the letter was not refused, or if the person has confirmed.
 */
function refusedConfirmation(
  { state, lastLetters }: ShownSignup,
  { person: labels }: ConsoleTexts,
): Html | undefined {
  const { refusedAt, answer } = lastLetters?.confirmation ?? {};
  if (state !== "unconfirmed" || refusedAt === undefined) return undefined;
  return markup`<p class="warning">${labels.confirmationRejected} <small>${answer}</small></p>`;
}

/** The buttons for what can be done with the person in the present state. */
function personButtons(person: ShownSignup, pageContext: PageContext): Html {
  const { texts, may } = pageContext;
  const { person: labels, pages } = texts;
  const action = pathOfPerson(pageContext, person);
  const actForm = (act: ActName, label: string, kind?: "danger") =>
    may(ACTS[act].operation) && fitsPerson(act, person) &&
    postForm({ action, fields: { act } }, button(label, kind));
  const correctPath = pathOfPerson(pageContext, person, { subpath: "/correct" });
  const correctLink = may("correctSignup") &&
    markup`<a class="button" href="${correctPath}">${labels.correct} …</a>`;
  const whyNoReminder = reasonNotToRemind(person, pageContext);
  return markup`<div class="actions">
${whyNoReminder === undefined && actForm("remind", labels.remind)}
${actForm("invite", `${pages.invite} …`)}
${correctLink}
${actForm("undeliverable", `${labels.markUndeliverable} …`)}
${actForm("deliverable", labels.lift)}
${actForm("export", labels.export)}
${actForm("erase", labels.erase, "danger")}
</div>
${whyNoReminder && may("remindSignups") && markup`<p class="hint">${whyNoReminder}</p>`}`;
}

/**
 * Says why an unconfirmed person cannot be reminded, and until when. Returns `undefined` for a person who can be
 * reminded now, or who is in another state.
 */
function reasonNotToRemind(
  { state, undeliverableAt, complainedAt, nextReminder = "", noReminder }: ShownSignup,
  { texts, readClock, previewInvitation }: PageContext,
): Html | string | undefined {
  const { person: { notRemindedYet: labels }, words } = texts;
  if (state !== "unconfirmed") return undefined;
  if (!previewInvitation) return words.noMail;
  if (undeliverableAt) return labels.undeliverable;
  if (noReminder === "unreadable") return labels.unreadable;
  if (complainedAt || !nextReminder) return labels.complained;
  // If a letter is allowed now, `nextReminder` is the moment at which the operation was called. This moment is after the
  // moment of the request.
  if (Date.parse(nextReminder) <= readClock()) return undefined;
  return markup`${labels.until} ${showTime(nextReminder, texts)}.`;
}

/**
 * What the service keeps of a person, and the facts about referrals. Leaves out what other parts of the page show.
 */
function personFacts(person: ShownSignup, pageContext: PageContext): Html {
  const { texts } = pageContext;
  const { source, role, building, confirmations } = person;
  const { person: labels, people, words, number, answers } = texts;
  const showMoment = (moment: string | undefined) => moment && showTime(moment, texts);
  return facts([
    [labels.undeliverableAt, showMoment(person.undeliverableAt)],
    [labels.complainedAt, showMoment(person.complainedAt)],
    [people.createdAt, showMoment(person.createdAt)],
    [labels.consentedAt, showMoment(person.consentedAt)],
    [labels.updatedAt, showMoment(person.updatedAt)],
    [words.fields.lang, words.langs[person.lang]],
    [words.fields.source, source && words.sources[source]],
    [words.fields.role, role && nameIn(answers.role, role)],
    [words.fields.building, building && nameIn(answers.building, building)],
    ...CAMPAIGN_FIELDS.map((field): Fact => [words.fields[field], person[field]]),
    [labels.confirmations, confirmations && number(confirmations.count)],
    ...referralFacts(person, pageContext),
  ]);
}
