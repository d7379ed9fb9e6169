/**
 * Says in which counters of the statistics a sign-up is counted. The service stores the counters, and the CLI recounts
 * them from a backup. The commits that change the counters are in `server/store/people/`.
 *
 * @module
 */
import {
  CAMPAIGN_FIELDS,
  type CampaignField,
  type CountedCampaign,
  OTHER_VALUES,
} from "./campaigns.ts";
import { weekOf } from "./moments.ts";
import type { StoredSignup } from "./operator_schemas.ts";
import type { STATES } from "./schemas.ts";

/** A state of a person. */
export type State = typeof STATES[number];

/** The maps of the contract's `WaitlistStats`. */
export const STATISTICS_MAPS = ["byLang", "byRole", "byBuilding", "bySource"] as const;

/** For each answer, the map of the statistics that counts the values of this answer. */
export const MAP_OF_ANSWER = { role: "byRole", building: "byBuilding" } as const;

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
  /**
   * The people who have accepted, by the length of time from the invitation to the acceptance; see {@linkcode
   * bucketOf}.
   */
  | ["acceptedAfter", bucket: string]
  /**
   * The people whose first sign-up was on a UTC day, by language and form: `2026-11-21/de/hero`, or `2026-11-21/en/`
   * without a form.
   */
  | ["withAnswers", dayAndAnswers: string]
  /**
   * The people who first signed up in a week, by the Monday of the week (UTC) and by the steps that they have made:
   * `2026-11-16/taken,confirmed`.
   */
  | ["wentOn", weekAndSteps: string]
  /**
   * The people who count as a referral of another person. The counter `all` counts all of them, and one counter for
   * each UTC day counts those whose first sign-up was on this day.
   */
  | ["withReferral", dayOrAll: string]
  /** The people who are not `unconfirmed`, by one value of a field that tells the campaign. */
  | [field: CampaignField, value: string]
  /**
   * The people with one value of a field, such as the language `de`. A map of the contract's statistics has these counts.
   */
  | [map: typeof STATISTICS_MAPS[number], key: string];

/** The members of a record that decide in which counters the record is counted. */
type CountedRecord =
  & Pick<StoredSignup, "createdAt" | "lang" | "source" | "role" | "building" | "referralCounts">
  & CountedCampaign
  & RecordWithMarks
  & RecordWithSteps;

/**
 * The reasons why no letter goes to a person, in the contract's words. `undeliverable`: a permanent bounce, or an
 * operator, has marked the address. `complained`: the person has reported a letter as spam.
 */
export const MARKS = ["undeliverable", "complained"] as const;

/** One of the reasons why no letter goes to a person. */
export type Mark = typeof MARKS[number];

/** The members of a record that tell why no letter goes to the person. */
type RecordWithMarks = Pick<StoredSignup, "undeliverableAt" | "complainedAt">;

/** Returns the reasons why no letter goes to a person. */
export const marksOf = (record: RecordWithMarks): Mark[] =>
  MARKS.filter((mark) => record[`${mark}At`]);

/** What became of a letter: the moment when a mail server took it; absent if no mail server has taken it. */
interface LetterOutcome {
  takenAt?: string | undefined;
}

/** The members of a record that tell the state of the person, and the steps that the person has made. */
interface RecordWithSteps extends Pick<StoredSignup, "state" | "invitedAt" | "acceptedAt"> {
  confirmations?: LetterOutcome | undefined;
  lastLetters?: { confirmation?: LetterOutcome | undefined } | undefined;
  proof?: unknown;
}

/** The steps after a sign-up. `taken` means that a mail server has taken the letter that asks to confirm. */
export const STEPS = ["taken", "confirmed", "invited", "accepted"] as const;

/** A step after a sign-up. */
export type GrowthStep = typeof STEPS[number];

/**
 * Returns the steps that a person has made. A proof of consent counts as `taken` as well, because a person can confirm
 * only by a letter.
 */
export function stepsOf(record: RecordWithSteps): GrowthStep[] {
  const { confirmations, lastLetters, proof } = record;
  const state = stateOf(record);
  const evidence: Record<GrowthStep, unknown> = {
    taken: proof ?? confirmations?.takenAt ?? lastLetters?.confirmation?.takenAt,
    confirmed: proof,
    invited: state === "invited" || state === "accepted",
    accepted: state === "accepted",
  };
  return STEPS.filter((step) => evidence[step]);
}

/**
 * Returns the state of a person. If the record has lost its state by a fault, the state is found from the other
 * members.
 */
