/**
 * The counts of people in the operator's overview: how counters add up to the states, the referrals and the campaigns.
 * `growth.ts` has the counts by days and weeks. @module
 */
import type { CampaignField } from "../../shared/campaigns.ts";
import { ALL_REFERRALS, type Counter, medianOf } from "../../shared/counters.ts";
import type { CounterValue } from "./counters.ts";
import { growthOf, growthRange } from "./growth.ts";
import { type State, STATES } from "./record.ts";
import { addUpStatistics } from "./statistics.ts";
import { utcDay } from "./utc_day.ts";

/**
 * Gives the first UTC day that counts for `lastWeek`. The last day is today, so this is the sixth day before today.
 * @param now the present moment, in milliseconds since 1970
 */
export const firstReferralDay = (now: number): string => utcDay(now, 6);

/**
 * Counts the people whose confirmation counted as a referral, in the last seven days (`lastWeek`) and altogether.
 *
 * @param counters all counters; counters of days before {@linkcode firstReferralDay} may be missing
 * @param now the present moment, in milliseconds since 1970
 */
export function countReferrals(
  counters: CounterValue[],
  now: number,
): { lastWeek: number; total: number } {
  const today = utcDay(now);
  const firstDay = firstReferralDay(now);
  const counts = { lastWeek: 0, total: 0 };
  for (const { counter: [kind, name = ""], count } of counters) {
    if (kind !== "withReferral") continue;
    if (name === ALL_REFERRALS) counts.total = count;
    else if (name >= firstDay && name <= today) counts.lastWeek += count;
  }
  return counts;
}

/**
 * Counts people by each field of the campaign that brought them. Unconfirmed people are not counted.
 *
 * @param counters all counters
 */
export function countCampaigns(
  counters: CounterValue[],
): Record<CampaignField, Record<string, number>> {
  const countsOf = (field: CampaignField) => Object.fromEntries(countsOfKind(counters, field));
  return {
    utmSource: countsOf("utmSource"),
    utmMedium: countsOf("utmMedium"),
    utmCampaign: countsOf("utmCampaign"),
  };
}

/**
 * Makes the counts of the overview.
 *
 * @param counters all counters; counters of days before the range of {@linkcode growthRange} may be missing
 * @param now the present moment, in milliseconds since 1970
 * @param since the first day of the growth, as `YYYY-MM-DD`
 */
export function summarizePeople(
  counters: CounterValue[],
  now: number,
  since?: string,
) {
  const { total, last7Days, last30Days, ...maps } = addUpStatistics(counters, now);
  const byState = new Map(countsOfKind(counters, "byState"));
  const statesWithCounts = STATES.map((state) => [state, byState.get(state) ?? 0]);
  // The cast is needed because the type of `Object.fromEntries()` loses the names of the members.
  const states = Object.fromEntries(statesWithCounts) as Record<State, number>;
  const { invited, accepted } = states;
  const medianSeconds = medianOf(countsOfKind(counters, "acceptedAfter"));
  const funnel = {
    invited: invited + accepted,
    accepted,
    ...medianSeconds !== undefined && { medianSeconds },
  };
  return {
    total,
    states,
    funnel,
    last7Days,
    last30Days,
    ...maps,
    ...growthOf(counters, growthRange(utcDay(now), since)),
  };
}

/** Gives the name and the count of each counter of a kind whose count is above zero. */
function countsOfKind(counters: CounterValue[], kind: Counter[0]): [name: string, count: number][] {
  return counters.flatMap(({ counter: [counterKind, name = ""], count }) =>
    counterKind === kind && count > 0 ? [[name, count]] : []
  );
}
