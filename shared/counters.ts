/**
 * Which counters of the statistics count a sign-up. The service stores the counters, and the CLI recounts them from a
 * backup. The commits that change them are in `server/store/people/`.
 *
 * @module
 */
import { weekOf } from "./moments.ts";
import type { StoredSignup } from "./operator_schemas.ts";
import type { STATES } from "./schemas.ts";

/** A state of a person. */
export type State = typeof STATES[number];

/** The maps of the contract's `WaitlistStats`. */
export const MAPS = ["byLang", "byRole", "byBuilding", "bySource"] as const;

/** The map that counts the values of each answer. */
export const MAP_OF = { role: "byRole", building: "byBuilding" } as const;

/** The name of a counter. */
export type Counter =
  /** All people on the list. */
  | ["total"]
  /** The people whose first sign-up was on a UTC day, such as `2026-11-21`. */
  | ["added", day: string]
  /** The people in a state. */
  | ["byState", state: string]
  /** The people to whom no letter goes, by the reason. */
  | ["withMark", mark: string]
  /** The people who have accepted, by the time from the invitation to the acceptance; see {@linkcode bucketOf}. */
  | ["acceptedAfter", bucket: string]
  /**
   * The people whose first sign-up was on a UTC day, by language and form: `2026-11-21/de/hero`, or `2026-11-21/en/`
   * without a form.
   */
  | ["withAnswers", dayAndAnswers: string]
  /** The people who signed up in a week, by its UTC Monday and by their steps: `2026-11-16/taken,confirmed`. */
  | ["wentOn", weekAndSteps: string]
  /** The people whose referral counts: all of them, by the name `all`, and by the UTC day of their first sign-up. */
  | ["withReferral", dayOrAll: string]
  /** One key in a map of the contract's statistics. */
  | [map: typeof MAPS[number], key: string];

/** The members of a record that decide about its counters. */
type Counted =
  & Pick<StoredSignup, "createdAt" | "lang" | "source" | "role" | "building" | "referralCounts">
  & Marked
  & Stateful;

/**
 * The reasons why no letter goes to a person, in the contract's words. A permanent bounce or an operator marks an address
 * as `undeliverable`. `complained` is the mark of a person who reported a letter as spam.
 */
export const MARKS = ["undeliverable", "complained"] as const;

/** The reason why no letter goes to a person. */
export type Mark = typeof MARKS[number];

type Marked = Pick<StoredSignup, "undeliverableAt" | "complainedAt">;

/** Returns the reasons why no letter goes to a person. */
export const marksOf = (person: Marked): Mark[] => MARKS.filter((mark) => person[`${mark}At`]);

/** A letter, with the moment when a mail server took it. */
interface SentLetter {
  takenAt?: string | undefined;
}

interface Stateful extends Pick<StoredSignup, "state" | "invitedAt" | "acceptedAt"> {
  confirmations?: SentLetter | undefined;
  lastLetters?: { confirmation?: SentLetter | undefined } | undefined;
  proof?: unknown;
}

/** The steps after a sign-up. `taken` means that a mail server has taken the letter that asks to confirm. */
export const STEPS = ["taken", "confirmed", "invited", "accepted"] as const;

/** A step after a sign-up. */
export type GrowthStep = typeof STEPS[number];

/** Returns the steps of a person. A proof of consent counts as `taken`, because only a letter leads to a proof. */
export function stepsOf(person: Stateful): GrowthStep[] {
  const { confirmations, lastLetters, proof } = person;
  const state = stateOf(person);
  const has: Record<GrowthStep, unknown> = {
    taken: proof ?? confirmations?.takenAt ?? lastLetters?.confirmation?.takenAt,
    confirmed: proof,
    invited: state === "invited" || state === "accepted",
    accepted: state === "accepted",
  };
  return STEPS.filter((step) => has[step]);
}

/** Returns the state of a person. If a fault has removed the state, it follows from the rest of the record. */
export function stateOf({ state, acceptedAt, invitedAt, confirmations }: Stateful): State {
  if (state) return state;
  if (acceptedAt) return "accepted";
  if (invitedAt) return "invited";
  return confirmations ? "unconfirmed" : "waiting";
}

/**
 * The number of buckets from a time to its double. With 8, each bucket is 9 % wide, so the middle of a bucket is within
 * 5 % of every time in it, and 300 buckets cover every possible time.
 */
const BUCKETS_A_DOUBLING = 8;

/** Returns the bucket of a time in milliseconds. The names of buckets sort by time. */
function bucketOf(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  return String(Math.round(BUCKETS_A_DOUBLING * Math.log2(seconds + 1))).padStart(3, "0");
}

/** Returns the median of the times in some buckets, in whole seconds; `undefined` if all counts are 0. */
export function medianOf(buckets: [bucket: string, count: number][]): number | undefined {
  const sorted = buckets.toSorted(([a], [b]) => a < b ? -1 : 1);
  let left = sorted.reduce((sum, [, count]) => sum + count, 0) / 2;
  if (left === 0) return undefined;
  const [bucket] = sorted.find(([, count]) => (left -= count) <= 0)!;
  return Math.round(2 ** (Number(bucket) / BUCKETS_A_DOUBLING) - 1);
}

/** The name of the counter of all people whose referral counts. It sorts after the days, so one read gets both. */
export const ALL_REFERRALS = "all";

/** Returns the counters to which a sign-up adds one. A record whose `createdAt` is damaged is in no counter. */
export function countersOf(signUp: Counted): Counter[] {
  const { createdAt, lang, source, role, building, invitedAt, acceptedAt, referralCounts } = signUp;
  if (typeof createdAt !== "string") return [];
  const state = stateOf(signUp);
  const day = createdAt.slice(0, 10);
  const counters: Counter[] = [
    ["total"],
    ["added", day],
    ["withAnswers", `${day}/${lang}/${source ?? ""}`],
    ["byLang", lang],
    ["byState", state],
  ];
  const steps = stepsOf(signUp);
  if (steps.length > 0) counters.push(["wentOn", `${weekOf(day)}/${steps}`]);
  if (state === "accepted" && invitedAt && acceptedAt) {
    counters.push(["acceptedAfter", bucketOf(Date.parse(acceptedAt) - Date.parse(invitedAt))]);
  }
  for (const mark of marksOf(signUp)) counters.push(["withMark", mark]);
  if (referralCounts) counters.push(["withReferral", ALL_REFERRALS], ["withReferral", day]);
  if (source !== undefined) counters.push(["bySource", source]);
  if (role !== undefined) counters.push(["byRole", role]);
  if (building !== undefined) counters.push(["byBuilding", building]);
  return counters;
}

/**
 * Whether two sign-ups are surely in the same counters. It is a fast check for new sign-ups, and false for all others,
 * such as those of people who got a letter.
 */
export function areCountedAlike(one: Counted, other: Counted): boolean {
  return isNew(one) && isNew(other) && one.lang === other.lang && one.source === other.source &&
    one.role === other.role && one.building === other.building && one.state === other.state &&
    one.createdAt.slice(0, 10) === other.createdAt.slice(0, 10);
}

const isNew = ({ createdAt, state, confirmations, lastLetters, proof, ...others }: Counted) =>
  typeof createdAt === "string" && (state === "waiting" || state === "unconfirmed") &&
  !(proof || confirmations?.takenAt || lastLetters || others.undeliverableAt ||
    others.complainedAt || others.referralCounts);
