/** The statistics are sums of counters; to read them costs the same for any number of sign-ups. @module */
import { areCountedAlike, type Counter, countersOf } from "../../shared/counters.ts";
import { MAPS, medianOf } from "../../shared/counters.ts";
import { growthOf, growthRange } from "../../shared/growth.ts";
import type { WaitlistStats } from "../../shared/schemas.ts";
import { DAY } from "../runtime/mod.ts";
import { type SignUpRecord, type State, STATES } from "./record.ts";
export { type Counter, countersOf, type Mark, marksOf, stepsOf } from "../../shared/counters.ts";

/** The counted part of `WaitlistStats`. */
export type Counts = Omit<WaitlistStats, "generatedAt" | "environment">;

interface CounterChange {
  counter: Counter;
  by: number;
}

export class CounterChanges {
  /** By kind and then by name, as to join them takes longer. */
  readonly #changes = new Map<Counter[0], Map<string, CounterChange>>();
  /** Most of those who sign up together are counted alike, so that their counters are looked up once. */
  #lastAdded: { record: SignUpRecord; changes: CounterChange[] } | undefined;

  /** A record is replaced, added or removed. */
  replace(before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
    for (const counter of before ? countersOf(before) : []) this.#changeOf(counter).by--;
    if (!after) return;
    if (!this.#lastAdded || !areCountedAlike(this.#lastAdded.record, after)) {
      const changes = countersOf(after).map((counter) => this.#changeOf(counter));
      this.#lastAdded = { record: after, changes };
    }
    for (const change of this.#lastAdded.changes) change.by++;
  }

  /** Also those that move by zero: a known address costs the same, and the total's version tells of any move. */
  *[Symbol.iterator](): Generator<CounterChange> {
    for (const ofKind of this.#changes.values()) yield* ofKind.values();
  }

  #changeOf(counter: Counter): CounterChange {
    const [kind, name = ""] = counter;
    let ofKind = this.#changes.get(kind);
    if (!ofKind) this.#changes.set(kind, ofKind = new Map());
    let change = ofKind.get(name);
    if (!change) ofKind.set(name, change = { counter, by: 0 });
    return change;
  }
}

/** The UTC day of a moment in milliseconds since 1970, or the day that is `back` days earlier. */
export function utcDay(now: number, back = 0): string {
  return new Date(now - back * DAY).toISOString().slice(0, 10);
}

/** `last30Days` covers today and the 29 UTC days before it. */
export const firstCountedDay = (now: number) => utcDay(now, 29);

/** Adds up counters, of the days since {@linkcode firstCountedDay} at least; keys that count zero are left out. */
export function addUp(counters: Iterable<{ counter: Counter; count: number }>, now: number) {
  const sums = { total: 0, last7Days: 0, last30Days: 0 };
  const maps = new Map(MAPS.map((name) => [name, [] as [key: string, count: number][]]));
  const today = utcDay(now);
  const firstOf7 = utcDay(now, 6);
  const firstOf30 = firstCountedDay(now);
  for (const { counter: [kind, key], count } of counters) {
    if (kind === "total") sums.total += count;
    else if (kind === "added") {
      if (key >= firstOf7 && key <= today) sums.last7Days += count;
      if (key >= firstOf30 && key <= today) sums.last30Days += count;
    } else if (count !== 0) maps.get(kind as typeof MAPS[number])?.push([key, count]);
  }
  // `fromEntries` also takes the slug `__proto__`, which an assignment would lose.
  const byName = Array.from(maps, ([name, counts]) => [name, Object.fromEntries(counts)]);
  return { ...sums, ...Object.fromEntries(byName) as Pick<Counts, typeof MAPS[number]> };
}

/** Makes the counted part of the overview of counters, of {@linkcode growthRange} at least. */
export function summarizePeople(
  counters: { counter: Counter; count: number }[],
  now: number,
  since?: string,
) {
  const countsOf = (kind: Counter[0]) =>
    counters.flatMap(({ counter: [each, name = ""], count }): [string, number][] =>
      each === kind && count > 0 ? [[name, count]] : []
    );
  const { total, last7Days, last30Days, ...maps } = addUp(counters, now);
  const byState = new Map(countsOf("byState"));
  const states = Object.fromEntries(STATES.map((state) => [state, byState.get(state) ?? 0]));
  const { accepted = 0 } = states;
  const medianSeconds = medianOf(countsOf("acceptedAfter"));
  const funnel = {
    invited: (states.invited ?? 0) + accepted,
    accepted,
    ...medianSeconds !== undefined && { medianSeconds },
  };
  return {
    total,
    states: states as Record<State, number>,
    funnel,
    last7Days,
    last30Days,
    ...maps,
    ...growthOf(counters, growthRange(utcDay(now), since)),
  };
}
