/**
 * What each step of a sign-up does to the record, and which letters and events it brings. A state never moves back.
 * Brakes limit the letters that anybody can cause: how many a mailbox gets, whatever its addresses are and however often
 * they join and leave.
 *
 * @module
 */
import { type MergeOptions, mergeSignUp, type SignUp, type SignUpRecord } from "./record.ts";

/** Each has a file in the folder `letters` of each language in `content/`. */
export const LETTER_KINDS = ["confirmation", "invitation", "link"] as const;

export type LetterKind = typeof LETTER_KINDS[number];

export type EventType = "signup.joined" | "signup.confirmed" | "signup.invited" | "signup.left";

export interface Step {
  record: SignUpRecord;
  letter?: LetterKind;
  event?: EventType;
}

/** Who has removed a person; `expired` is the time without a confirmation. */
export type LeaveReason = "person" | "operator" | "expired";

/** Who expires leaves no mark. */
export interface Leave {
  leaves: LeaveReason;
  /** Milliseconds since 1970. */
  at: number;
}

const DAY = 24 * 60 * 60 * 1000;

export interface JoinOptions extends MergeOptions {
  /** Whether there is mail, so that new people are asked to confirm. */
  asksToConfirm: boolean;
  brake: Brake;
}

/** A new address is asked to confirm; a repeat of an unconfirmed one asks again, within the brakes. */
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

/** Asks a person to confirm, unless that is done or the brake holds the letter back. @param at a date-time */
export function askToConfirm(record: SignUpRecord, at: string, brake: Brake): Step {
  if (record.state !== "unconfirmed" || record.undeliverableAt) return { record };
  const noted = noteLetter(brake, { at, isConfirmed: false, isLink: false });
  if (!noted) return { record };
  // The time to confirm runs again from this letter on.
  const confirmations = { count: (record.confirmations?.count ?? 0) + 1, lastAt: at };
  return { record: { ...record, confirmations, letters: noted.letters }, letter: "confirmation" };
}

/** Sends the link of the person's page, unless the brake holds the letter back. */
export function askForLink(record: SignUpRecord, at: string, brake: Brake): Step {
  const isConfirmed = record.state !== "unconfirmed";
  const noted = noteLetter(brake, { at, isConfirmed, isLink: true });
  if (record.undeliverableAt || !noted) return { record };
  const letters = isConfirmed ? record.letters : noted.letters;
  return { record: { ...record, linkAt: at, ...letters && { letters } }, letter: "link" };
}

/** Freezes the proof of consent, which names the wording above the button. */
export function confirmSignUp(
  record: SignUpRecord,
  { at, consentText }: { at: string; consentText: string },
): Step {
  if (record.state !== "unconfirmed") return { record };
  const { confirmations: _, ...rest } = record;
  const proof = { requestedAt: record.consentedAt, consentText, confirmedAt: at };
  return { record: { ...rest, state: "waiting", proof, updatedAt: at }, event: "signup.confirmed" };
}

/** Invites a person who waits; leaves everybody else as they are. @param options.at a date-time */
export function inviteSignUp(
  record: SignUpRecord,
  { at, ...invitation }: { at: string; invitationCode: string; wave: string },
): Step {
  if (record.state !== "waiting") return { record };
  return {
    record: { ...record, state: "invited", invitedAt: at, ...invitation, updatedAt: at },
    event: "signup.invited",
    ...!record.undeliverableAt && { letter: "invitation" },
  };
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

export function noteDeliverable({ undeliverableAt: _, ...record }: SignUpRecord): SignUpRecord {
  return record;
}

/**
 * The moment from which on an unconfirmed person is erased, in milliseconds since 1970; `undefined` for everybody
 * else. `UNCONFIRMED_DAYS` run from when the mail server took the last confirmation letter; from when it was put into
 * the outbox, where it was not taken; from the sign-up, where there was none.
 */
export function expiryOf(record: SignUpRecord, days: number): number | undefined {
  const { state, confirmations, createdAt } = record;
  if (state !== "unconfirmed") return undefined;
  const from = confirmations?.takenAt ?? confirmations?.lastAt ?? createdAt;
  return Date.parse(from) + days * DAY;
}

/** When a mailbox got letters, date-times. */
export interface Brake {
  /** When letters were put into the outbox while its address was unconfirmed, the oldest first. */
  letters: string[];
  /** When the last letter with a link was put there. */
  linkAt?: string;
}

/** How long letters are remembered, in milliseconds. */
const BRAKE_MS = 30 * DAY;

/** To an unconfirmed address within that time. */
const MOST_LETTERS = 3;

/**
 * The mailbox of a lower-cased address: without what follows a `+`, and at Gmail, which has two domains, without dots.
 * An address that begins with a `+` is its own mailbox.
 */
export function mailboxOf(email: string): string {
  const [local = "", domain = ""] = email.split("@");
  const plus = local.indexOf("+");
  const name = plus > 0 ? local.slice(0, plus) : local;
  if (domain !== "gmail.com" && domain !== "googlemail.com") return `${name}@${domain}`;
  return `${name.replaceAll(".", "")}@gmail.com`;
}

/**
 * Notes a letter to an unconfirmed address, or a link letter to a confirmed one, at a date-time; `undefined` where the
 * brake holds the letter back.
 */
export function noteLetter(
  brake: Brake,
  { at, isConfirmed, isLink }: { at: string; isConfirmed: boolean; isLink: boolean },
): Brake | undefined {
  const noted = { ...brake, ...isLink && { linkAt: at } };
  if (isConfirmed) return isWithin(DAY, brake.linkAt, at) ? undefined : noted;
  const letters = brake.letters.filter((each) => isWithin(BRAKE_MS, each, at));
  const isHeld = letters.length >= MOST_LETTERS || letters.some((each) => isWithin(DAY, each, at));
  return isHeld ? undefined : { ...noted, letters: [...letters, at] };
}

export function brakeOf({ letters = [], linkAt }: SignUpRecord): Brake {
  return { letters, ...linkAt && { linkAt } };
}

/** Joins what is known of the letters of one mailbox. */
export function joinBrakes(brakes: Brake[]): Brake {
  if (brakes.length < 2) return brakes[0] ?? { letters: [] };
  const letters = [...new Set(brakes.flatMap(({ letters }) => letters))].sort();
  const linkAt = brakes.map(({ linkAt = "" }) => linkAt).sort().at(-1);
  return { letters: letters.slice(-MOST_LETTERS), ...linkAt && { linkAt } };
}

/** Whether a brake holds nothing back any more. @param at a date-time */
export function isBrakeOver({ letters, linkAt }: Brake, at: string): boolean {
  return ![...letters, linkAt].some((each) => isWithin(BRAKE_MS, each, at));
}

function isWithin(ms: number, then: string | undefined, at: string): boolean {
  // A clock that was ahead does not put letters off for longer.
  return then !== undefined && Math.abs(Date.parse(at) - Date.parse(then)) < ms;
}
