/**
 * The brakes on letters that anybody can cause: how many a mailbox gets, whatever its addresses are and however often
 * they join and leave (decisions, "Brakes on letters").
 *
 * @module
 */
import type { SignUpRecord } from "./record.ts";

/** The letters that a mailbox got; all times are date-times. */
export interface Brake {
  /** When letters were put into the outbox while its address was unconfirmed, the oldest first. */
  letters: string[];
  /** When the last letter with a link was put there. */
  linkAt?: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** How long letters are remembered, in milliseconds. */
const BRAKE_MS = 30 * DAY;

/** The most letters to an unconfirmed address within that time. */
const MOST_LETTERS = 3;

/**
 * Gives the mailbox of an address: without what follows a `+` in the local part, and at Gmail, which has two domains,
 * without dots. An address that begins with a `+` is its own mailbox.
 *
 * @param email lower-cased
 */
export function mailboxOf(email: string): string {
  const [local = "", domain = ""] = email.split("@");
  const plus = local.indexOf("+");
  const name = plus > 0 ? local.slice(0, plus) : local;
  if (domain !== "gmail.com" && domain !== "googlemail.com") return `${name}@${domain}`;
  return `${name.replaceAll(".", "")}@gmail.com`;
}

/**
 * Notes a letter to an unconfirmed address, or a link letter to one that has confirmed.
 *
 * @param options.at a date-time
 * @returns `undefined` where the brake holds the letter back
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

/** Gives the brake that a record has; records of earlier versions know no more than their last letters. */
export function brakeOf({ letters, confirmations, linkAt }: SignUpRecord): Brake {
  return {
    letters: letters ?? (confirmations ? [confirmations.lastAt] : []),
    ...linkAt && { linkAt },
  };
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
