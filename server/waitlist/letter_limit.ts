/**
 * The limit on the letters to one mailbox. It exists because anybody can sign up the address of somebody else. A
 * complaint stops all letters to the mailbox. The store decides where the moments of letters and complaints are stored.
 * @module
 */
import { DAY } from "../runtime/mod.ts";
import type { SignUpRecord } from "./record.ts";

/** What the service knows about the letters to a mailbox. All moments are date-times. */
export interface LetterLimit {
  /**
   * The moments at which letters to an unconfirmed address were put into the outbox, the oldest first. The name
   * `letters` must not change, because the store and backups have it.
   */
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

/** The greatest number of letters to an unconfirmed address in 30 days. In 24 hours, it gets one letter at most. */
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
 * Decides whether the letter limit allows a confirmation letter.
 * @param at the present moment, a date-time
 * @returns the letter limit with this letter added; `undefined` if the letter is not allowed
 */
export function allowConfirmation(letterLimit: LetterLimit, at: string): LetterLimit | undefined {
  if (letterLimit.complainedAt) return undefined;
  const countedMoments = letterLimit.letters.filter((moment) =>
    isWithin(PERIOD_MS, { moment, at })
  );
  if (countedMoments.length >= MAX_LETTERS) return undefined;
  if (countedMoments.some((moment) => isWithin(DAY, { moment, at }))) return undefined;
  return { ...letterLimit, letters: [...countedMoments, at] };
}

/**
 * Decides whether the letter limit allows a letter with the link of the self-service page. A confirmed address gets one
 * such letter in 24 hours at most. For an unconfirmed address, the letter counts like a confirmation letter.
 *
 * @param options.at the present moment, a date-time
 * @returns the letter limit with this letter added; `undefined` if the letter is not allowed
 */
export function allowLink(
  letterLimit: LetterLimit,
  { at, isConfirmed }: { at: string; isConfirmed: boolean },
): LetterLimit | undefined {
  if (!isConfirmed) {
    const allowed = allowConfirmation(letterLimit, at);
    return allowed && { ...allowed, linkAt: at };
  }
  const { complainedAt, linkAt } = letterLimit;
  if (complainedAt || isWithin(DAY, { moment: linkAt, at })) return undefined;
  return { ...letterLimit, linkAt: at };
}

/**
 * Gives the moment, a date-time, from which {@linkcode allowConfirmation} allows another letter. Complaints are
 * ignored, because nobody knows when an operator will lift a complaint.
 *
 * @param at the present moment, a date-time; it is the result if a letter is allowed now
 */
export function nextLetterAt({ letters }: LetterLimit, at: string): string {
  const countedMoments = letters.filter((moment) => isWithin(PERIOD_MS, { moment, at }));
  const endOfDay = addTime(countedMoments.at(-1), DAY);
  const endOfPeriod = addTime(countedMoments.at(-MAX_LETTERS), PERIOD_MS);
  return [at, endOfDay, endOfPeriod].toSorted().at(-1)!;
}

/**
 * Gives the moment, a date-time, from which another letter is allowed, if one letter is allowed in 24 hours.
 *
 * @param moments the moments of earlier letters, in any order
 * @param at the present moment, a date-time; it is the result if a letter is allowed now
 */
export function nextDailyLetterAt(moments: string[], at: string): string {
  const endsOfDays = moments.filter((moment) => isWithin(DAY, { moment, at }))
    .map((moment) => addTime(moment, DAY));
  return [at, ...endsOfDays].toSorted().at(-1)!;
}

/** Adds milliseconds to a moment, a date-time. Without a moment, gives an empty text, which sorts before any moment. */
const addTime = (moment: string | undefined, ms: number): string =>
  moment === undefined ? "" : new Date(Date.parse(moment) + ms).toISOString();

/** Gives the letter limit that the record of one address stores for its mailbox. */
export function letterLimitOf({ letters = [], linkAt, complainedAt }: SignUpRecord): LetterLimit {
  return { letters, ...linkAt && { linkAt }, ...complainedAt && { complainedAt } };
}

/**
 * Joins several letter limits of one mailbox, for example from the records of two addresses that lead to the mailbox. A
 * complaint is left out if an operator lifted the complaints after the moment of this complaint.
 */
export function joinLetterLimits(letterLimits: LetterLimit[]): LetterLimit {
  if (letterLimits.length < 2) return letterLimits[0] ?? { letters: [] };
  const letterMoments = [...new Set(letterLimits.flatMap(({ letters }) => letters))].sort();
  /** Gives the latest of the moments in a member; an empty text if no letter limit has the member. */
  const latestMoment = (member: "linkAt" | "complainedAt" | "liftedAt") =>
    letterLimits.map((letterLimit) => letterLimit[member] ?? "").sort().at(-1);
  const linkAt = latestMoment("linkAt");
  const complainedAt = latestMoment("complainedAt");
  const liftedAt = latestMoment("liftedAt");
  return {
    letters: letterMoments.slice(-MAX_LETTERS),
    ...linkAt && { linkAt },
    ...complainedAt && complainedAt > (liftedAt ?? "") && { complainedAt },
    ...liftedAt && { liftedAt },
  };
}

/**
 * Whether a stored letter limit can be deleted: it has no complaint, and all its moments are so old that they do not
 * count any more.
 * @param at the present moment, a date-time
 */
export function isLetterLimitObsolete(letterLimit: LetterLimit, at: string): boolean {
  const { letters, linkAt, complainedAt, liftedAt } = letterLimit;
  const moments = [...letters, linkAt, liftedAt];
  return !complainedAt && !moments.some((moment) => isWithin(PERIOD_MS, { moment, at }));
}

/** Whether `moment` lies less than `ms` milliseconds before or after `at`. Both moments are date-times. */
function isWithin(
  ms: number,
  { moment, at }: { moment: string | undefined; at: string },
): boolean {
  // `Math.abs` is used because a moment far in the future must not count: it can only come from a wrong clock.
  return moment !== undefined && Math.abs(Date.parse(at) - Date.parse(moment)) < ms;
}
