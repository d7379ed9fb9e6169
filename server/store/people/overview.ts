/**
 * Reads the operator's overview from the counters of people, the outbox and the audit log. `statistics.ts` reads the
 * public statistics from the same counters; `waitlist/` adds the counters up. @module
 */
import { unusualRefusals } from "../../../shared/attention.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import {
  CAMPAIGN_FIELDS,
  countCampaigns,
  countReferrals,
  firstReferralDay,
  growthRange,
  summarizePeople,
  utcDay,
} from "../../waitlist/mod.ts";
import { readLastDone } from "../audit/mod.ts";
import {
  counterKindSelector,
  daysSelector,
  type Kv,
  pages,
  runReads,
  type Selector,
} from "../kv/mod.ts";
import {
  createMailState,
  LETTER_QUEUES,
  type MailPause,
  readFirstDue,
  readOutboxCounts,
  readOutcomes,
  readReportCounts,
} from "../outbox/mod.ts";
import { listTopReferrers } from "./referrals.ts";
import { MAX_COUNTERS, readStatisticsCounters, toCounterValue } from "./statistics.ts";

/** How many people with referrals the overview lists at most. */
const TOP_REFERRERS = 10;

/** The number of UTC days, with today, whose reports of mail providers the overview counts. */
const REPORT_DAYS = 7;

/** The part of the operator's overview that is read from the store. */
export type StoredOverview = Omit<
  Overview,
  "version" | "sendsLetters" | "warnings" | "sender" | "backups" | "leftOutRuns"
>;

/**
 * Reads the store's part of the overview, at a cost that does not grow with the number of people or letters.
 * @param now the present moment, in milliseconds since 1970
 * @param since the first UTC day of the daily figures
 * @throws {Error} if a counter cannot be read
 */
export async function readOverview(kv: Kv, now: number, since?: string): Promise<StoredOverview> {
  const today = utcDay(now);
  const yesterday = utcDay(now, 1);
  const range = growthRange(today, since);
  // Reads these counters in calls of their own, because the page of `readStatisticsCounters()` has no room for them.
  const furtherSelectors: Selector[] = [
    counterKindSelector("acceptedAfter"),
    daysSelector("withAnswers", range.firstDetailedDay),
    daysSelector("wentOn", range.firstWeek),
    daysSelector("withReferral", firstReferralDay(now)),
    ...CAMPAIGN_FIELDS.map((field) => counterKindSelector(field)),
  ];
  // `readStatisticsCounters()` reads the sign-ups of days only from the first week on.
  if (range.firstDay < range.firstWeek) {
    furtherSelectors.push(daysSelector("added", range.firstDay, range.firstWeek));
  }
  const readPages = (selector: Selector) => () =>
    Array.fromAsync(pages<number>(kv, selector, { limit: MAX_COUNTERS }));
  const furtherPages = await runReads(kv, furtherSelectors.map(readPages));
  const [statistics, topReferrers, outbox, outcomes, reports, lastDone] = await runReads(kv, [
    () => readStatisticsCounters(kv, range.firstWeek),
    () => listTopReferrers(kv, TOP_REFERRERS),
    () => readOutbox(kv, today, now),
    () => readOutcomes(kv, [today, yesterday]),
    () => readReportCounts(kv, Array.from({ length: REPORT_DAYS }, (_, age) => utcDay(now, age))),
    () => readLastDone(kv),
  ]);
  const counters = [...statistics.counters, ...furtherPages.flat(2).map(toCounterValue)];
  const refusals = unusualRefusals(outcomes);
  return {
    ...summarizePeople(counters, now, since),
    referrals: { ...countReferrals(counters, now), top: topReferrers },
    campaigns: countCampaigns(counters),
    outbox,
    ...refusals.length > 0 && { refusals },
    ...reports.length > 0 && { reports },
    lastDone,
    generatedAt: dateTime(now),
  };
}

/** Reads the part of the overview about the outbox. @param today the UTC day whose sent letters are counted */
async function readOutbox(
  kv: Kv,
  today: string,
  now: number,
): Promise<StoredOverview["outbox"]> {
  const [{ due, held, refused, sent }, oldestDue, mail, firstLetterDue] = await Promise.all([
    readOutboxCounts(kv, today),
    readFirstDue(kv, ["letters", "invitations", "events"]),
    createMailState(kv).read(),
    readFirstDue(kv, LETTER_QUEUES),
  ]);
  const pause = mail?.pause;
  return {
    due,
    ...oldestDue < Infinity && { oldestDue: dateTime(oldestDue) },
    held,
    refused,
    sentToday: sent,
    ...pause && { pause: describePause(pause, { firstLetterDue, now }) },
  };
}

/**
 * Describes the pause of all letters.
 * @param options.firstLetterDue when the first letter is due, in milliseconds since 1970; `Infinity` if none waits
 */
function describePause(
  { begunAt, since, until, reason, isProbed = false }: MailPause,
  { firstLetterDue, now }: { firstLetterDue: number; now: number },
): NonNullable<StoredOverview["outbox"]["pause"]> {
  // The claim of the probe moves its due time, so the first due time says nothing about the probe that is being sent.
  const nextTry = isProbed || firstLetterDue === Infinity ? until : Math.max(until, firstLetterDue);
  const isTesting = isProbed || nextTry <= now;
  // Only a pause that waits has been begun by a failure. `since` of any other pause can be the moment of a probe.
  const hasFailed = !isProbed && until > now && begunAt !== undefined && since > begunAt;
  return {
    since: dateTime(begunAt ?? since),
    until: dateTime(nextTry),
    reason,
    ...isTesting && { testing: true },
    ...hasFailed && { testedAt: dateTime(since) },
  };
}

/** @param moment in milliseconds since 1970 */
const dateTime = (moment: number): string => new Date(moment).toISOString();
