/**
 * The limit on the letters to one mailbox. It exists because anybody can sign up the address of somebody else. A
 * complaint stops all letters to the mailbox. The store decides where the moments of letters and complaints are stored.
 * @module
 */
import { DAY } from "../runtime/mod.ts";
import type { SignUpRecord } from "./record.ts";

/** What the service knows about the letters to a mailbox. All moments are date-times. */
export interface LetterLimit {
  /** The moments at which letters to an unconfirmed address were put into the outbox, the oldest first. */
  letters: string[];
  /** The moment at which the last letter with the link of the self-service page was put into the outbox. */
  linkAt?: string;
  /** The moment of a complaint about a letter. No letter is sent any more until an operator lifts the complaint. */
  complainedAt?: string;
  /** The moment at which an operator last lifted bounces and complaints. */
  liftedAt?: string;
}

/** How long a letter counts for the letter limit, in milliseconds. */
const PERIOD_MS = 30 * DAY;

/** How many letters an unconfirmed address gets in 30 days at most. */
const MAX_LETTERS = 3;

/**
 * Gives the mailbox of a lower-cased address, as an address: `ada+list@example.com` becomes `ada@example.com`. For
 * Gmail, the dots before the `@` are removed as well, and `googlemail.com` becomes `gmail.com`.
 */
export function mailboxOf(email: string): string {
  const isGmail = email.endsWith("@gmail.com") || email.endsWith("@googlemail.com");
  if (!isGmail && !email.includes("+")) return email;
  const [localPart = "", domain = ""] = email.split("@");
  const plus = localPart.indexOf("+");
  const name = plus > 0 ? localPart.slice(0, plus) : localPart;
  if (!isGmail) return `${name}@${domain}`;
  return `${name.replaceAll(".", "")}@gmail.com`;
}

/**
 * Adds a letter to a letter limit. For a confirmed address, only letters with the link to the self-service page are
 * counted.
 *
 * @param options.at the present moment, a date-time
 * @param options.isLink whether the letter is of the kind `link`
 * @returns the new letter limit; `undefined` if the letter limit forbids the letter
 */
export function noteLetter(
  letterLimit: LetterLimit,
  { at, isConfirmed, isLink }: { at: string; isConfirmed: boolean; isLink: boolean },
): LetterLimit | undefined {
  if (letterLimit.complainedAt) return undefined;
  const noted = { ...letterLimit, ...isLink && { linkAt: at } };
  if (isConfirmed) return isWithin(DAY, letterLimit.linkAt, at) ? undefined : noted;
  const letters = letterLimit.letters.filter((moment) => isWithin(PERIOD_MS, moment, at));
  const isHeldBack = letters.length >= MAX_LETTERS ||
    letters.some((moment) => isWithin(DAY, moment, at));
  return isHeldBack ? undefined : { ...noted, letters: [...letters, at] };
}

/**
 * Gives the moment, a date-time, from which {@linkcode noteLetter} allows another letter to an unconfirmed address.
 * Complaints are ignored, because nobody knows when an operator will lift a complaint.
 *
 * @param at the present moment, a date-time; it is the result if a letter is allowed now
 */
export function nextLetterAt({ letters }: LetterLimit, at: string): string {
  const counted = letters.filter((moment) => isWithin(PERIOD_MS, moment, at));
  const later = (moment: string | undefined, ms: number) =>
    moment === undefined ? at : new Date(Date.parse(moment) + ms).toISOString();
  const moments = [at, later(counted.at(-1), DAY), later(counted.at(-MAX_LETTERS), PERIOD_MS)];
  return moments.toSorted().at(-1)!;
}

/** Gives the letter limit that the record of one address stores for its mailbox. */
export function letterLimitOf({ letters = [], linkAt, complainedAt }: SignUpRecord): LetterLimit {
  return { letters, ...linkAt && { linkAt }, ...complainedAt && { complainedAt } };
}

/**
 * Joins letter limits of one mailbox, such as those of two of its addresses. A complaint does not come back if an
 * operator lifted it later.
 */
export function joinLetterLimits(letterLimits: LetterLimit[]): LetterLimit {
  if (letterLimits.length < 2) return letterLimits[0] ?? { letters: [] };
  const letters = [...new Set(letterLimits.flatMap(({ letters }) => letters))].sort();
  const latest = (name: "linkAt" | "complainedAt" | "liftedAt") =>
    letterLimits.map((letterLimit) => letterLimit[name] ?? "").sort().at(-1);
  const linkAt = latest("linkAt");
  const complainedAt = latest("complainedAt");
  const liftedAt = latest("liftedAt");
  return {
    letters: letters.slice(-MAX_LETTERS),
    ...linkAt && { linkAt },
    ...complainedAt && complainedAt > (liftedAt ?? "") && { complainedAt },
    ...liftedAt && { liftedAt },
  };
}

/**
 * Whether a letter limit can be deleted: it has no complaint, and its moments are so old that they do not count any
 * more.
 * @param at the present moment, a date-time
 */
export function isLetterLimitOver(letterLimit: LetterLimit, at: string): boolean {
  const { letters, linkAt, complainedAt, liftedAt } = letterLimit;
  return !complainedAt &&
    ![...letters, linkAt, liftedAt].some((moment) => isWithin(PERIOD_MS, moment, at));
}

/** Whether a moment lies less than `ms` milliseconds before or after the moment `at`. Both are date-times. */
function isWithin(ms: number, moment: string | undefined, at: string): boolean {
  // `Math.abs` is used, so that a moment far in the future does not count. Only a wrong clock can have given such a
  // moment.
  return moment !== undefined && Math.abs(Date.parse(at) - Date.parse(moment)) < ms;
}
