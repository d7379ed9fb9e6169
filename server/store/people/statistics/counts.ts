/** Reads the statistics and the overview from their counters. @module */
import type { Counter } from "../../../../shared/counters.ts";
import { unusualRefusals } from "../../../../shared/attention.ts";
import { growthRange } from "../../../../shared/growth.ts";
import type { Runtime } from "../../../runtime/mod.ts";
import { addUp, type Counts, firstCountedDay, summarizePeople } from "../../../waitlist/mod.ts";
import { utcDay } from "../../../waitlist/mod.ts";
import { readLastDone } from "../../audit/mod.ts";
import { createMailState, readFirstDue, readOutboxCounts, readOutcomes } from "../../outbox/mod.ts";
import { Batcher, counterKey, counterOf, daysSelector, type Entry } from "../../kv/mod.ts";
import {
  type Kv,
  mapSelector,
  type OnRun,
  pages,
  readable,
  readMany,
  readOne,
  readPage,
} from "../../kv/mod.ts";
import { type Selector, statisticsSelector, type Unreadable } from "../../kv/mod.ts";

/** More than there can be counters, so the list is one batch and one snapshot, with each commit as a whole. */
const MAX_COUNTERS = 500;

/** Reads the counters since a day, and all others, in one snapshot; the total's version changes with each. */
async function readCounters(kv: Kv, firstDay: string) {
  const entries = await readPage<number>(kv, statisticsSelector(firstDay), { limit: MAX_COUNTERS });
  const total = entries.find(({ key }) => counterOf(key)[0] === "total");
  return { counters: entries.map(toCounter), version: (total && readable(total))?.version ?? null };
}

/**
 * Makes the function that reads the counts and gives what `describe` makes of them and the moment. Calls that arrive
 * while a read is under way share the next one, so that the answer has all that was stored before the call. While no
 * counter moves and the day is the same, a read gets only one key.
 */
export function createCountsReader<T>(
  kv: Kv,
  describe: (counts: Counts, moment: number) => T,
  { now, monotonic, onRun }: Pick<Runtime, "now" | "monotonic"> & { onRun?: OnRun },
): () => Promise<T> {
  let last: { day: string; version: string | null; counts: Counts } | undefined;
  const batcher = new Batcher<void, T>({
    async run() {
      const moment = now();
      const day = utcDay(moment);
      const [total] = await readMany(kv, [TOTAL]);
      // Where the total cannot be read, the read of all counters tells so.
      if (!total || last?.version !== total.version || last.day !== day) {
        const read = await readCounters(kv, firstCountedDay(moment));
        last = { day, version: read.version, counts: addUp(read.counters, moment) };
      }
      return describe(last.counts, moment);
    },
    deadlineMs: kv.deadlineMs,
    monotonic,
    ...(onRun && { onRun }),
  });
  return () => batcher.add() as Promise<T>;
}

const TOTAL = counterKey(["total"]);

/** Reads how many people a counter counts; `undefined` where it is below zero or cannot be read. */
export async function readCount(kv: Kv, counter: Readonly<Counter>): Promise<number | undefined> {
  try {
    const { value } = await readOne<unknown>(kv, counterKey(counter));
    const count = value ?? 0;
    return typeof count === "number" && count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the number of sign-ups, to tell progress. */
export const readTotal = (kv: Kv) => readCount(kv, ["total"]);

/** Reads what the store has of the overview, at a cost that does not grow with the number of people or of letters. */
export async function readOverview(kv: Kv, now: number, since?: string) {
  const queues = ["letters", "invitations", "events"] as const;
  const first = growthRange(utcDay(now), since);
  // No snapshot has them all.
  const further: Selector[] = [
    mapSelector("acceptedAfter"),
    daysSelector("withAnswers", first.withAnswers),
    daysSelector("wentOn", first.weeks),
  ];
  if (first.since < first.weeks) further.push(daysSelector("added", first.since, first.weeks));
  const readAll = (selector: Selector) =>
    Array.fromAsync(pages<number>(kv, selector, { limit: MAX_COUNTERS }));
  const [{ counters }, others, counts, outcomes, mail, lastDone, oldest] = await Promise.all([
    readCounters(kv, first.weeks),
    Promise.all(further.map(readAll)),
    readOutboxCounts(kv, utcDay(now)),
    readOutcomes(kv, [utcDay(now), utcDay(now, 1)]),
    createMailState(kv).read(),
    readLastDone(kv),
    readFirstDue(kv, queues),
  ]);
  const pause = mail?.pause;
  const refusals = unusualRefusals(outcomes);
  return {
    ...summarizePeople([...counters, ...others.flat(2).map(toCounter)], now, since),
    outbox: {
      due: counts.due,
      ...oldest < Infinity && { oldestDue: dateTime(oldest) },
      held: counts.held,
      refused: counts.refused,
      sentToday: counts.sent,
      ...pause && {
        pause: {
          since: dateTime(pause.begunAt ?? pause.since),
          until: dateTime(pause.until),
          reason: pause.reason,
        },
      },
    },
    ...refusals.length > 0 && { refusals },
    lastDone,
    generatedAt: dateTime(now),
  };
}

/**
 * The contract's minimum is 0; `counters verify` shows counters below it.
 * @throws {Error} where the counter cannot be read, because the figures would not equal a recount without it
 */
function toCounter(entry: Entry<number> | Unreadable) {
  const counter = counterOf(entry.key);
  if (!("fault" in entry)) return { counter, count: Math.max(0, entry.value) };
  throw new Error(
    `The counter ${
      counter.join("/")
    } cannot be read; 'waitlist counters repair' makes it anew from the records`,
  );
}

const dateTime = (moment: number): string => new Date(moment).toISOString();
