/**
 * The statistics, which are sums of counters. Each record adds one to the counters that
 * {@linkcode countersOf} gives. The cost of reading grows with the number of counters, and not with the
 * number of sign-ups.
 *
 * @module
 */
import type { WaitlistStats } from "../../shared/schemas.ts";
import { type SignUpRecord, stateOf } from "./record.ts";

/** The names of the statistics' maps (contract, "WaitlistStats"). */
export const MAPS = ["byLang", "byRole", "byBuilding", "bySource"] as const;

/** A counter: the total, the first sign-ups of a UTC day (`2026-11-21`), a state, or one key of a map. */
export type Counter =
  | ["total"]
  | ["added", day: string]
  | ["byState", state: string]
  | [map: typeof MAPS[number], key: string];

/** The part of the contract's `WaitlistStats` that is counted. */
export type Counts = Omit<WaitlistStats, "generatedAt" | "environment">;

const DAY = 24 * 60 * 60 * 1000;

/** Gives the counters that a record is in; a record that a fault has damaged is in none. */
export function countersOf(record: SignUpRecord): Counter[] {
  if (typeof record.createdAt !== "string") return [];
  const counters: Counter[] = [
    ["total"],
    ["added", record.createdAt.slice(0, 10)],
    ["byLang", record.lang],
    ["byState", stateOf(record)],
  ];
  if (record.source !== undefined) counters.push(["bySource", record.source]);
  if (record.role !== undefined) counters.push(["byRole", record.role]);
  if (record.building !== undefined) counters.push(["byBuilding", record.building]);
  return counters;
}

/** By how much counters move. */
export class CounterChanges {
  readonly #changes = new Map<string, { counter: Counter; by: number }>();

  /** Adds the changes by a record that is replaced, added or removed. */
  replace(before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
    for (const counter of before ? countersOf(before) : []) this.#move(counter, -1);
    for (const counter of after ? countersOf(after) : []) this.#move(counter, 1);
  }

  /**
   * Gives the counters that move. The total is among them whenever another counter moves, even by zero: its
   * version then tells whether any counter has moved.
   */
  *[Symbol.iterator](): Generator<{ counter: Counter; by: number }> {
    const changes = [...this.#changes.values()];
    if (changes.every(({ by }) => by === 0)) return;
    for (const change of changes) {
      if (change.by !== 0 || change.counter[0] === "total") yield change;
    }
  }

  #move(counter: Counter, by: number): void {
    const name = counter.join("/");
    const change = this.#changes.get(name);
    if (change) change.by += by;
    else this.#changes.set(name, { counter, by });
  }
}

/** Gives the UTC day of a moment in milliseconds since 1970, or the day that is `back` days earlier. */
export function utcDay(now: number, back = 0): string {
  return new Date(now - back * DAY).toISOString().slice(0, 10);
}

/** Gives the first day of `last30Days`, which covers today and the 29 UTC days before it. */
export function firstCountedDay(now: number): string {
  return utcDay(now, 29);
}

/**
 * Adds counters up to statistics; keys that count zero are left out.
 *
 * @param counters those of the days since {@linkcode firstCountedDay} at least, and all others
 * @param now milliseconds since 1970
 */
export function addUp(
  counters: Iterable<{ counter: Counter; count: number }>,
  now: number,
): Counts {
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
    } else if (kind !== "byState" && count !== 0) maps.get(kind)?.push([key, count]);
  }
  // `fromEntries` also takes the slug `__proto__`, which an assignment would lose.
  const mapOf = (name: typeof MAPS[number]) => Object.fromEntries(maps.get(name) ?? []);
  return {
    ...sums,
    byLang: mapOf("byLang"),
    byRole: mapOf("byRole"),
    byBuilding: mapOf("byBuilding"),
    bySource: mapOf("bySource"),
  };
}
