/**
 * The statistics: which counters a change of a record changes, and how counters add up to `WaitlistStats` and to the
 * overview. Because of the counters, the time of a request does not depend on the number of sign-ups. @module
 */
import type { CampaignField } from "../../shared/campaigns.ts";
import {
  ALL_REFERRALS,
  areCountedAlike,
  type Counter,
  countersOf,
  medianOf,
  STATISTICS_MAPS,
} from "../../shared/counters.ts";
import type { WaitlistStats } from "../../shared/schemas.ts";
import { DAY } from "../runtime/mod.ts";
import { growthOf, growthRange } from "./growth.ts";
import { type SignUpRecord, type State, STATES } from "./record.ts";
export { type Counter, countersOf, type Mark, marksOf, stepsOf } from "../../shared/counters.ts";

/** The counts of `WaitlistStats` (contract, "WaitlistStats"). */
export type Counts = Omit<WaitlistStats, "generatedAt" | "environment">;

interface CounterChange {
  counter: Counter;
  /** The number that is added to the counter. */
  delta: number;
}

/** Adds up, for each counter, the changes that one commit makes. */
export class CounterChanges {
  /**
   * The changes, by the kind and then by the name of the counter. Two levels of maps are faster than one map whose keys
   * join kind and name.
   */
  readonly #changes = new Map<Counter[0], Map<string, CounterChange>>();
  /**
   * A record that was added, and its changes in the maps. These changes are also used for the next added record if the
   * two records are counted in the same counters. This is usual, and faster than finding the changes in the maps again.
   */
  #lastAdded: { record: SignUpRecord; changes: CounterChange[] } | undefined;

  /**
   * Adds the change of one record in the commit. Without `before`, the record is new; without `after`, it is removed.
   */
  replace(before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
    for (const counter of before ? countersOf(before) : []) this.#changeOf(counter).delta--;
    if (!after) return;
    if (!this.#lastAdded || !areCountedAlike(this.#lastAdded.record, after)) {
      const changes = countersOf(after).map((counter) => this.#changeOf(counter));
      this.#lastAdded = { record: after, changes };
    }
    for (const change of this.#lastAdded.changes) change.delta++;
  }

  /**
   * Gives all changes, including changes of zero. Changes of zero are written too, for two reasons: the time of an
   * answer must not tell whether an address is known, and readers of the statistics see by the version of the total
   * counter whether any counter may have changed.
   */
  *[Symbol.iterator](): Generator<CounterChange> {
    for (const ofKind of this.#changes.values()) yield* ofKind.values();
  }

  #changeOf(counter: Counter): CounterChange {
    const [kind, name = ""] = counter;
    let ofKind = this.#changes.get(kind);
    if (!ofKind) this.#changes.set(kind, ofKind = new Map());
    let change = ofKind.get(name);
    if (!change) ofKind.set(name, change = { counter, delta: 0 });
    return change;
  }
}

/**
 * Gives the UTC day of a moment, or an earlier day, as `YYYY-MM-DD`.
 *
 * @param moment the moment, in milliseconds since 1970
 * @param daysBefore the number of days between the result and the day of the moment
 */
export function utcDay(moment: number, daysBefore = 0): string {
  return new Date(moment - daysBefore * DAY).toISOString().slice(0, 10);
}

/**
 * Gives the first UTC day that counts for `last30Days`. The last day is today, so this is the 29th day before today.
 * @param now the present moment, in milliseconds since 1970
 */
export const firstCountedDay = (now: number) => utcDay(now, 29);

/**
 * Adds up counters to the statistics. Values of answers, such as slugs, are left out if their count is zero.
 *
 * @param counters all counters; counters of days before {@linkcode firstCountedDay} may be missing
 * @param now the present moment, in milliseconds since 1970
 */
export function addUpStatistics(
  counters: Iterable<{ counter: Counter; count: number }>,
  now: number,
) {
  const sums = { total: 0, last7Days: 0, last30Days: 0 };
  const maps = new Map(STATISTICS_MAPS.map((name) => [name, [] as [key: string, count: number][]]));
  const today = utcDay(now);
  const firstOf7 = utcDay(now, 6);
  const firstOf30 = firstCountedDay(now);
  for (const { counter: [kind, key], count } of counters) {
    if (kind === "total") sums.total += count;
    else if (kind === "added") {
      if (key >= firstOf7 && key <= today) sums.last7Days += count;
      if (key >= firstOf30 && key <= today) sums.last30Days += count;
    } else if (count !== 0) maps.get(kind as typeof STATISTICS_MAPS[number])?.push([key, count]);
  }
  // `Object.fromEntries` is used, because an assignment to an object would lose a slug named `__proto__`.
  const byName = Array.from(maps, ([name, counts]) => [name, Object.fromEntries(counts)]);
  return { ...sums, ...Object.fromEntries(byName) as Pick<Counts, typeof STATISTICS_MAPS[number]> };
}

/**
 * Counts the people whose confirmation counted as a referral, in the last seven days (`lastWeek`) and altogether.
 *
 * @param counters all counters; counters of days before {@linkcode firstReferralDay} may be missing
 * @param now the present moment, in milliseconds since 1970
 */
export function countReferrals(
  counters: { counter: Counter; count: number }[],
  now: number,
): { lastWeek: number; total: number } {
  const today = utcDay(now);
  const first = firstReferralDay(now);
  const counts = { lastWeek: 0, total: 0 };
  for (const { counter: [kind, name = ""], count } of counters) {
    if (kind !== "withReferral") continue;
    if (name === ALL_REFERRALS) counts.total = count;
    else if (name >= first && name <= today) counts.lastWeek += count;
  }
  return counts;
}

/**
 * Counts people by each field of the campaign that brought them. Unconfirmed people are not counted.
 *
 * @param counters all counters
 */
export function countCampaigns(
  counters: { counter: Counter; count: number }[],
): Record<CampaignField, Record<string, number>> {
  const countsOf = (field: CampaignField) =>
    Object.fromEntries(
      counters.flatMap(({ counter: [kind, value = ""], count }) =>
        kind === field && count > 0 ? [[value, count] as const] : []
      ),
    );
  return {
    utmSource: countsOf("utmSource"),
    utmMedium: countsOf("utmMedium"),
    utmCampaign: countsOf("utmCampaign"),
  };
}

/**
 * Gives the first UTC day that counts for `lastWeek`. The last day is today, so this is the sixth day before today.
 * @param now the present moment, in milliseconds since 1970
 */
export const firstReferralDay = (now: number) => utcDay(now, 6);

/**
 * Makes the counts of the overview.
 *
 * @param counters all counters; counters of days before the range of {@linkcode growthRange} may be missing
 * @param now the present moment, in milliseconds since 1970
 * @param since the first day of the growth, as `YYYY-MM-DD`
 */
export function summarizePeople(
  counters: { counter: Counter; count: number }[],
  now: number,
  since?: string,
) {
  const countsOf = (kind: Counter[0]) =>
    counters.flatMap(({ counter: [counterKind, name = ""], count }): [string, number][] =>
      counterKind === kind && count > 0 ? [[name, count]] : []
    );
  const { total, last7Days, last30Days, ...maps } = addUpStatistics(counters, now);
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
