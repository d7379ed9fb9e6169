/**
 * The steps of a sign-up, such as the confirmation: how each step changes the record, and which letter and which event
 * the step causes. No step in this file leads back to an earlier state. @module
 */
import type { webhooks } from "../../shared/generated/operator.ts";
import type { LETTER_KINDS } from "../../shared/letter_kinds.ts";
import type { Campaign } from "./campaigns.ts";
import { allowConfirmation, allowLink, type LetterLimit } from "./letter_limit.ts";
import type { SignUpRecord } from "./record.ts";
import { type MergeOptions, mergeSignUp } from "./merge_records.ts";
import type { SignUp } from "./sign_up.ts";

/** The kind of a letter. */
export type LetterKind = typeof LETTER_KINDS[number];

/** The kinds of events about a change of a person. */
export type EventType = Extract<keyof webhooks, `signup.${string}`>;

/**
 * The result of a step: the new record, and the letter and the event to send. The letter and the event may be absent.
 */
export interface Step {
  record: SignUpRecord;
  letter?: LetterKind;
  event?: EventType;
}

/** The reason of a removal: the person left, an operator erased the person, or the person did not confirm in time. */
export type LeaveReason = "person" | "operator" | "expired";

/**
 * The removal of a record. An expired record leaves no erasure mark. `corrected` means that the record moves to another
 * address; this removal causes no event.
 */
export interface Leave {
  leaves: LeaveReason | "corrected";
  /** The moment of the removal, in milliseconds since 1970. */
  at: number;
}

/** What {@linkcode joinList} needs besides the sign-up and the existing record. */
export interface JoinOptions extends MergeOptions {
  /** Whether mail is on, so that new people are asked to confirm. */
  asksToConfirm: boolean;
  letterLimit: LetterLimit;
  /** The record id of the person by whose link this person signed up. It is stored only for a new address. */
  referrerId?: string | undefined;
  /** The campaign that brought the person. It is stored only for a new address. */
  campaign?: Campaign | undefined;
}

/**
 * Puts a sign-up on the waitlist. With mail on (`asksToConfirm`), a person with a new address is asked to confirm, and
 * an unconfirmed person is asked again at a repeat, if the letter limit allows it. A repeat also lifts bounces and
 * complaints about the address itself.
 */
export function joinList(
  existing: SignUpRecord | undefined,
  signUp: SignUp,
  { asksToConfirm, letterLimit, referrerId, campaign, ...options }: JoinOptions,
): Step {
  const record = mergeSignUp(existing, signUp, options);
  if (existing) {
    delete record.undeliverableAt;
    delete record.complainedAt;
  }
  // A complaint may be about another address of the same mailbox. Such a complaint is in the letter limit, and a repeat
  // does not lift it.
  if (letterLimit.complainedAt) record.complainedAt = letterLimit.complainedAt;
  if (!existing) {
    if (referrerId) record.referrerId = referrerId;
    Object.assign(record, campaign);
    const event = "signup.joined";
    if (!asksToConfirm) return { record, event };
    return { ...askToConfirm({ ...record, state: "unconfirmed" }, options.at, letterLimit), event };
  }
  return asksToConfirm ? askToConfirm(record, options.at, letterLimit) : { record };
}

/**
 * Asks a person to confirm, unless the person has confirmed, the address is undeliverable, or the letter limit
 * forbids the letter.
 *
 * @param at the present moment, a date-time
 */
export function askToConfirm(record: SignUpRecord, at: string, letterLimit: LetterLimit): Step {
  if (record.state !== "unconfirmed" || record.undeliverableAt) return { record };
  const allowed = allowConfirmation(letterLimit, at);
  if (!allowed) return { record };
  // The days in which the person can confirm begin again with this letter.
  const confirmations = { count: (record.confirmations?.count ?? 0) + 1, lastAt: at };
  return { record: { ...record, confirmations, letters: allowed.letters }, letter: "confirmation" };
}

