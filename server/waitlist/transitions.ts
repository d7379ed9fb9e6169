/** What each step of a sign-up does to the record, and which letters and events it brings; none moves back. @module */
import { DAY } from "../runtime/mod.ts";
import { type LetterLimit, noteLetter } from "./letter_limit.ts";
import type { webhooks } from "../../shared/generated/operator.ts";
import type { ShownSignup } from "../../shared/operator_schemas.ts";
import { type MergeOptions, mergeSignUp, type SignUp, type SignUpRecord } from "./record.ts";

/** Each has a file in the folder `letters` of each language in `content/`. */
export const LETTER_KINDS = ["confirmation", "invitation", "link"] as const;

export type LetterKind = typeof LETTER_KINDS[number];

export type EventType = Extract<keyof webhooks, `signup.${string}`>;

export interface Step {
  record: SignUpRecord;
  letter?: LetterKind;
  event?: EventType;
}

/** Who has removed a person; `expired` is the time without a confirmation. */
export type LeaveReason = "person" | "operator" | "expired";

/** Who expires leaves no mark. Who is `corrected` leaves an address for another one, and no event tells of it. */
export interface Leave {
  leaves: LeaveReason | "corrected";
  /** Milliseconds since 1970. */
  at: number;
}

export interface JoinOptions extends MergeOptions {
  /** Whether there is mail, so that new people are asked to confirm. */
  asksToConfirm: boolean;
  letterLimit: LetterLimit;
}

/** A new address is asked to confirm; a repeat of an unconfirmed one asks again, within the letter limits. */
export function joinList(
  existing: SignUpRecord | undefined,
  signUp: SignUp,
  { asksToConfirm, letterLimit, ...options }: JoinOptions,
): Step {
  const record = mergeSignUp(existing, signUp, options);
  if (existing) {
    delete record.undeliverableAt;
    delete record.complainedAt;
  }
  // The letter limit has the complaint of whichever address of the mailbox it was.
  if (letterLimit.complainedAt) record.complainedAt = letterLimit.complainedAt;
  if (!existing) {
    const event = "signup.joined";
    if (!asksToConfirm) return { record, event };
    return { ...askToConfirm({ ...record, state: "unconfirmed" }, options.at, letterLimit), event };
  }
  return asksToConfirm ? askToConfirm(record, options.at, letterLimit) : { record };
}

/** Asks a person to confirm, unless that is done or the letter limit holds the letter back. @param at a date-time */
export function askToConfirm(record: SignUpRecord, at: string, letterLimit: LetterLimit): Step {
  if (record.state !== "unconfirmed" || record.undeliverableAt) return { record };
  const noted = noteLetter(letterLimit, { at, isConfirmed: false, isLink: false });
  if (!noted) return { record };
  // The time to confirm runs again from this letter on.
  const confirmations = { count: (record.confirmations?.count ?? 0) + 1, lastAt: at };
  return { record: { ...record, confirmations, letters: noted.letters }, letter: "confirmation" };
}

/** Sends the link of the person's page, unless the letter limit holds the letter back. */
export function askForLink(record: SignUpRecord, at: string, letterLimit: LetterLimit): Step {
  const isConfirmed = record.state !== "unconfirmed";
  const noted = noteLetter(letterLimit, { at, isConfirmed, isLink: true });
  if (record.undeliverableAt || !noted) return { record };
  const letters = isConfirmed ? record.letters : noted.letters;
  return { record: { ...record, linkAt: at, ...letters && { letters } }, letter: "link" };
}

/** Freezes the proof of consent, which names the wording above the button, and takes in the letter that led there. */
export function confirmSignUp(
  record: SignUpRecord,
  { at, consentText }: { at: string; consentText: string },
): Step {
  if (record.state !== "unconfirmed") return { record };
  const { confirmations: _, lastLetters: { confirmation, ...others } = {}, ...rest } = record;
  // Repeats of the sign-up may change form and language later.
  const { consentedAt: requestedAt, lang, source } = record;
  const letter = confirmation?.takenAt ? confirmation : undefined;
  const asked = { requestedAt, ...source && { source }, lang, consentText, ...letter };
  const lastLetters = Object.keys(others).length > 0 && { lastLetters: others };
  const proof = { ...asked, confirmedAt: at };
  return {
    record: { ...rest, ...lastLetters, state: "waiting", proof, updatedAt: at },
    event: "signup.confirmed",
  };
}

