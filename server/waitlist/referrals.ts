/**
 * The rules of referrals (decisions, "Referrals"): referral codes, and which confirmations count as referrals. A
 * confirmed person has a link with a referral code. If somebody signs up a new address by this link, the owner of the
 * link is the referrer of the new person. @module
 */
import { Buffer } from "node:buffer";
import { REFERRAL_CODE } from "../../shared/referral_code.ts";
import type { RandomBytes } from "../runtime/mod.ts";
import { encodeAlphanumeric } from "./alphanumeric.ts";
import { mailboxOf } from "./letter_limit.ts";
import type { Lang, SignUpRecord } from "./record.ts";

/** The greatest number of confirmations that count as referrals of one person on one UTC day. */
export const MAX_REFERRALS_A_DAY = 50;

/** The length of a referral code, in characters. */
const CODE_LENGTH = 10;

/** The number of random bytes for a code. They give twelve characters, of which a code has the last ten. */
const CODE_BYTES = 8;

/** Makes a referral code of 53 random bits. */
export const newReferralCode = (random: RandomBytes): string =>
  encodeAlphanumeric(Buffer.from(random(CODE_BYTES))).slice(-CODE_LENGTH);

/** Gives the link by which a person recommends the list. @param baseUrl the public origin, without a trailing slash */
export const referralUrl = (baseUrl: string, lang: Lang, code: string): string =>
  `${baseUrl}${lang === "en" ? "" : `/${lang}`}/?r=${code}`;

/**
 * Reads the referral code from the parameter `r` of a URL's query; `undefined` if `r` is absent, malformed, or given
 * more than once.
 */
export function referralCodeIn(query: URLSearchParams): string | undefined {
  const [code, ...repeats] = query.getAll("r");
  return code !== undefined && repeats.length === 0 && REFERRAL_CODE.test(code) ? code : undefined;
}

/**
 * Removes the referral code that an import stored in a record, and stores the record id of the referrer instead. If the
 * code is unknown or belongs to the person of the record, no id is stored.
 * @param referrerId the record id of the person to whom the code belongs; `undefined` for an unknown code
 */
export function resolveReferral(
  { pendingReferral, ...record }: SignUpRecord,
  referrerId: string | undefined,
): SignUpRecord {
  if (!pendingReferral || referrerId === undefined || referrerId === record.id) return record;
  const { counts } = pendingReferral;
  return { ...record, referrerId, ...counts !== undefined && { referralCounts: counts } };
}

/** What decides whether the next confirmation counts as a referral of a referrer. */
export interface Referrer {
  /** The lower-cased address of the referrer. */
  email: string;
  /** How many confirmations have counted as referrals of the referrer on this UTC day. */
  countedToday: number;
  /** Whether the referrer has already referred somebody who has the mailbox of the new person. */
  hasReferredMailbox: boolean;
}

/** Whether a confirmation counts as a referral. @param email the lower-cased address that is confirmed */
export function countsAsReferral(email: string, referrer: Referrer): boolean {
  const localPart = email.slice(0, email.lastIndexOf("@"));
  return !localPart.includes("+") &&
    mailboxOf(email) !== mailboxOf(referrer.email) &&
    !referrer.hasReferredMailbox &&
    referrer.countedToday < MAX_REFERRALS_A_DAY;
}