/**
 * Sends the link of the self-service page, unless the address is undeliverable or the letter limit forbids the
 * letter.
 *
 * @param at the present moment, a date-time
 */
export function askForLink(record: SignUpRecord, at: string, letterLimit: LetterLimit): Step {
  const isConfirmed = record.state !== "unconfirmed";
  const allowed = allowLink(letterLimit, { at, isConfirmed });
  if (record.undeliverableAt || !allowed) return { record };
  const letters = isConfirmed ? record.letters : allowed.letters;
  return { record: { ...record, linkAt: at, ...letters && { letters } }, letter: "link" };
}

/**
 * Confirms a sign-up; changes nothing if the person has already confirmed. The proof of consent is made from the
 * sign-up and the confirmation letter.
 *
 * @param options.at the present moment, a date-time
 * @param options.consentText the id of the wording that the person saw above the button
 * @param options.referralCode the referral code for a person who has no code yet; absent if referrals are off
 */
export function confirmSignUp(
  record: SignUpRecord,
  { at, consentText, referralCode }: {
    at: string;
    consentText: string;
    referralCode?: string | undefined;
  },
): Step {
  if (record.state !== "unconfirmed") return { record };
  const { confirmations: _, lastLetters: { confirmation, ...otherLetters } = {}, ...members } =
    record;
  // The form and the language are copied into the proof, because a later repeat of the sign-up can change them in the
  // record.
  const { consentedAt: requestedAt, lang, source } = record;
  const takenLetter = confirmation?.takenAt ? confirmation : undefined;
  const proof = {
    requestedAt,
    ...source && { source },
    lang,
    consentText,
    ...takenLetter,
    confirmedAt: at,
  };
  const lastLetters = Object.keys(otherLetters).length > 0 && { lastLetters: otherLetters };
  return {
    record: {
      ...referralCode && { referralCode },
      ...members,
      ...lastLetters,
      state: "waiting",
      proof,
      updatedAt: at,
    },
    event: "signup.confirmed",
  };
}

/** Gives a referral code to a confirmed person who has no code yet. @param at the present moment, a date-time */
export function giveReferralCode(record: SignUpRecord, referralCode: string, at: string): Step {
  if (record.state === "unconfirmed" || record.referralCode) return { record };
  return { record: { ...record, referralCode, updatedAt: at } };
}

/** Invites a waiting person; changes nothing for any other person. @param options.at the present moment, a date-time */
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

/**
 * Why an invitation code cannot be redeemed: `used` if another account has redeemed it, `expired` if the code has
 * expired.
 */
export type RedeemFault = "used" | "expired";

/**
 * Whether an invitation has expired at the moment `at`. Both parameters are date-times in UTC.
 * @param expiresAt absent for an invitation that never expires
 */
export const hasExpired = (expiresAt: string | undefined, at: string): boolean =>
  expiresAt !== undefined && expiresAt <= at;

/**
 * Redeems an invitation code. A repeat with the same `reference` changes nothing.
 *
 * @param options.at the present moment, a date-time
 * @param options.reference the id of the account in the product
 */
export function redeemInvitation(
  record: SignUpRecord,
  { at, reference }: { at: string; reference: string },
): Step | RedeemFault {
  if (record.state === "accepted") return record.reference === reference ? { record } : "used";
  if (hasExpired(record.expiresAt, at)) return "expired";
  return {
    record: { ...record, state: "accepted", acceptedAt: at, reference, updatedAt: at },
    event: "signup.accepted",
  };
}

/**
 * Changes the moment `expiresAt` at which the invitation code of an invited person expires. `expiresAt` and `at` are
 * date-times in UTC.
 *
 * @param options.at the present moment
 */
export function renewInvitation(
  record: SignUpRecord,
  { at, expiresAt }: { at: string; expiresAt: string },
): Step {
  if (record.state !== "invited" || record.expiresAt === expiresAt) return { record };
  return { record: { ...record, expiresAt, updatedAt: at } };
}
