import type { Overview } from "../../shared/operator_schemas.ts";
import { type State, STATES } from "./record.ts";
import { addUp, type Counter, utcDay } from "./statistics.ts";

/** The days that the overview has, today among them. */
const DAYS = 90;

/** The part of the overview that is counted. */
export type PeopleOverview = Omit<
  Overview,
  "outbox" | "refusals" | "lastDone" | "sendsLetters" | "warnings" | "generatedAt"
>;

/** Gives the first day that the overview has. */
export function firstDayOfOverview(now: number): string {
  return utcDay(now, DAYS - 1);
}

/**
 * Adds counters up to the overview of the people.
 *
 * @param counters those of the days since {@linkcode firstDayOfOverview} at least, and all others
 * @param now milliseconds since 1970
 */
export function summarizePeople(
  counters: { counter: Counter; count: number }[],
  now: number,
): PeopleOverview {
  const counted = (kind: Counter[0], key: string) =>
    counters.find(({ counter }) => counter[0] === kind && counter[1] === key)?.count ?? 0;
  const { total, last7Days, last30Days, ...maps } = addUp(counters, now);
  const states = Object.fromEntries(STATES.map((state) => [state, counted("byState", state)]));
  const days = Array.from({ length: DAYS }, (_, index) => {
    const day = utcDay(now, DAYS - 1 - index);
    return { day, added: counted("added", day) };
  });
  return {
    total,
    states: states as Record<State, number>,
    last7Days,
    last30Days,
    ...maps,
    days,
  };
}

/** So many letters or tries of events may be refused in a day, and this share of them, before it is named. */
const REFUSED_A_DAY = 5, REFUSED_SHARE = 0.05;

/** Chooses the days on which more letters, or tries of events, were refused than is usual. */
export function refusalsToName(
  days: { about: "letters" | "events"; day: string; sent: number; refused: number }[],
): NonNullable<Overview["refusals"]> {
  return days
    .map(({ about, day, sent, refused }) => ({ about, day, refused, tried: sent + refused }))
    .filter(({ refused, tried }) => refused > REFUSED_A_DAY || refused > tried * REFUSED_SHARE);
}
