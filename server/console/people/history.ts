/** The history of a person: what the person, operators and mail providers did, and what became of letters. @module */
import { LETTER_KINDS } from "../../../shared/letter_kinds.ts";
import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type TimelineEvent, timelineOf } from "../../../shared/person_timeline.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { LetterKind } from "../../waitlist/mod.ts";
import { nameIn, showTime, table } from "../components.ts";
import { type WaitingLetter, waitingLettersTo } from "./letters.ts";

/** How much older the entry of a mark may be than the mark, in milliseconds. */
const MAX_DELAY_MS = 60_000;

/** An event in the history of a person, in words. The downloaded file of a person has members of the same names. */
export interface HistoryLine {
  /** The date-time of the event. */
  at: string;
  /** What happened. */
  what: string;
  /** The name of the author of the event; empty for an event that the service has caused by itself. */
  who: string;
  /** The reason that an operator or a mail provider has given, or the texts of the mail server. */
  details?: string;
}

/** Returns what the person did, what became of letters, and what operators did. The newest line comes first. */
export function historyOf(person: ShownSignup, texts: ConsoleTexts): HistoryLine[] {
  const { person: labels, activity, outbox } = texts;
  const names = { ...activity.actions, ...labels.actions };
  const events = timelineOf(person, {
    history: person.history,
    letterLog: person.letterLog,
    waitingSince: Object.fromEntries(
      waitingLettersTo(person).map(({ message, putAt }) => [message, putAt]),
    ),
    texts: {
      steps: { ...labels.steps, invited: labels.invitedIn({ wave: person.wave ?? "" }) },
      letters: outbox.messages,
      outcomes: labels.ends,
      toFormerAddress: labels.toFormerAddress,
      nameAction: (action) => nameIn(names, action),
    },
  });
  return events.reverse().map(({ at, what, by, entry, operator, serverTexts }) => {
    const details = entry?.details?.reason || serverTexts;
    const liftsMark = entry?.details?.liftedMarks !== undefined;
    const retriedKind = entry && kindTriedBy(entry, person);
    const words = retriedKind ? labels.triedAgain[retriedKind] : what;
    return {
      at,
      what: liftsMark ? `${words}; ${labels.markLifted}` : words,
      who: authorOf({ by, entry, operator }, texts),
      ...details !== undefined && { details: String(details) },
    };
  });
}

/** How much later than the entry about a new try a rejected e-mail is put into the outbox again, in milliseconds. */
const MAX_RETRY_MS = 60_000;

/**
 * The kind of the e-mail that an operator tried again by the call of an entry; `undefined` if the entry is about
 * something else, or if the kind is not known. Some entries do not have the kind: those about all rejected items, those
 * about items of several kinds, and those of earlier versions.
 */
function kindTriedBy(
  { action, at, details }: AuditEntry,
  person: ShownSignup,
): LetterKind | undefined {
  if (action !== "retryOutbox") return undefined;
  return details?.message === undefined
    ? kindTriedAt(at, person)
    : LETTER_KINDS.find((kind) => kind === details.message);
}

/**
 * The kind of the e-mail that an operator tried again at a moment. It is that of the e-mails that waited then, or that
 * were put into the outbox again just then. Returns `undefined` if there were none, because the operator may have tried
 * an event again, or several of different kinds.
 */
function kindTriedAt(at: string, person: ShownSignup): LetterKind | undefined {
  const putBy = new Date(Date.parse(at) + MAX_RETRY_MS).toISOString();
  const left = (person.letterLog ?? []).filter(({ takenAt, refusedAt }) =>
    (takenAt ?? refusedAt ?? "") >= at
  );
  const waiting = waitingLettersTo(person);
  const kinds = new Set([
    ...left.filter(({ putAt }) => putAt <= putBy).map(({ letter }) => letter),
    ...waiting.filter(({ putAt }) => putAt <= putBy).map(({ message }) => message),
  ]);
  const [kind, ...others] = LETTER_KINDS.filter((name) => kinds.has(name));
  return others.length === 0 ? kind : undefined;
}

/**
 * The entry of the audit log about the last time that an operator tried an e-mail again that still waits; absent if no
 * operator has. Entries about an earlier e-mail of this kind are older than the moment at which the e-mail was put into
 * the outbox.
 */
export const retryOfWaitingLetter = (
  { message, putAt }: Pick<WaitingLetter, "message" | "putAt">,
  person: ShownSignup,
): AuditEntry | undefined =>
  person.history.find((entry) =>
    kindTriedBy(entry, person) === message &&
    Date.parse(putAt) <= Date.parse(entry.at) + MAX_RETRY_MS
  );

/** The actions in the audit log that mark an address as undeliverable. */
const MARKING_ACTIONS = ["markUndeliverable", "mailBounced"];

/** The reason in the audit log for the present mark as undeliverable; `undefined` if the log has none. */
export function reasonOfMark({ undeliverableAt = "", history }: ShownSignup): string | undefined {
  // The entry of a mark is made just before the mark. Older entries are left out, because they are about earlier marks:
  // a mark that comes from a rejected e-mail has no entry.
  const entry = history.find(({ action, at }) =>
    MARKING_ACTIONS.includes(action) && at <= undeliverableAt &&
    Date.parse(at) > Date.parse(undeliverableAt) - MAX_DELAY_MS
  );
  const reason = entry?.details?.reason;
  return reason === undefined ? undefined : String(reason);
}

/** Names the author of an event; empty for an event that the service has caused by itself. */
function authorOf(
  { by, entry, operator = "" }: Pick<TimelineEvent<AuditEntry>, "by" | "entry" | "operator">,
  texts: ConsoleTexts,
): string {
  if (entry) return authorOfEntry(entry, texts);
  return by === "person" ? texts.person.byPerson : operator;
}

/** Names the operator of an audit entry, or the mail provider whose report the entry is about. */
function authorOfEntry({ operator = "", details }: AuditEntry, { words }: ConsoleTexts): string {
  // An entry about a report of a mail provider has `mail` in place of an operator.
  const provider = operator === "mail" ? details?.provider : undefined;
  return provider ? nameIn(words.mailProviders, String(provider)) : operator;
}

/**
 * The history as a table. The details of an event stand below the words for what happened. Leaves out the texts of the
 * mail server that the proof of consent has, because this proof stands on the same page.
 * @param showMoment shows the time of an event; to the minute by default
 */
export function historyTable(
  person: ShownSignup,
  texts: ConsoleTexts,
  showMoment: (moment: string, texts: ConsoleTexts) => Html = showTime,
): Html {
  const { person: labels, words } = texts;
  const { answer, messageId } = person.proof ?? {};
  const textsOfProof = [answer, messageId].filter(Boolean).join(" · ");
  return table({
    caption: labels.historyCaption,
    head: [words.time, words.what, labels.who],
    rows: historyOf(person, texts).map(({ at, what, who, details }) => {
      const shownDetails = details !== textsOfProof && details;
      const event = markup`${what}${shownDetails && markup` <small>${shownDetails}</small>`}`;
      return [showMoment(at, texts), { rowHeading: event }, who];
    }),
    stacks: true,
  });
}
