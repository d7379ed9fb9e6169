/**
 * Reads the public statistics and the operator's overview from their counters. `recount.ts` verifies the counters;
 * `waitlist/statistics.ts` and `waitlist/overview.ts` add them up. @module
 */
import { unusualRefusals } from "../../../shared/attention.ts";
import type { Counter } from "../../../shared/counters.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  addUpStatistics,
  CAMPAIGN_FIELDS,
  countCampaigns,
  countReferrals,
  type Counts,
  firstCountedDay,
  firstReferralDay,
  growthRange,
  summarizePeople,
  utcDay,
} from "../../waitlist/mod.ts";
import { readLastDone } from "../audit/mod.ts";
import {
  asReadable,
  Batcher,
  counterKey,
  counterOf,
  daysSelector,
  type Entry,
  type Kv,
  mapSelector,
  type OnRun,
  pages,
  readMany,
  readOne,
  readPage,
  readSeveral,
  type Selector,
  statisticsSelector,
  type Unreadable,
} from "../kv/mod.ts";
import { createMailState, readFirstDue, readOutboxCounts, readOutcomes } from "../outbox/mod.ts";
import { listTopReferrers } from "./referrals.ts";

/**
 * The number of counters in a page. The range of {@linkcode statisticsSelector} never has more counters for the public
 * statistics, so one page has all of them. A page is a snapshot: it has either all writes of a commit or none.
 */
const MAX_COUNTERS = 500;

const TOTAL = counterKey(["total"]);

/** Reads the counters of {@linkcode statisticsSelector} in one snapshot. */
async function readCounters(
  kv: Kv,
  firstDay: string,
): Promise<{ counters: CountedCounter[]; version: string | null }> {
  const entries = await readPage<number>(kv, statisticsSelector(firstDay), { limit: MAX_COUNTERS });
  // The version of the total stands for all counters, because each commit that changes a counter writes the total.
  const total = entries.find(({ key }) => counterOf(key)[0] === "total");
  return {
    counters: entries.map(toCounter),
    version: (total && asReadable(total))?.version ?? null,
  };
}

interface CountedCounter {
  counter: Counter;
  count: number;
}

/**
 * Gives a counter with its count. A counter below zero counts as 0, because 0 is the contract's minimum.
 * @throws {Error} if the counter cannot be read: without the counter, the statistics would differ from a recount
 */
function toCounter(entry: Entry<number> | Unreadable): CountedCounter {
  const counter = counterOf(entry.key);
  if (!("fault" in entry)) return { counter, count: Math.max(0, entry.value) };
  const name = counter.join("/");
  throw new Error(
    `The counter ${name} cannot be read; 'waitlist counters repair' makes it anew from the records`,
  );
}

interface CountsReaderOptions extends Pick<Runtime, "now" | "monotonic"> {
  onRun?: OnRun;
}

/**
 * Makes a function that reads the counters, and gives what `describe` makes of the counters and of the present moment.
 * Calls that arrive while a read is running share the next read, so that an answer has everything that was stored
 * before its call. If no counter has changed since the last read, and the UTC day is the same, only the total is read.
 */
export function createCountsReader<T>(
  kv: Kv,
  describe: (counts: Counts, moment: number) => T,
  { now, monotonic, onRun }: CountsReaderOptions,
): () => Promise<T> {
  let last: { day: string; version: string | null; counts: Counts } | undefined;
  const batcher = new Batcher<void, T>({
    async run() {
      const moment = now();
      const day = utcDay(moment);
      const [total] = await readMany(kv, [TOTAL]);
      // Reads all counters if the total cannot be read, because reading them throws the right error.
      if (!total || last?.version !== total.version || last.day !== day) {
        const read = await readCounters(kv, firstCountedDay(moment));
        last = { day, version: read.version, counts: addUpStatistics(read.counters, moment) };
      }
      return describe(last.counts, moment);
    },
    deadlineMs: kv.deadlineMs,
    monotonic,
    ...(onRun && { onRun }),
  });
  // The `!` holds, because the batcher refuses no call: the number of waiting calls has no limit.
  return () => batcher.add()!;
}

/** Reads the number of people that a counter counts; `undefined` if the counter is below zero or cannot be read. */
export async function readCount(kv: Kv, counter: Readonly<Counter>): Promise<number | undefined> {
  try {
    const { value } = await readOne<unknown>(kv, counterKey(counter));
    const count = value ?? 0;
    return typeof count === "number" && count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the number of sign-ups, with which long work shows its progress. */
export const readTotal = (kv: Kv): Promise<number | undefined> => readCount(kv, ["total"]);

/** Reads the number of waiting people; `undefined` if the counter is below zero or cannot be read. */
export const readWaiting = (kv: Kv): Promise<number | undefined> =>
  readCount(kv, ["byState", "waiting"]);

/** How many people with referrals the overview lists at most. */
const TOP_REFERRERS = 10;

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
  // Reads these counters in calls of their own, because the page of the other counters has no room for them.
  const furtherSelectors: Selector[] = [
    mapSelector("acceptedAfter"),
    daysSelector("withAnswers", range.firstDetailedDay),
    daysSelector("wentOn", range.firstWeek),
    daysSelector("withReferral", firstReferralDay(now)),
    ...CAMPAIGN_FIELDS.map((field) => mapSelector(field)),
  ];
  if (range.firstDay < range.firstWeek) {
    furtherSelectors.push(daysSelector("added", range.firstDay, range.firstWeek));
  }
  const readAll = (selector: Selector) => () =>
    Array.fromAsync(pages<number>(kv, selector, { limit: MAX_COUNTERS }));
  const furtherPages = await readSeveral(kv, furtherSelectors.map(readAll));
  const [statistics, top, outbox, outcomes, lastDone] = await readSeveral(kv, [
    () => readCounters(kv, range.firstWeek),
    () => listTopReferrers(kv, TOP_REFERRERS),
    () => readOutbox(kv, today),
    () => readOutcomes(kv, [today, yesterday]),
    () => readLastDone(kv),
  ]);
  const counters = [...statistics.counters, ...furtherPages.flat(2).map(toCounter)];
  const refusals = unusualRefusals(outcomes);
  return {
    ...summarizePeople(counters, now, since),
    referrals: { ...countReferrals(counters, now), top },
    campaigns: countCampaigns(counters),
    outbox,
    ...refusals.length > 0 && { refusals },
    lastDone,
    generatedAt: dateTime(now),
  };
}

/** Reads the part of the overview about the outbox. @param today the UTC day whose sent letters are counted */
async function readOutbox(kv: Kv, today: string): Promise<StoredOverview["outbox"]> {
  const [{ due, held, refused, sent }, oldestDue, mail] = await Promise.all([
    readOutboxCounts(kv, today),
    readFirstDue(kv, ["letters", "invitations", "events"]),
    createMailState(kv).read(),
  ]);
  const pause = mail?.pause;
  return {
    due,
    ...oldestDue < Infinity && { oldestDue: dateTime(oldestDue) },
    held,
    refused,
    sentToday: sent,
    ...pause && {
      pause: {
        since: dateTime(pause.begunAt ?? pause.since),
        until: dateTime(pause.until),
        reason: pause.reason,
      },
    },
  };
}

const dateTime = (moment: number): string => new Date(moment).toISOString();
