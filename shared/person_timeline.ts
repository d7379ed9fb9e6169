/**
 * Makes the history of a person: a list of events in words. The console, the self-service page and the proof of consent
 * show this list, each of them with its own texts.
 *
 * @module
 */
import type { AuditEntry, ShownSignup } from "./operator_schemas.ts";

type LastLetters = NonNullable<ShownSignup["lastLetters"]>;
type Letter = keyof LastLetters;

/** The members of a record that tell the events of the history. */
export type TimelinePerson = Pick<
  ShownSignup,
  | "createdAt"
  | "consentedAt"
  | "proof"
  | "confirmations"
  | "lastLetters"
  | "linkAt"
  | "corrections"
  | "invitedAt"
  | "wave"
  | "acceptedAt"
>;

type Entry = Pick<AuditEntry, "at" | "action" | "details">;

/** The words for the events, in the reader's language. */
export interface TimelineTexts {
  /**
   * The words for the steps of a person. `confirmedFormer` is the person's confirmation of an earlier address, which
   * was corrected later.
   */
  steps: Record<
    | "joined"
    | "joinedAgain"
    | "confirmed"
    | "confirmedFormer"
    | "corrected"
    | "invited"
    | "accepted",
    string
  >;
  /** The names of the letters. */
  letters: Record<Letter, string>;
  /** The words for what happened to a letter. They stand after the name of the letter. */
  ends: Record<"put" | "taken" | "refused", string>;
  /** Returns the words for an action of the audit log. If it returns `undefined`, the list leaves the entry out. */
  nameAction: (action: string) => string | undefined;
  /**
   * Whether to leave out the answers of mail servers. If true, a letter that has left the outbox is also shown without
   * the time when it was put there.
   */
  brief?: boolean;
}

/** One event in the history of a person. */
export interface TimelineEvent<HistoryEntry extends Entry = Entry> {
  /** The date-time of the event. */
  at: string;
  /** What happened, in words. */
  what: string;
  /**
   * Who made the event: the person, the operator whom the entry of the audit log names (`entry`), or the service by
   * itself (`machine`).
   */
  by: "person" | "entry" | "machine";
  /** The entry of the audit log about the event, if there is one. */
  entry?: HistoryEntry | undefined;
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
 * How much older than a step the entry of the audit log about this step may be, in milliseconds. The entry about a wave
 * may be even older, because the service invites people long after the start of the wave.
 */
const SHORTLY_MS = 60_000;

/** Lists the events of a person from the record and from the audit log, the oldest first. */
export function timelineOf<HistoryEntry extends Entry>(
  person: TimelinePerson,
  history: HistoryEntry[],
  { steps, letters, ends, nameAction, brief }: TimelineTexts,
): TimelineEvent<HistoryEntry>[] {
  const { createdAt, consentedAt, proof, corrections = [], lastLetters = {} } = person;
  const events: TimelineEvent<HistoryEntry>[] = [];
  const usedEntries = new Set<HistoryEntry>();

  function addStep(at: string | undefined, step: keyof typeof steps): void {
    if (at !== undefined) events.push({ at, what: steps[step], by: "person" });
  }

  /**
   * Adds a step that the service has made for an operator, a schedule or the product, with its entry of the audit log
   * if there is such an entry.
   */
  function addAct(at: string | undefined, step: keyof typeof ACTIONS): void {
    if (at === undefined) return;
    const entry = history.find((entry) => {
      const before = Date.parse(at) - Date.parse(entry.at);
      const isOwn = step === "invited" ? entry.details?.wave === person.wave : before < SHORTLY_MS;
      return entry.action === ACTIONS[step] && before >= 0 && isOwn;
    });
    if (entry) usedEntries.add(entry);
    events.push({ at, what: steps[step], by: entry ? "entry" : "machine", entry });
  }

  /**
   * Adds the events of a letter.
   *
   * @param waits the date-time when a letter of this kind was last put into the outbox, even if it still waits there
   */
  function addLetter(
    letter: Letter,
    last: Partial<NonNullable<LastLetters[Letter]>>,
    waits = "",
  ): void {
    const { putAt = "", takenAt, refusedAt, answer, messageId } = last;
    const add = (
      at: string | undefined,
      end: keyof typeof ends,
      ...details: (string | undefined)[]
    ) => {
      const texts = [ends[end], ...brief ? [] : details].filter((text) => text);
      const what = `${letters[letter]} – ${texts.join(" · ")}`;
      if (at) events.push({ at, what, by: "machine", letter: true });
    };
    if (!brief || !(takenAt ?? refusedAt)) add(putAt, "put");
    add(takenAt, "taken", answer, messageId);
    add(refusedAt, "refused", answer, messageId);
    if (waits > putAt) add(waits, "put");
  }

  addStep(createdAt, "joined");
  if (consentedAt !== createdAt) addStep(consentedAt, "joinedAgain");
  addLetter("confirmation", lastLetters.confirmation ?? proof ?? {}, person.confirmations?.lastAt);
  addStep(proof?.confirmedAt, "confirmed");
  for (const { at, proof: former } of corrections) {
    addStep(former?.confirmedAt, "confirmedFormer");
    addAct(at, "corrected");
  }
  addAct(person.invitedAt, "invited");
  addLetter("invitation", lastLetters.invitation ?? {});
  addLetter("link", lastLetters.link ?? {}, person.linkAt);
  addAct(person.acceptedAt, "accepted");
  for (const entry of history) {
    const what = usedEntries.has(entry) ? undefined : nameAction(entry.action);
    if (what !== undefined) events.push({ at: entry.at, what, by: "entry", entry });
  }
  return events.sort((a, b) => compareTimes(a.at, b.at));
}

/** Compares date-times in UTC. Events of the same time keep their order. */
function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
