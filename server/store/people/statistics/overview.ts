import type { Overview } from "../../../../shared/operator_schemas.ts";
import {
  firstDayOfOverview,
  refusalsToName,
  summarizePeople,
  utcDay,
} from "../../../waitlist/mod.ts";
import { counterOf, numberOf, statisticsSelector, withKvDeadline } from "../../kv/mod.ts";
import { readLastDone } from "../../audit/mod.ts";
import { createMailState, readFirstDue, readOutboxCounts, readOutcomes } from "../../outbox/mod.ts";

/** More than there can be counters, so that they are read in one snapshot. */
const BATCH_SIZE = 500;

/** The part of the overview that is in the store. */
export type StoredOverview = Omit<Overview, "sendsLetters" | "warnings">;

/** The cost does not grow with the number of people or of letters. */
export async function readOverview(kv: Deno.Kv, now: number): Promise<StoredOverview> {
  const list = kv.list<Deno.KvU64>(statisticsSelector(firstDayOfOverview(now)), {
    batchSize: BATCH_SIZE,
  });
  const queues = ["letters", "invitations", "events"] as const;
  const [entries, counts, outcomes, mail, lastDone, ...firsts] = await Promise.all([
    withKvDeadline(kv, () => Array.fromAsync(list)),
    readOutboxCounts(kv, utcDay(now)),
    readOutcomes(kv, [utcDay(now), utcDay(now, 1)]),
    createMailState(kv).read(),
    readLastDone(kv),
    ...queues.map((queue) => readFirstDue(kv, queue)),
  ]);
  const counters = entries.map(({ key, value }) => {
    return { counter: counterOf(key), count: Math.max(0, numberOf(value)) };
  });
  const oldest = Math.min(...firsts.map((first) => first ?? Infinity));
  const pause = mail?.pause;
  const refusals = refusalsToName(outcomes);
  return {
    ...summarizePeople(counters, now),
    outbox: {
      due: counts.due,
      ...oldest < Infinity && { oldestDue: dateTime(oldest) },
      held: counts.held,
      refused: counts.refused,
      sentToday: counts.sent,
      ...pause && { pause: { until: dateTime(pause.until), reason: pause.reason } },
    },
    ...refusals.length > 0 && { refusals },
    lastDone,
    generatedAt: dateTime(now),
  };
}

function dateTime(moment: number): string {
  return new Date(moment).toISOString();
}
