/** Which counters a sign-up is in: the service keeps them, and the CLI checks a backup by them. @module */
import type { StoredSignup } from "./operator_schemas.ts";
import type { STATES } from "./schemas.ts";

export type State = typeof STATES[number];

/** The maps of the contract's `WaitlistStats`. */
export const MAPS = ["byLang", "byRole", "byBuilding", "bySource"] as const;

/** The total, the first sign-ups of a UTC day (`2026-11-21`), a state, or one key of a map. */
export type Counter =
  | ["total"]
  | ["added", day: string]
  | ["byState", state: string]
  /** Who has accepted, by the time since the invitation; see {@linkcode bucketOf}. */
  | ["acceptedAfter", bucket: string]
  | [map: typeof MAPS[number], key: string];

/** What the counters tell of a sign-up. */
type Counted =
  & Pick<StoredSignup, "createdAt" | "lang" | "source" | "role" | "building">
  & Stateful;

interface Stateful extends Pick<StoredSignup, "state" | "invitedAt" | "acceptedAt"> {
  confirmations?: unknown;
}

/** The state of a person; where a fault has taken it, what else is in the record tells it. */
export function stateOf({ state, acceptedAt, invitedAt, confirmations }: Stateful): State {
  if (state) return state;
  if (acceptedAt) return "accepted";
  return invitedAt ? "invited" : confirmations ? "unconfirmed" : "waiting";
}

/** Buckets of a time grow by the eighth root of two, so that 300 of them have every time to 5 %. */
export const BUCKETS_A_DOUBLING = 8;

/** The bucket of a time in milliseconds; the names of buckets sort by time. */
function bucketOf(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  return String(Math.round(BUCKETS_A_DOUBLING * Math.log2(seconds + 1))).padStart(3, "0");
}

/** A sign-up adds one to each of these; one that a fault has damaged is in none. */
export function countersOf(signUp: Counted): Counter[] {
  const { createdAt, lang, source, role, building, invitedAt, acceptedAt } = signUp;
  if (typeof createdAt !== "string") return [];
  const state = stateOf(signUp);
  const counters: Counter[] = [
    ["total"],
    ["added", createdAt.slice(0, 10)],
    ["byLang", lang],
    ["byState", state],
  ];
  if (state === "accepted" && invitedAt && acceptedAt) {
    counters.push(["acceptedAfter", bucketOf(Date.parse(acceptedAt) - Date.parse(invitedAt))]);
  }
  if (source !== undefined) counters.push(["bySource", source]);
  if (role !== undefined) counters.push(["byRole", role]);
  if (building !== undefined) counters.push(["byBuilding", building]);
  return counters;
}
