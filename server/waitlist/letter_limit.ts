/** Letter limits limit the letters that anybody can cause to a mailbox; a complaint is a letter limit, too. @module */
import { DAY } from "../runtime/mod.ts";
import type { SignUpRecord } from "./record.ts";

/** When a mailbox got letters, date-times. */
export interface LetterLimit {
  /** When letters were put into the outbox while its address was unconfirmed, the oldest first. */
  letters: string[];
  /** When the last letter with a link was put there. */
  linkAt?: string;
  /** When somebody complained of a letter: none goes there any more, until an operator lifts it. */
  complainedAt?: string;
  /** When an operator did so last. */
  liftedAt?: string;
}

/** How long letters are remembered, in milliseconds, and how many an unconfirmed address gets in that time. */
const LETTER_LIMIT_MS = 30 * DAY, MOST_LETTERS = 3;

/** The mailbox of a lower-cased address: without what follows an inner `+`, and at Gmail without dots. */
export function mailboxOf(email: string): string {
  const isGmail = email.endsWith("@gmail.com") || email.endsWith("@googlemail.com");
  if (!isGmail && !email.includes("+")) return email;
  const [local = "", domain = ""] = email.split("@");
  const plus = local.indexOf("+");
  const name = plus > 0 ? local.slice(0, plus) : local;
  if (!isGmail) return `${name}@${domain}`;
  return `${name.replaceAll(".", "")}@gmail.com`;
}

/** Notes a letter, or a link letter to a confirmed address, at a date-time; `undefined` where it is held back. */
export function noteLetter(
  letterLimit: LetterLimit,
  { at, isConfirmed, isLink }: { at: string; isConfirmed: boolean; isLink: boolean },
): LetterLimit | undefined {
  if (letterLimit.complainedAt) return undefined;
  const noted = { ...letterLimit, ...isLink && { linkAt: at } };
  if (isConfirmed) return isWithin(DAY, letterLimit.linkAt, at) ? undefined : noted;
  const letters = letterLimit.letters.filter((each) => isWithin(LETTER_LIMIT_MS, each, at));
  const isHeld = letters.length >= MOST_LETTERS || letters.some((each) => isWithin(DAY, each, at));
  return isHeld ? undefined : { ...noted, letters: [...letters, at] };
}

export function letterLimitOf({ letters = [], linkAt, complainedAt }: SignUpRecord): LetterLimit {
  return { letters, ...linkAt && { linkAt }, ...complainedAt && { complainedAt } };
}

/** Joins what is known of the letters of one mailbox. */
export function joinLetterLimits(letterLimits: LetterLimit[]): LetterLimit {
  if (letterLimits.length < 2) return letterLimits[0] ?? { letters: [] };
  const letters = [...new Set(letterLimits.flatMap(({ letters }) => letters))].sort();
  const latest = (name: "linkAt" | "complainedAt" | "liftedAt") =>
    letterLimits.map((letterLimit) => letterLimit[name] ?? "").sort().at(-1);
  const linkAt = latest("linkAt"),
    complainedAt = latest("complainedAt"),
    liftedAt = latest("liftedAt");
  return {
    letters: letters.slice(-MOST_LETTERS),
    ...linkAt && { linkAt },
    ...complainedAt && complainedAt > (liftedAt ?? "") && { complainedAt },
    ...liftedAt && { liftedAt },
  };
}

/** Whether a letter limit holds nothing back any more. @param at a date-time */
export function isLetterLimitOver(letterLimit: LetterLimit, at: string): boolean {
  const { letters, linkAt, complainedAt, liftedAt } = letterLimit;
  return !complainedAt &&
    ![...letters, linkAt, liftedAt].some((each) => isWithin(LETTER_LIMIT_MS, each, at));
}

function isWithin(ms: number, then: string | undefined, at: string): boolean {
  // A clock that was ahead does not put letters off for longer.
  return then !== undefined && Math.abs(Date.parse(at) - Date.parse(then)) < ms;
}
