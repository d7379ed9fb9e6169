/**
 * Shows the page of a person: what the service keeps of the person, and the buttons for the acts. Other files of this
 * folder have further sections of the page. `person.ts` acts on the forms of the page. @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS, rejectedLettersOf } from "../../waitlist/mod.ts";
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
import { readPause, type ShownPause } from "../letter_pause.ts";
import type { PageContext, View } from "../page_context.ts";
import { type ActName, ACTS, fitsPerson } from "./acts.ts";
import { answersForm } from "./answers_form.ts";
import {
  type DelayedLetter,
  delayedLettersTo,
  delayWarnings,
  lettersOnTheWayTo,
} from "./delayed_letters.ts";
import { DONE_NAMES, pathOfPerson } from "./find_person.ts";
import { historyTable, reasonOfMark } from "./history.ts";
import { invitationSection, shownInvitationUrl } from "./invitation.ts";
import { LETTER_ACTS, noteAfterLetterAct } from "./letter_act_note.ts";
import {
  lastRejectionOf,
  lettersSection,
  mayBeInSpam,
  stateOfLastLetter,
  waitingLettersTo,
} from "./letters.ts";
import { noteSection } from "./note.ts";
import { pausedLettersTo, pausedLetterWarnings } from "./paused_letters.ts";
import { consentFact, proofFacts } from "./proof.ts";
import { referralFacts } from "./referral_facts.ts";
import { rejectedLettersTo, rejectionWarnings } from "./rejected_letters.ts";

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
  const pause = waitingLettersTo(person).length > 0 ? await readPause(pageContext) : undefined;
  const delayedLetters = delayedLettersTo(person, { now: pageContext.now, pause });
  const recordContent = markup`${personFacts(person, { pageContext, pause })}
${may("setAnswers") && await answersForm(person, pageContext, { action, refusedForm })}`;
  const proofPath = pathOfPerson(pageContext, person, { subpath: "/proof" });
  const proofContent = markup`${proofFacts(person, texts)}
<p><a href="${proofPath}">${labels.openProof}</a></p>`;
  const keptSection = section("kept", labels.kept, recordContent);
  const proofSection = section("proof", labels.proof, proofContent);
  const shownNote = noteSection(person, pageContext, { action, refusedForm });
  const shownInvitation = await invitationSection(person, pageContext, { action, pause });
  // An invited person is mostly looked up because of the invitation, which therefore comes first. In both orders, the
  // columns have about the same height.
  const [left, right] = shownInvitation
    ? [markup`${shownInvitation}\n${shownNote}`, markup`${keptSection}\n${proofSection}`]
    : [keptSection, markup`${shownNote}\n${proofSection}`];
  return {
    title: labels.person,
    heading: markup`${showAddress(person.email)} ${
      personBadges(texts, badgesOf(person, delayedLetters))
    }`,
    ...status !== undefined && { status },
    ...shownInvitationUrl(person, pageContext.now) && { script: "copy.js" },
    body: markup`${listLink(query.get("list"), labels.backToList)}
${refusalNote ?? noteAfterAct(person, pageContext, pause)}
${buttonsAndWarnings(person, pageContext, { delayedLetters, pause })}
<div class="columns">
<div>${left}</div>
<div>${right}</div>
</div>
${section("history", labels.history, historyTable(person, texts))}
${lettersSection(person, pageContext, { action, pause, delayedLetters })}`,
  };
}

/**
 * Gives what the badges beside the address are about. They are those that the person has in the list of people. Here, a
 * rejected e-mail that waits for a new try counts as rejected, because the page has a warning about the rejection.
 */
function badgesOf(
  person: ShownSignup,
  delayedLetters: DelayedLetter[],
): Parameters<typeof personBadges>[1] {
  const rejectedAndWaiting = delayedLetters.filter(({ rejectedAt }) => rejectedAt !== undefined);
  const [refusedLetter = rejectedAndWaiting[0]?.message] = rejectedLettersOf(person);
  const letterWaits = lettersOnTheWayTo(person).length > rejectedAndWaiting.length;
  return {
    ...person,
    ...refusedLetter && { refusedLetter },
    ...letterWaits && { letterWaits },
  };
}

/** Says what was done with the person, if an act has just led to the page. */
function noteAfterAct(
  person: ShownSignup,
  pageContext: PageContext,
  pause: ShownPause | undefined,
): Html | undefined {
  const done = knownValue(DONE_NAMES, pageContext.query.get("done"));
  if (!done) return undefined;
  const letterAct = knownValue(LETTER_ACTS, done);
  if (!letterAct) return statusNote(pageContext.texts.person[done]);
  const { id = "" } = person;
  const path = pageContext.personPath(id);
  return noteAfterLetterAct(letterAct, person, { pageContext, path, pause });
}

/**
 * The warnings about rejected, delayed and paused e-mails, and the buttons for what can be done with the person in the
 * present state. What mends such an e-mail stands in its warning only.
 */
