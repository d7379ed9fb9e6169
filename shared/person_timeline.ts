/**
 * Makes the history of a person: a list of events in words. The console, the self-service page and the proof of consent
 * show this list, each of them with its own texts.
 *
 * @module
 */
import type { AuditEntry, LoggedLetter, ShownSignup } from "./operator_schemas.ts";

type LastLetters = NonNullable<ShownSignup["lastLetters"]>;
type Letter = keyof LastLetters;
/** The result of the last letter of a kind. The proof of consent has the same members about the confirmation letter. */
type LastLetter =
  & Partial<NonNullable<LastLetters[Letter]>>
  & Partial<Pick<LoggedLetter, "state" | "noNewTry">>;

/** The members of a record that tell the events of the history. */
export type TimelinePerson = Pick<
  ShownSignup,
  | "createdAt"
  | "consentedAt"
  | "imported"
  | "proof"
  | "confirmations"
  | "lastLetters"
  | "linkAt"
  | "corrections"
  | "invitedAt"
  | "wave"
  | "acceptedAt"
>;

/** The members of an entry of the audit log that the history needs. */
type HistoryEntry = Pick<AuditEntry, "at" | "action" | "details">;

/** The words for the events, in the reader's language. */
export interface TimelineTexts {
  /**
   * The words for the steps of a person. `joinedInFile` and `consentedInFile` are the first sign-up and the latest
   * consent if an imported file gave their moments. `confirmedFormer` is the person's confirmation of an earlier
   * address, which was corrected later.
   */
  steps: Record<
    | "joined"
    | "joinedAgain"
    | "joinedInFile"
    | "consentedInFile"
    | "imported"
    | "confirmed"
    | "confirmedFormer"
    | "corrected"
    | "invited"
    | "accepted",
    string
  >;
  /** The names of the letters. */
  letters: Record<Letter, string>;
  /**
   * The words for what happened to a letter. They stand after the name of the letter. `retried` is a refusal of a letter
   * that the service itself will try again, and `notRetried` one of a letter that was not needed any more; without them,
   * `refused` stands for such refusals as well.
   */
  outcomes: Record<"put" | "taken" | "refused", string> & { retried?: string; notRetried?: string };
  /** The words for a letter of the log that went to an address before a correction. They stand after the outcome. */
  toFormerAddress?: string;
  /** Returns the words for an action of the audit log. If it returns `undefined`, the list leaves the entry out. */
  nameAction: (action: string) => string | undefined;
}

/** The options of {@linkcode timelineOf}. */
export interface TimelineOptions<Entry extends HistoryEntry> {
  /** The entries of the audit log about the person, the newest first. */
  history: Entry[];
  /**
   * The log of letters to the person, which has more letters than the record. Without it, the list has only the letters
   * of the record, which are the last ones of each kind.
   */
  letterLog?: LoggedLetter[] | undefined;
  /**
   * The moments at which the letters that wait in the outbox were put there, by kind. Without them, the list has only
   * those moments that the record has, which has none of an invitation.
   */
  waitingSince?: Partial<Record<Letter, string>> | undefined;
  texts: TimelineTexts;
  /**
   * Whether to leave out the answers of mail servers and, for a letter that has left the outbox, the time when it was
   * put there. `false` by default.
   */
  isBrief?: boolean;
}

/** One event in the history of a person. */
export interface TimelineEvent<Entry extends HistoryEntry = HistoryEntry> {
  /** The date-time of the event. */
  at: string;
  /** What happened, in words. */
  what: string;
  /** For an event of a letter: the answer of the mail server and the Message-ID, if there are any. */
  serverTexts?: string;
  /**
   * Who made the event: the person, the operator whom `entry` names, or the service by itself. An act of an operator
   * counts as an act of the service if the audit log has no entry about it, or not any more. `file` stands for an event
   * that the service knows only from an imported file.
   */
  by: "person" | "operator" | "service" | "file";
  /** The entry of the audit log about the event, if there is one. */
  entry?: Entry | undefined;
  /** The name of the operator, if the record has it. The operator of an event with an entry is in the entry. */
  operator?: string | undefined;
  /** Present if the event is about a letter. */
  letter?: true;
}

