/** What needs an operator's attention: one rule for the overview of the console and for `waitlist doctor`. @module */
import { DAY, HOUR } from "./durations.ts";
import { findCounterDrift } from "./counter_drift.ts";
import type { Overview } from "./operator_schemas.ts";

type Refusals = NonNullable<Overview["refusals"]>;

/** One thing that needs attention; its times are date-times. */
export type Attention =
  | { about: "paused"; since: string; until: string; reason: string }
  /** Letters or events that wait, the first since a moment. */
  | { about: "late"; since: string; due: number }
  | { about: "refused"; of: Refusals[number] }
  | { about: "drift"; at: string }
  | { about: "noBackup" }
  | { about: "oldBackup"; at: string; isDaily: boolean }
  | { about: "failedBackup"; at: string; reason: string };

/** How late a letter or an event may be, in milliseconds. */
const LATE_MS = HOUR;

/** How old a backup may be, in milliseconds: one that the service makes each day, and another, such as a weekly one. */
const DAILY_MS = 26 * HOUR, OTHER_MS = 8 * DAY;

/** What an overview says of trouble. */
export type AttentionFacts = Pick<
  Overview,
  "outbox" | "refusals" | "lastDone" | "total" | "backups" | "generatedAt"
>;

/**
 * Finds what operators are told of who have not asked: a pause only once it has lasted for an hour, as a mail server
 * may well be away for a moment.
 */
export function attentionToTell(facts: AttentionFacts): Attention[] {
  const hourAgo = Date.parse(facts.generatedAt) - HOUR;
  return attentionIn(facts)
    .filter((each) => each.about !== "paused" || Date.parse(each.since) < hourAgo);
}

/** Finds what needs attention; the times of an overview are all of the service's clock. */
export function attentionIn(overview: AttentionFacts): Attention[] {
  const { outbox, refusals = [], lastDone, total, backups, generatedAt } = overview;
  const isOver = (at: string, ms: number) => Date.parse(generatedAt) - Date.parse(at) > ms;
  const found: Attention[] = [];

  const { pause, oldestDue, due } = outbox;
  if (pause) found.push({ about: "paused", ...pause });
  else if (oldestDue && isOver(oldestDue, LATE_MS)) {
    found.push({ about: "late", since: oldestDue, due });
  }
  found.push(...refusals.map((of): Attention => ({ about: "refused", of })));

  const drift = findCounterDrift(overview);
  if (drift) found.push({ about: "drift", at: drift });

  const { last, failed } = backups ?? {};
  const { backup } = lastDone;
  if (failed) found.push({ about: "failedBackup", ...failed });
  else if (last && isOver(last.at, DAILY_MS)) {
    found.push({ about: "oldBackup", at: last.at, isDaily: true });
  } else if (!backup && total > 0) found.push({ about: "noBackup" });
  else if (backup && isOver(backup, OTHER_MS)) {
    found.push({ about: "oldBackup", at: backup, isDaily: false });
  }
  return found;
}

/** So many, and this share of a day's letters or tries of events, may be refused before the day is named. */
const REFUSED_A_DAY = 5, REFUSED_SHARE = 0.05;

/** Chooses the days on which more was refused than is usual. */
export function refusalsToName(
  days: { about: "letters" | "events"; day: string; sent: number; refused: number }[],
): Refusals {
  return days
    .map(({ about, day, sent, refused }) => ({ about, day, refused, tried: sent + refused }))
    .filter(({ refused, tried }) => refused > REFUSED_A_DAY || refused > tried * REFUSED_SHARE);
}