function buttonsAndWarnings(
  person: ShownSignup,
  pageContext: PageContext,
  { delayedLetters, pause }: { delayedLetters: DelayedLetter[]; pause: ShownPause | undefined },
): Html {
  const { texts, may } = pageContext;
  const { person: labels, pages } = texts;
  const action = pathOfPerson(pageContext, person);
  const actForm = (act: ActName, label: string, kind?: "danger") =>
    may(ACTS[act].operation) && fitsPerson(act, person) &&
    postForm({ action, fields: { act } }, button(label, kind));
  const correctPath = may("correctSignup")
    ? pathOfPerson(pageContext, person, { subpath: "/correct" })
    : undefined;
  const rejectedLetters = rejectedLettersTo(person, pageContext);
  const delayedIds = new Set(delayedLetters.map(({ id }) => id));
  const pausedLetters = pausedLettersTo(person, { now: pageContext.now, pause })
    .filter(({ id }) => !delayedIds.has(id));
  // While a rejected or delayed confirmation can be tried again, or is being tried again, another one would be the same
  // e-mail.
  const isTriedAgain = !person.undeliverableAt &&
    waitingLettersTo(person).some((letter) =>
      letter.message === "confirmation" && lastRejectionOf(letter, person)
    );
  const isInOutbox = isTriedAgain ||
    delayedLetters.some(({ message }) => message === "confirmation") ||
    rejectedLetters.some(({ kind, retriable }) => kind === "confirmation" && retriable);
  const whyNoReminder = reasonNotToRemind(person, pageContext);
  const mayBeReminded = whyNoReminder === undefined && !isInOutbox;
  const hint = !isInOutbox && may("remindSignups") && whyNoReminder;
  const spamAdvice = person.state === "unconfirmed" && mayBeInSpam("confirmation", person) &&
    labels.confirmationTaken;
  const hasRejections = rejectedLetters.length > 0;
  const hasCorrectLink = hasRejections ||
    delayedLetters.some(({ rejectedAt }) => rejectedAt !== undefined);
  return markup`${rejectionWarnings(rejectedLetters, person, { pageContext, action, correctPath })}
${!hasRejections && markWarning(person, texts)}
${delayWarnings(delayedLetters, { pageContext, action, correctPath, pause })}
${pause && pausedLetterWarnings(pausedLetters, pause, texts)}
<div class="actions">
${mayBeReminded && actForm("remind", labels.remind)}
${actForm("invite", `${pages.invite} …`)}
${
    !hasCorrectLink && correctPath !== undefined &&
    markup`<a class="button" href="${correctPath}">${labels.correct} …</a>`
  }
${actForm("undeliverable", `${labels.markUndeliverable} …`)}
${actForm("deliverable", labels.lift)}
${actForm("export", labels.export)}
${actForm("erase", labels.erase, "danger")}
</div>
${(spamAdvice || hint) && markup`<p class="hint">${spamAdvice} ${hint}</p>`}`;
}

/**
 * Says why an unconfirmed person cannot be reminded, and until when. Returns `undefined` for a person who can be
 * reminded now, or who is in another state.
 */
function reasonNotToRemind(
  person: ShownSignup,
  { texts, readClock, previewInvitation }: PageContext,
): Html | string | undefined {
  const { person: { notRemindedYet: labels }, words } = texts;
  const { state, undeliverableAt, complainedAt, nextReminder = "", noReminder } = person;
  if (state !== "unconfirmed") return undefined;
  if (!previewInvitation) return words.noMail;
  if (undeliverableAt) return labels.undeliverable;
  if (noReminder === "unreadable") return labels.unreadable;
  if (complainedAt || !nextReminder) return labels.complained;
  // If a letter is allowed now, `nextReminder` is the moment at which the operation was called. This moment is after the
  // moment of the request.
  if (Date.parse(nextReminder) <= readClock()) return undefined;
  const isWaiting = waitingLettersTo(person).some(({ message }) => message === "confirmation");
  return markup`${isWaiting ? labels.stillWaits : labels.until} ${showTime(nextReminder, texts)}.`;
}

/**
 * What the service keeps of a person, and the facts about referrals. Leaves out what other parts of the page show.
 * @param options.pause the pause of all letters; `undefined` if there is none
 */
function personFacts(
  person: ShownSignup,
  { pageContext, pause }: { pageContext: PageContext; pause: ShownPause | undefined },
): Html {
  const { texts } = pageContext;
  const { source, role, building, confirmations } = person;
  const { person: labels, people, words, number, answers } = texts;
  const showMoment = (moment: string | undefined) => moment && showTime(moment, texts);
  return facts([
    [
      labels.confirmationLetter,
      person.state === "unconfirmed" &&
      stateOfLastLetter("confirmation", person, { pageContext, pause }),
    ],
    [labels.placeInLine, person.place !== undefined && number(person.place)],
    [labels.undeliverableAt, showMoment(person.undeliverableAt)],
    [labels.complainedAt, showMoment(person.complainedAt)],
    [people.createdAt, showMoment(person.createdAt)],
    consentFact(person, texts, showTime),
    [labels.updatedAt, showMoment(person.updatedAt)],
    [words.fields.lang, words.langs[person.lang]],
    [words.fields.source, source && words.sources[source]],
    [words.fields.role, role && nameIn(answers.role, role)],
    [words.fields.building, building && nameIn(answers.building, building)],
    ...CAMPAIGN_FIELDS.map((field): Fact => [words.fields[field], person[field]]),
    [labels.confirmations, confirmations && number(confirmations.count)],
    [labels.confirmBy, showMoment(person.confirmBy)],
    ...referralFacts(person, pageContext),
  ]);
}

/**
 * Says that the address is marked as undeliverable, with the reason that an operator or a mail provider gave;
 * `undefined` for an address without the mark.
 */
function markWarning(person: ShownSignup, texts: ConsoleTexts): Html | undefined {
  if (!person.undeliverableAt) return undefined;
  const sentence = texts.person.getsNoLetters({ at: texts.date(person.undeliverableAt) });
  return markup`<p class="warning">${sentence} <small>${reasonOfMark(person)}</small></p>`;
}