/**
 * The steps that an operator or the product makes for a person, with the action that the audit log has for each step.
 */
const ACTIONS = {
  corrected: "correctSignup",
  invited: "startWave",
  accepted: "redeemInvitation",
};

/**
 * How much older a step's entry in the audit log may be than the step itself, in milliseconds. The entry about a wave may
 * be even older, because the service invites people long after the start of the wave.
 */
const MAX_DELAY_MS = 60_000;

/** Lists the events of a person from the record and from the audit log, the oldest first. */
export function timelineOf<Entry extends HistoryEntry>(
  person: TimelinePerson,
  { history, letterLog = [], waitingSince = {}, texts, isBrief = false }: TimelineOptions<Entry>,
): TimelineEvent<Entry>[] {
  const { steps, nameAction } = texts;
  const { createdAt, consentedAt, imported, proof, corrections = [], lastLetters = {} } = person;

  /** Lists the event of a step that the person has made; no event if `at` is `undefined`. */
  const eventsOfStep = (name: keyof typeof steps, at: string | undefined): TimelineEvent<Entry>[] =>
    at === undefined ? [] : [{ at, what: steps[name], by: "person" }];

  /** Lists the event of a moment that an imported file gave. */
  const eventsOfFile = (name: keyof typeof steps, at: string): TimelineEvent<Entry>[] => [
    { at, what: steps[name], by: "file" },
  ];

  const signUpEvents = imported?.createdAt === createdAt
    ? eventsOfFile("joinedInFile", createdAt)
    : eventsOfStep("joined", createdAt);
  const consentEvents = imported?.consentedAt === consentedAt
    ? eventsOfFile("consentedInFile", consentedAt)
    : eventsOfStep("joinedAgain", consentedAt);
  // `entry` is absent, because the entry of the audit log is about the whole import and names no people.
  const importEvents: TimelineEvent<Entry>[] = imported
    ? [{ at: imported.at, what: steps.imported, by: "service", operator: imported.operator }]
    : [];

  /**
   * Lists the event of a step that the service has made for an operator, a schedule or the product; no event if `at` is
   * `undefined`.
   */
  const eventsOfAct = (
    name: keyof typeof ACTIONS,
    at: string | undefined,
  ): TimelineEvent<Entry>[] => {
    if (at === undefined) return [];
    const entry = history.find((entry) => isAbout(entry, { step: name, at, wave: person.wave }));
    return [{ at, what: steps[name], by: entry ? "operator" : "service", entry }];
  };

  /** Whether a letter was put into the outbox before the last correction, and so was for an earlier address. */
  const isToFormerAddress = ({ putAt = "" }: LastLetter) =>
    putAt !== "" && putAt < (corrections.at(-1)?.at ?? "");

  /**
   * Lists the events of the letters of a kind: those in the log, and those in the record that the log does not have.
   * @param recorded the letters in the record, the last letter last
   * @param lastPutAt the date-time when a letter of this kind was last put into the outbox, even if it still waits there
   */
  const eventsOfLetters = (
    kind: Letter,
    recorded: (LastLetter | undefined)[],
    lastPutAt = "",
  ): TimelineEvent<Entry>[] => {
    const logged: LastLetter[] = letterLog.filter(({ letter }) => letter === kind).toReversed();
    const loggedTimes = new Set(logged.map(({ putAt }) => putAt));
    const others = recorded.flatMap((letter) =>
      letter && !loggedTimes.has(letter.putAt) ? [letter] : []
    );
    const isAnotherWaiting = lastPutAt > (recorded.at(-1)?.putAt ?? "") &&
      !loggedTimes.has(lastPutAt);
    const letters = [...logged, ...others, ...isAnotherWaiting ? [{ putAt: lastPutAt }] : []];
    return letters.flatMap((letter) =>
      letterEvents(kind, letter, {
        texts,
        isBrief,
        isToFormerAddress: isToFormerAddress(letter),
        stillWaits: letter.putAt !== undefined && letter.putAt === waitingSince[kind],
      })
    );
  };

  const events: TimelineEvent<Entry>[] = [
    ...signUpEvents,
    ...consentedAt === createdAt ? [] : consentEvents,
    ...importEvents,
    // When the person confirms, the data of the confirmation letter move from `lastLetters` to `proof`.
    ...eventsOfLetters(
      "confirmation",
      [...corrections.map((correction) => correction.proof), lastLetters.confirmation ?? proof],
      waitingSince.confirmation ?? person.confirmations?.lastAt,
    ),
    ...eventsOfStep("confirmed", proof?.confirmedAt),
    ...corrections.flatMap(({ at, proof: formerProof }) => [
      ...eventsOfStep("confirmedFormer", formerProof?.confirmedAt),
      ...eventsOfAct("corrected", at),
    ]),
    ...eventsOfAct("invited", person.invitedAt),
    ...eventsOfLetters("invitation", [lastLetters.invitation], waitingSince.invitation),
    ...eventsOfLetters("link", [lastLetters.link], waitingSince.link ?? person.linkAt),
    ...eventsOfAct("accepted", person.acceptedAt),
  ];

  const entriesOfSteps = new Set(events.map(({ entry }) => entry));
  const otherActs = history.flatMap((entry): TimelineEvent<Entry>[] => {
    const what = entriesOfSteps.has(entry) ? undefined : nameAction(entry.action);
    return what === undefined ? [] : [{ at: entry.at, what, by: "operator", entry }];
  });
  return [...events, ...otherActs].sort((a, b) => compareTimes(a.at, b.at));
}