/** Invites a person who waits; leaves everybody else as they are. @param options.at a date-time */
export function inviteSignUp(
  record: SignUpRecord,
  { at, ...invitation }: { at: string; invitationCode: string; wave: string; expiresAt?: string },
): Step {
  if (record.state !== "waiting") return { record };
  return {
    record: { ...record, state: "invited", invitedAt: at, ...invitation, updatedAt: at },
    event: "signup.invited",
    ...!record.undeliverableAt && !record.complainedAt && { letter: "invitation" },
  };
}

/** Why an invitation cannot be redeemed: another account has used its code, or its time is over. */
export type RedeemFault = "used" | "expired";

/** Whether an invitation holds no more; without `expires`, it holds without an end. Both are date-times in UTC. */
export const isOver = (expires: string | undefined, at: string) =>
  expires !== undefined && expires <= at;

/** Moves an invited person to `accepted`; the same `reference` again changes nothing. @param options.at a date-time */
export function redeemInvitation(
  record: SignUpRecord,
  { at, reference }: { at: string; reference: string },
): Step | RedeemFault {
  if (record.state === "accepted") return record.reference === reference ? { record } : "used";
  if (isOver(record.expiresAt, at)) return "expired";
  return {
    record: { ...record, state: "accepted", acceptedAt: at, reference, updatedAt: at },
    event: "signup.accepted",
  };
}

/** Lets the code of an invited person hold until a moment; who has accepted needs none. Both are date-times in UTC. */
export function renewInvitation(
  record: SignUpRecord,
  { at, expiresAt }: { at: string; expiresAt: string },
): Step {
  if (record.state !== "invited" || record.expiresAt === expiresAt) return { record };
  return { record: { ...record, expiresAt, updatedAt: at } };
}

/** What became of a letter; times are date-times. */
export type LetterEnd = NonNullable<NonNullable<ShownSignup["lastLetters"]>[LetterKind]>;

/** Notes what became of the last letter of a kind. */
export function noteLetterEnd(
  record: SignUpRecord,
  letter: LetterKind,
  end: LetterEnd,
): SignUpRecord {
  const noted = { ...record, lastLetters: { ...record.lastLetters, [letter]: end } };
  const { takenAt } = end;
  return letter === "confirmation" && takenAt ? noteTaken(noted, takenAt) : noted;
}

/** The time to confirm runs from when the mail server took the letter. */
export function noteTaken(record: SignUpRecord, at: string): SignUpRecord {
  const { confirmations } = record;
  if (record.state !== "unconfirmed" || !confirmations) return record;
  return { ...record, confirmations: { ...confirmations, takenAt: at } };
}

/** No letter is sent until the person signs up again. */
export function noteUndeliverable(record: SignUpRecord, at: string): SignUpRecord {
  return record.undeliverableAt ? record : { ...record, undeliverableAt: at };
}

export const noteDeliverable = ({ undeliverableAt: _, ...record }: SignUpRecord): SignUpRecord =>
  record;

/**
 * The moment from which on an unconfirmed person is erased, in milliseconds since 1970; `undefined` for everybody
 * else. `UNCONFIRMED_DAYS` run from when the mail server took the last confirmation letter; from when it was put into
 * the outbox, where it was not taken; from the sign-up or the correction of the address, where there was none.
 */
export function expiryOf(record: SignUpRecord, days: number): number | undefined {
  const { state, confirmations, corrections, createdAt } = record;
  if (state !== "unconfirmed") return undefined;
  const from = confirmations?.takenAt ?? confirmations?.lastAt ?? corrections?.at(-1)?.at ??
    createdAt;
  return Date.parse(from) + days * DAY;
}
