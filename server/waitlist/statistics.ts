/**
 * The statistics are sums of counters, and every counter is a sum over the records: what a record adds
 * is {@linkcode countersOf}. Reading them never costs more than their number, whatever the number of
 * sign-ups.
 *
 * @module
 */
import type { WaitlistStats } from "../../shared/schemas.ts";
import type { SignUpRecord } from "./record.ts";

/** The maps of the statistics, by the contract's names. */
export const MAPS = ["byLang", "byRole", "byBuilding", "bySource"] as const;

/** A counter: the total, the sign-ups first made on a UTC day (`2026-11-21`), or one key of a map. */
export type Counter =
  | ["total"]
  | ["added", day: string]
  | [map: typeof MAPS[number], key: string];

/** What all counters add up to; the rest of the contract's `WaitlistStats` is not counted. */
export type Counts = Omit<WaitlistStats, "generatedAt" | "environment">;

const DAY = 24 * 60 * 60 * 1000;

/** The counters that a record is in; one that a fault has left without its form is in none. */
export function countersOf(record: SignUpRecord): Counter[] {
  if (typeof record.createdAt !== "string") return [];
  const counters: Counter[] = [
    ["total"],
    ["added", record.createdAt.slice(0, 10)],
    ["byLang", record.lang],
  ];
  if (record.source !== undefined) counters.push(["bySource", record.source]);
  if (record.role !== undefined) counters.push(["byRole", record.role]);
  if (record.building !== undefined) counters.push(["byBuilding", record.building]);
  return counters;
}

/** How far counters move; none moves by zero. */
export class CounterChanges {
  readonly #changes = new Map<string, { counter: Counter; by: number }>();

  /** Adds what changes as a record takes the place of another, or of none. */
  replace(before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
    for (const counter of before ? countersOf(before) : []) this.#move(counter, -1);
    for (const counter of after ? countersOf(after) : []) this.#move(counter, 1);
  }

  /**
   * The counters that move; the total with every other, even by nothing, so that whoever knows its
   * version knows whether anything has moved.
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

/** The UTC day of a moment in milliseconds since 1970, `back` days earlier. */
export function utcDay(now: number, back = 0): string {
  return new Date(now - back * DAY).toISOString().slice(0, 10);
}

/** The first day that `last30Days` covers: today and the 29 UTC days before it. */
export function firstCountedDay(now: number): string {
  return utcDay(now, 29);
}

/**
 * Adds counters up to statistics; keys that count zero are left out.
 *
 * @param counters at least those of the days since {@linkcode firstCountedDay} and all other ones
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
    } else if (count !== 0) maps.get(kind)?.push([key, count]);
  }
  // Assigned one by one, a slug such as `__proto__` would vanish.
  const mapOf = (name: typeof MAPS[number]) => Object.fromEntries(maps.get(name) ?? []);
  return {
    ...sums,
    byLang: mapOf("byLang"),
    byRole: mapOf("byRole"),
    byBuilding: mapOf("byBuilding"),
    bySource: mapOf("bySource"),
  };
}