export function stateOf({ state, acceptedAt, invitedAt, confirmations }: RecordWithSteps): State {
  if (state) return state;
  if (acceptedAt) return "accepted";
  if (invitedAt) return "invited";
  return confirmations ? "unconfirmed" : "waiting";
}

/**
 * The number of buckets between a length of time and its double. With 8, each bucket is 9 % wide, so the middle of a
 * bucket is within 5 % of every time in it, and some 300 buckets cover every possible time.
 */
const BUCKETS_A_DOUBLING = 8;

/**
 * Returns the name of the bucket that counts a length of time. Sorting the names as text sorts the buckets by length.
 *
 * @param ms the length of time, in milliseconds
 */
function bucketOf(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  return String(Math.round(BUCKETS_A_DOUBLING * Math.log2(seconds + 1))).padStart(3, "0");
}

/**
 * Returns the median of the lengths of time that some buckets count, in whole seconds; `undefined` if all counts are 0.
 */
export function medianOf(buckets: [bucket: string, count: number][]): number | undefined {
  const sorted = buckets.toSorted(([a], [b]) => a < b ? -1 : 1);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total <= 0) return undefined;
  let counted = 0;
  for (const [bucket, count] of sorted) {
    counted += count;
    if (count > 0 && counted >= total / 2) return secondsOf(bucket);
  }
  return undefined;
}

/** Returns the length of time in the middle of a bucket, in whole seconds. */
function secondsOf(bucket: string): number {
  return Math.round(2 ** (Number(bucket) / BUCKETS_A_DOUBLING) - 1);
}

/**
 * The name of the counter of all people who count as a referral. The name sorts after the days, so that one range read
 * gets the counters of the days and this counter.
 */
export const ALL_REFERRALS = "all";

/**
 * Returns the value under which a record is counted for a field that tells the campaign; `undefined` if the record is
 * not counted there. An unconfirmed person is not counted, so that nobody can fill the counters with sign-ups that are
 * never confirmed.
 */
export function countedValue(
  record: CountedCampaign & RecordWithSteps,
  field: CampaignField,
): string | undefined {
  const value = record[field];
  if (value === undefined || stateOf(record) === "unconfirmed") return undefined;
  return record.countedAsOther?.includes(field) ? OTHER_VALUES : value;
}

/** Returns the counters to which a record adds one. A record whose `createdAt` is damaged is in no counter. */
export function countersOf(record: CountedRecord): Counter[] {
  const { createdAt, lang, source, role, building, invitedAt, acceptedAt, referralCounts } = record;
  if (typeof createdAt !== "string") return [];
  const state = stateOf(record);
  const day = createdAt.slice(0, 10);
  const counters: Counter[] = [
    ["total"],
    ["added", day],
    ["withAnswers", `${day}/${lang}/${source ?? ""}`],
    ["byLang", lang],
    ["byState", state],
  ];
  const steps = stepsOf(record);
  if (steps.length > 0) counters.push(["wentOn", `${weekOf(day)}/${steps}`]);
  if (state === "accepted" && invitedAt && acceptedAt) {
    counters.push(["acceptedAfter", bucketOf(Date.parse(acceptedAt) - Date.parse(invitedAt))]);
  }
  for (const mark of marksOf(record)) counters.push(["withMark", mark]);
  if (referralCounts) counters.push(["withReferral", ALL_REFERRALS], ["withReferral", day]);
  if (source !== undefined) counters.push(["bySource", source]);
  if (role !== undefined) counters.push(["byRole", role]);
  if (building !== undefined) counters.push(["byBuilding", building]);
  for (const field of CAMPAIGN_FIELDS) {
    const value = countedValue(record, field);
    if (value !== undefined) counters.push([field, value]);
  }
  return counters;
}

/**
 * Whether the records of two new sign-ups are in the same counters. This check is fast, because it returns false for
 * every record that is not new, such as that of a person who has got a letter, even if the counters are the same.
 */
export function areCountedAlike(one: CountedRecord, other: CountedRecord): boolean {
  return isNew(one) && isNew(other) && one.lang === other.lang && one.source === other.source &&
    one.role === other.role && one.building === other.building && one.state === other.state &&
    CAMPAIGN_FIELDS.every((field) => one[field] === other[field]) &&
    one.createdAt.slice(0, 10) === other.createdAt.slice(0, 10);
}

/** Whether a record is of a sign-up without a letter, a mark or a step after it. */
const isNew = ({ createdAt, state, confirmations, lastLetters, proof, ...others }: CountedRecord) =>
  typeof createdAt === "string" && (state === "waiting" || state === "unconfirmed") &&
  !(proof || confirmations?.takenAt || lastLetters || others.undeliverableAt ||
    others.complainedAt || others.referralCounts || others.countedAsOther);
