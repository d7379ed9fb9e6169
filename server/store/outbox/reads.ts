/**
 * Reads the outbox: what is due, what waits about a person, and how much there is.
 *
 * @module
 */
import type { OutboxItem, Queue, SignUpRecord } from "../../waitlist/mod.ts";
import {
  type DuePosition,
  dueSelector,
  numberOf,
  OUTBOX,
  outboxCountKey,
  outboxKey,
  readInTens,
  withKvDeadline,
} from "../kv/mod.ts";
import { type OutboxEntry, outcomeName } from "./changes.ts";

/**
 * Reads what waits in the outbox about a person. Whatever puts an item in, or takes it out or among the refused
 * ones, changes the person's record, too; so a commit that checks the record may rely on the items.
 */
export async function readItemsOf(kv: Deno.Kv, record: SignUpRecord): Promise<OutboxEntry[]> {
  const keys = (record.outbox ?? []).map(outboxKey);
  const entries = await readInTens(keys, (some) => kv.getMany<OutboxItem[]>(some));
  return entries.flatMap(toOutboxEntry);
}

/** Finds what waits about an address whose record cannot be read, by reading the whole outbox. */
export async function findItemsOf(kv: Deno.Kv, email: string): Promise<OutboxEntry[]> {
  const found: OutboxEntry[] = [];
  for await (const entry of kv.list<OutboxItem>(OUTBOX)) {
    if (entry.value.email === email) found.push(...toOutboxEntry(entry));
  }
  return found;
}

/** Reads items by their ids; `undefined` for one that has gone. */
export async function findItems(
  kv: Deno.Kv,
  ids: string[],
): Promise<(OutboxEntry | undefined)[]> {
  const keys = ids.map(outboxKey);
  const read = () => readInTens(keys, (some) => kv.getMany<OutboxItem[]>(some));
  return (await withKvDeadline(kv, read)).map((entry) => toOutboxEntry(entry)[0]);
}

/**
 * Reads the items of a queue that are due, the oldest first. Positions whose items have gone or moved are removed.
 *
 * @param options.until in milliseconds since 1970; every item if absent
 * @param options.after the position behind which reading begins
 */
export async function readDue(
  kv: Deno.Kv,
  queue: Queue,
  { until, after, limit }: { until?: number; after?: DuePosition | undefined; limit: number },
): Promise<OutboxEntry[]> {
  return await withKvDeadline(kv, async () => {
    // The end of a range is left out.
    const selector = dueSelector(queue, until === undefined ? undefined : until + 1, after);
    const positions = await Array.fromAsync(
      kv.list(selector, { limit, batchSize: Math.min(limit, 500) }),
    );
    const keys = positions.map(({ key }) => outboxKey(String(key[3])));
    const entries = await readInTens(keys, (some) => kv.getMany<OutboxItem[]>(some));
    const due: OutboxEntry[] = [];
    for (const [at, entry] of entries.entries()) {
      const position = positions[at]!;
      const [found] = toOutboxEntry(entry);
      if (found?.item.queue === queue && found.item.dueAt === position.key[2]) due.push(found);
      else await kv.atomic().check(position).delete(position.key).commit();
    }
    return due;
  });
}

/** Reads when the first item of a queue is due, in milliseconds since 1970; `undefined` where it is empty. */
export async function readFirstDue(kv: Deno.Kv, queue: Queue): Promise<number | undefined> {
  const list = kv.list(dueSelector(queue), { limit: 1 });
  const [first] = await withKvDeadline(kv, () => Array.fromAsync(list));
  return first && Number(first.key[2]);
}

/** How many items are due, held back and refused, and how many letters were sent on a UTC day. */
export interface OutboxCounts {
  due: number;
  held: number;
  refused: number;
  sent: number;
}

/** Reads the counts, at a cost that does not grow with the number of items. */
export async function readOutboxCounts(kv: Deno.Kv, day: string): Promise<OutboxCounts> {
  const keys = ["due", "held", "refused", `sent ${day}`].map(outboxCountKey);
  const entries = await withKvDeadline(kv, () => kv.getMany<Deno.KvU64[]>(keys));
  const numbers = entries.map(({ value }) => value ? Math.max(0, numberOf(value)) : 0);
  const [due = 0, held = 0, refused = 0, sent = 0] = numbers;
  return { due, held, refused, sent };
}

/** What became of attempts on a UTC day. */
export interface DayOutcomes {
  about: "letters" | "events";
  day: string;
  sent: number;
  refused: number;
}

/** Reads what became of letters and events on UTC days. */
export async function readOutcomes(kv: Deno.Kv, days: string[]): Promise<DayOutcomes[]> {
  const wanted = days.flatMap((day) =>
    (["letters", "events"] as const).map((about) => ({ about, day }))
  );
  const keys = wanted.flatMap(({ about, day }) =>
    (["sent", "refused"] as const).map((outcome) =>
      outboxCountKey(outcomeName(about, outcome, day))
    )
  );
  const entries = await withKvDeadline(
    kv,
    () => readInTens(keys, (some) => kv.getMany<Deno.KvU64[]>(some)),
  );
  const counts = entries.map(({ value }) => value ? numberOf(value) : 0);
  return wanted.map((each, index) => {
    return { ...each, sent: counts[2 * index]!, refused: counts[2 * index + 1]! };
  });
}

function toOutboxEntry(entry: Deno.KvEntryMaybe<OutboxItem>): OutboxEntry[] {
  return entry.value === null ? [] : [{ id: String(entry.key[1]), item: entry.value, entry }];
}
