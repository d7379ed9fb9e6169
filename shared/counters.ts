/** Which counters a sign-up is in: the service keeps them, and the CLI checks a backup by them. @module */
import { DAY } from "./durations.ts";
import type { StoredSignup } from "./operator_schemas.ts";
import type { STATES } from "./schemas.ts";

export type State = typeof STATES[number];

/** The maps of the contract's `WaitlistStats`. */
export const MAPS = ["byLang", "byRole", "byBuilding", "bySource"] as const;

/** The map that counts each answer. */
export const MAP_OF = { role: "byRole", building: "byBuilding" } as const;

/** The total, the first sign-ups of a UTC day (`2026-11-21`), a state, or one key of a map. */
export type Counter =
  | ["total"]
  | ["added", day: string]
  | ["byState", state: string]
  /** To whom no letter goes, by the mark that says why. */
  | ["withMark", mark: string]
  /** Who has accepted, by the time since the invitation; see {@linkcode bucketOf}. */
  | ["acceptedAfter", bucket: string]
  /** The first sign-ups of a UTC day, by language and form: `2026-11-21/de/hero`, or `2026-11-21/en/` without one. */
  | ["withAnswers", dayAndAnswers: string]
  /** Who signed up in the week that begins on a UTC Monday, by how far they came: `2026-11-16/taken,confirmed`. */
  | ["wentOn", weekAndSteps: string]
  | [map: typeof MAPS[number], key: string];

/** What the counters tell of a sign-up. */
type Counted =
  & Pick<StoredSignup, "createdAt" | "lang" | "source" | "role" | "building">
  & Marked
  & Stateful;

interface Taken {
  takenAt?: string | undefined;
}

/** What keeps letters from a person: a permanent bounce or an operator, and a complaint. */
export const MARKS = ["undeliverable", "complained"] as const;

export type Mark = typeof MARKS[number];

type Marked = Pick<StoredSignup, "undeliverableAt" | "complainedAt">;

/** The marks that a person has. */
export const marksOf = (person: Marked): Mark[] => MARKS.filter((mark) => person[`${mark}At`]);

interface Stateful extends Pick<StoredSignup, "state" | "invitedAt" | "acceptedAt"> {
  confirmations?: Taken | undefined;
  lastLetters?: { confirmation?: Taken | undefined } | undefined;
  proof?: unknown;
}

/** What follows a sign-up: a mail server took the letter that asks to confirm, and so on. */
export const STEPS = ["taken", "confirmed", "invited", "accepted"] as const;

export type GrowthStep = typeof STEPS[number];

/** The steps that a person has come to; who has a proof of consent got a letter. */
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

/** The UTC day that is so many days later. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** The Monday of a UTC day's week; text that is no day stays as it is. */
export function weekOf(day: string): string {
  const at = Date.parse(day);
  // 1970 began on a Thursday.
  return isNaN(at) ? day : new Date(at - (at / DAY + 3) % 7 * DAY).toISOString().slice(0, 10);
}

/** The state of a person; where a fault has taken it, what else is in the record tells it. */
export function stateOf({ state, acceptedAt, invitedAt, confirmations }: Stateful): State {
  if (state) return state;
  if (acceptedAt) return "accepted";
  return invitedAt ? "invited" : confirmations ? "unconfirmed" : "waiting";
}

/** Buckets of a time grow by the eighth root of two, so that 300 of them have every time to 5 %. */
const BUCKETS_A_DOUBLING = 8;

/** The bucket of a time in milliseconds; the names of buckets sort by time. */
function bucketOf(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  return String(Math.round(BUCKETS_A_DOUBLING * Math.log2(seconds + 1))).padStart(3, "0");
}

/** The median time in whole seconds of some buckets with their counts; `undefined` where they are empty. */
export function medianOf(buckets: [bucket: string, count: number][]): number | undefined {
  const sorted = buckets.toSorted(([a], [b]) => a < b ? -1 : 1);
  let left = sorted.reduce((sum, [, count]) => sum + count, 0) / 2;
  if (left === 0) return undefined;
  const [bucket] = sorted.find(([, count]) => (left -= count) <= 0)!;
  return Math.round(2 ** (Number(bucket) / BUCKETS_A_DOUBLING) - 1);
}

/** A sign-up adds one to each of these; one that a fault has damaged is in none. */
export function countersOf(signUp: Counted): Counter[] {
  const { createdAt, lang, source, role, building, invitedAt, acceptedAt } = signUp;
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
  if (source !== undefined) counters.push(["bySource", source]);
  if (role !== undefined) counters.push(["byRole", role]);
  if (building !== undefined) counters.push(["byBuilding", building]);
  return counters;
}

/** Whether two sign-ups are in the same counters; false for some that are, such as those who have got letters or marks. */
export function areCountedAlike(one: Counted, other: Counted): boolean {
  return isNew(one) && isNew(other) && one.lang === other.lang && one.source === other.source &&
    one.role === other.role && one.building === other.building && one.state === other.state &&
    one.createdAt.slice(0, 10) === other.createdAt.slice(0, 10);
}

const isNew = ({ createdAt, state, confirmations, lastLetters, proof, ...marks }: Counted) =>
  typeof createdAt === "string" && (state === "waiting" || state === "unconfirmed") &&
  !(proof || confirmations?.takenAt || lastLetters || marks.undeliverableAt || marks.complainedAt);