/** Whether an entry of the audit log is about a step that was made at the time `at`. */
function isAbout(
  entry: HistoryEntry,
  { step, at, wave }: { step: keyof typeof ACTIONS; at: string; wave: string | undefined },
): boolean {
  const delay = Date.parse(at) - Date.parse(entry.at);
  if (entry.action !== ACTIONS[step] || delay < 0) return false;
  return step === "invited" ? entry.details?.wave === wave : delay < MAX_DELAY_MS;
}

/**
 * Returns the events of a letter. A letter without an outcome waits in the outbox.
 * @param options.stillWaits whether the same letter waits in the outbox. The service itself tries a refused letter again
 * in this way. A retry of an operator makes a letter of its own, which has events of its own.
 */
function letterEvents(
  kind: Letter,
  { state, noNewTry, putAt, takenAt, refusedAt, answer, messageId }: LastLetter,
  { texts, isBrief, isToFormerAddress, stillWaits }: {
    texts: TimelineTexts;
    isBrief: boolean;
    isToFormerAddress: boolean;
    stillWaits: boolean;
  },
): TimelineEvent<never>[] {
  const hasLeftOutbox = (takenAt ?? refusedAt) !== undefined;
  const answerAndId = isBrief ? "" : [answer, messageId].filter((text) => text).join(" · ");
  const { letters, outcomes, toFormerAddress } = texts;
  const addressee = isToFormerAddress && toFormerAddress ? ` ${toFormerAddress}` : "";

  /** Lists the event of an outcome; no event if there is no time. */
  const eventsOfOutcome = (
    outcome: "put" | "taken" | "refused",
    at: string | undefined,
    serverTexts = "",
  ): TimelineEvent<never>[] => {
    if (!at) return [];
    const isRetried = outcome === "refused" && state === "retried" && !isToFormerAddress;
    const wordsIfRetried = isRetried &&
      (stillWaits ? outcomes.retried : noNewTry && outcomes.notRetried);
    const words = wordsIfRetried || outcomes[outcome];
    const what = `${letters[kind]} – ${words}${addressee}`;
    return [{ at, what, ...serverTexts && { serverTexts }, by: "service", letter: true }];
  };

  return [
    ...isBrief && hasLeftOutbox ? [] : eventsOfOutcome("put", putAt),
    ...eventsOfOutcome("taken", takenAt, answerAndId),
    ...eventsOfOutcome("refused", refusedAt, answerAndId),
  ];
}

/** Compares date-times in UTC, for a sort. Events of the same time keep their order, because equal times give 0. */
function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Writes what happened in an event on one line, with the texts of the mail server at the end. */
export const describeEvent = ({ what, serverTexts }: TimelineEvent): string =>
  serverTexts ? `${what} · ${serverTexts}` : what;
