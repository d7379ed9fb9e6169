/**
 * What happened with a person, in the reader's words: what the console, the person's own page and a proof show.
 *
 * @module
 */
import type { AuditEntry, ShownSignup } from "./operator_schemas.ts";

type LastLetters = NonNullable<ShownSignup["lastLetters"]>;
type Letter = keyof LastLetters;

/** The part of a record that tells what happened. */
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

/** The steps of a person besides letters; `confirmedFormer` was the address before a correction. */
export interface TimelineTexts {
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
  letters: Record<Letter, string>;
  /** What became of a letter; each stands behind its name. */
  ends: Record<"put" | "taken" | "refused", string>;
  /** Names what an operator did; without a name, the entry is left out. */
  nameAction: (action: string) => string | undefined;
  /** Whether to leave out what mail servers said, and that a letter waited which they have answered since. */
  brief?: boolean;
}

/** What happened at a moment, a date-time. */
export interface TimelineEvent<Told extends Entry = Entry> {
  at: string;
  what: string;
  /** Who did it: the person, an operator whom the entry of the audit log names, or a machine. */
  by: "person" | "entry" | "machine";
  entry?: Told | undefined;
  /** Whether it tells what became of a letter. */
  letter?: true;
}

/** The actions of the audit log that are steps of the person. */
const ACTIONS = {
  corrected: "correctSignup",
  invited: "startWave",
  accepted: "redeemInvitation",
};

/** The entry of a step comes with it, or shortly before; that of a wave may be older. */
const SHORTLY_MS = 60_000;

/** Tells what happened with a person, by the record and by the audit log, the oldest first. */
export function timelineOf<Told extends Entry>(
  person: TimelinePerson,
  history: Told[],
  { steps, letters, ends, nameAction, brief }: TimelineTexts,
): TimelineEvent<Told>[] {
  const { createdAt, consentedAt, proof, corrections = [], lastLetters = {} } = person;
  const events: TimelineEvent<Told>[] = [];
  const told = new Set<Told>();

  function addStep(at: string | undefined, step: keyof typeof steps): void {
    if (at !== undefined) events.push({ at, what: steps[step], by: "person" });
  }

  /** Adds what an operator or a program does, with its entry if there is one. */
  function addAct(at: string | undefined, step: keyof typeof ACTIONS): void {
    if (at === undefined) return;
    const entry = history.find((entry) => {
      const before = Date.parse(at) - Date.parse(entry.at);
      const isOwn = step === "invited" ? entry.details?.wave === person.wave : before < SHORTLY_MS;
      return entry.action === ACTIONS[step] && before >= 0 && isOwn;
    });
    if (entry) told.add(entry);
    events.push({ at, what: steps[step], by: entry ? "entry" : "machine", entry });
  }

  /** @param waits when the last letter of the kind was put into the outbox; it may wait there still */
  function addLetter(
    letter: Letter,
    last: Partial<NonNullable<LastLetters[Letter]>>,
    waits = "",
  ): void {
    const { putAt = "", takenAt, refusedAt, answer, messageId } = last;
    const add = (
      at: string | undefined,
      end: keyof typeof ends,
      ...said: (string | undefined)[]
    ) => {
      const texts = [ends[end], ...brief ? [] : said].filter((text) => text);
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
    const what = told.has(entry) ? undefined : nameAction(entry.action);
    if (what !== undefined) events.push({ at: entry.at, what, by: "entry", entry });
  }
  return events.sort((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
}
