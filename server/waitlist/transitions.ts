/**
 * The transitions of a sign-up: which state a person is in, what each step does to the record, and which letters and
 * events it brings (decisions, "The life of a sign-up"). A state never moves back.
 *
 * @module
 */
import { type Brake, noteLetter } from "./brakes.ts";
import { type Confirmations, type SignUp, type SignUpRecord } from "./record.ts";
import { type MergeOptions, mergeSignUp } from "./merge.ts";

/** The kinds of letters; each has a file in the folder `letters` of each language in `content/`. */
export const LETTER_KINDS = ["confirmation", "invitation", "link"] as const;

/** The kind of a letter. */
export type LetterKind = typeof LETTER_KINDS[number];

/** The types of events. */
export type EventType = "signup.joined" | "signup.confirmed" | "signup.invited" | "signup.left";

/** What a transition of a sign-up leads to. */
export interface Step {
  record: SignUpRecord;
  /** The letter that goes into the outbox. */
  letter?: LetterKind;
  /** The event that goes into the outbox. */
  event?: EventType;
}

const DAY = 24 * 60 * 60 * 1000;

/** What {@linkcode joinList} needs besides the record and the sign-up. */
export interface JoinOptions extends MergeOptions {
  /** Whether new people are asked to confirm, which is so while there is mail. */
  asksToConfirm: boolean;
  /** The brake of the mailbox. */
  brake: Brake;
}

/**
 * A sign-up by a visitor. A new address is asked to confirm; a repeat of an address that has not confirmed
 * asks again, within the brakes.
 */
export function joinList(
  existing: SignUpRecord | undefined,
  signUp: SignUp,
  { asksToConfirm, brake, ...options }: JoinOptions,
): Step {
  const { undeliverableAt: _, ...record } = mergeSignUp(existing, signUp, options);
  if (!existing) {
    const event = "signup.joined";
    if (!asksToConfirm) return { record, event };
    return { ...askToConfirm({ ...record, state: "unconfirmed" }, options.at, brake), event };
  }
  return asksToConfirm ? askToConfirm(record, options.at, brake) : { record };
}

/**
 * Asks a person to confirm, unless the person has confirmed, or the brake of the mailbox holds the letter back.
 *
 * @param at a date-time
 */
export function askToConfirm(record: SignUpRecord, at: string, brake: Brake): Step {
  if (record.state !== "unconfirmed" || record.undeliverableAt) return { record };
  const noted = noteLetter(brake, { at, isConfirmed: false, isLink: false });
  if (!noted) return { record };
  // The time to confirm runs again from this letter on.
  const confirmations: Confirmations = {
    count: (record.confirmations?.count ?? 0) + 1,
    lastAt: at,
  };
  return { record: { ...record, confirmations, letters: noted.letters }, letter: "confirmation" };
}

/** Sends the link of the person's page, unless the brake of the mailbox holds the letter back. */
export function askForLink(record: SignUpRecord, at: string, brake: Brake): Step {
  const isConfirmed = record.state !== "unconfirmed";
  const noted = noteLetter(brake, { at, isConfirmed, isLink: true });
  if (record.undeliverableAt || !noted) return { record };
  const letters = isConfirmed ? record.letters : noted.letters;
  return { record: { ...record, linkAt: at, ...letters && { letters } }, letter: "link" };
}

/**
 * The person confirms, which freezes the proof of consent.
 *
 * @param options.consentText the id of the wording above the button
 */
export function confirmSignUp(
  record: SignUpRecord,
  { at, consentText }: { at: string; consentText: string },
): Step {
  if (record.state !== "unconfirmed") return { record };
  const { confirmations: _, ...rest } = record;
  const proof = { requestedAt: record.consentedAt, consentText, confirmedAt: at };
  return { record: { ...rest, state: "waiting", proof, updatedAt: at }, event: "signup.confirmed" };
}

/** What an invitation is made with. */
export interface InviteOptions {
  /** A date-time. */
  at: string;
  invitationCode: string;
  /** The id of the wave. */
  wave: string;
}

/** Invites a person who waits; leaves everybody else as they are. */
export function inviteSignUp(
  record: SignUpRecord,
  { at, invitationCode, wave }: InviteOptions,
): Step {
  if (record.state !== "waiting") return { record };
  const invited: SignUpRecord = {
    ...record,
    state: "invited",
    invitedAt: at,
    invitationCode,
    wave,
    updatedAt: at,
  };
  return {
    record: invited,
    event: "signup.invited",
    ...!record.undeliverableAt && { letter: "invitation" },
  };
}

/** Notes that the mail server took a confirmation letter, from which on the time to confirm runs. */
export function noteTaken(record: SignUpRecord, at: string): SignUpRecord {
  const { confirmations } = record;
  if (record.state !== "unconfirmed" || !confirmations) return record;
  return { ...record, confirmations: { ...confirmations, takenAt: at } };
}

/** Notes that the mail server refused the address, so that no letter is sent until the person signs up again. */
export function noteUndeliverable(record: SignUpRecord, at: string): SignUpRecord {
  return record.undeliverableAt ? record : { ...record, undeliverableAt: at };
}

/** Notes that an address is to be tried again. */
export function noteDeliverable({ undeliverableAt: _, ...record }: SignUpRecord): SignUpRecord {
  return record;
}

/**
 * Gives the moment from which on an unconfirmed person is erased, in milliseconds since 1970; `undefined` for
 * everybody else. The time runs from when the mail server took the last confirmation letter; from when the letter was
 * put into the outbox, where it was not taken; from the sign-up, where there was none.
 *
 * @param days `UNCONFIRMED_DAYS`
 */
export function expiryOf(record: SignUpRecord, days: number): number | undefined {
  const { state, confirmations, createdAt } = record;
  if (state !== "unconfirmed") return undefined;
  const from = confirmations?.takenAt ?? confirmations?.lastAt ?? createdAt;
  return Date.parse(from) + days * DAY;
}
