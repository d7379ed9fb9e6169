/**
 * Reads the outbox: single items, the items of a queue, and the counters. The functions that must find new letters
 * first unpack them (`new_letters.ts`). Apart from this, they change nothing. @module
 */
import type { OutboxView } from "../../observe/mod.ts";
import { refreshEachMinute, type RefreshedValue, type Repeat } from "../../runtime/mod.ts";
import { type OutboxItem, type Queue, QUEUES } from "../../waitlist/mod.ts";
import {
  type DuePosition,
  duePositionOf,
  dueSelector,
  type Entry,
  type Kv,
  nameOf,
  OUTBOX,
  outboxCountKey,
  outboxKey,
  pages,
  readAll,
  readEntries,
  readMany,
  readPage,
} from "../kv/mod.ts";
import { type OutboxEntry, outcomeName } from "./changes.ts";
import { createMailState } from "./mail_state.ts";
import { readFirstMoment, unpackLetters, unpackOldest } from "./new_letters.ts";

/**
 * Finds items by their ids, such as the ids in a record's `outbox`. An item that is gone or cannot be read is left out.
 *
 * A commit that checks a record can rely on what was found by the record's ids. The reason is that each commit that
 * adds or removes an item, or moves an item to or from the refused items, writes the record of the person as well.
 */
export async function findItems(kv: Kv, ids: string[] = []): Promise<OutboxEntry[]> {
  const found = await readItems(kv, ids);
  const missing = ids.filter((id) => !found.some((entry) => entry.id === id));
  if (missing.length === 0) return found;
  await unpackLetters(kv, missing);
  return await readItems(kv, ids);
}

async function readItems(kv: Kv, ids: string[]): Promise<OutboxEntry[]> {
  const entries = await readMany<OutboxItem>(kv, ids.map(outboxKey));
  return entries.flatMap((entry) => {
    if (!entry?.value) return [];
    const { key, value: item, version } = entry;
    return [{ id: nameOf(key), item, version }];
  });
}

/** Finds the items about an address whose record cannot be read. Reads the whole outbox. */
export async function findItemsOf(kv: Kv, email: string): Promise<OutboxEntry[]> {
  await unpackOldest(kv, { email });
  const found: OutboxEntry[] = [];
  for await (const { entries } of readEntries<OutboxItem>(kv, OUTBOX)) {
    for (const { key, value: item, version } of entries) {
      if (item.email === email) found.push({ id: nameOf(key), item, version });
    }
  }
  return found;
}

/** Selects the items of a queue that are read. */
export interface DueSelection {
  /** The latest moment at which an item is due, in milliseconds since 1970. By default, every item is read. */
  until?: number;
  /** The position after which reading begins. */
  after?: DuePosition | undefined;
  limit: number;
  /** Whether the items that are due latest come first. */
  reverse?: boolean;
}

/**
 * A page of a queue. An item that cannot be read is neither in `due` nor in `vacant`, and keeps its position. A vacant
 * position that cannot be read is left out, because no commit can check its entry.
 */
interface QueuePage {
  due: OutboxEntry[];
  /** The entries of positions without an item: the item is gone, or is at another position now. */
  vacant: Entry<unknown>[];
}

/**
 * Reads a queue, page by page. New letters that are not unpacked yet (`new_letters.ts`) are not read, because they have
 * no place in the queue.
 */
export async function* readQueue(
  kv: Kv,
  queue: Queue,
  { until, after, ...options }: Partial<DueSelection>,
): AsyncGenerator<QueuePage> {
  for await (const positions of pages(kv, dueSelector(queue, until, after), options)) {
    const keys = positions.map(({ key }) => outboxKey(duePositionOf(key).id));
    const entries = await readMany<OutboxItem>(kv, keys);
    const page: QueuePage = { due: [], vacant: [] };
    for (const [index, position] of positions.entries()) {
      const entry = entries[index];
      if (!entry) continue;
      const { at, id } = duePositionOf(position.key);
      const { value: item, version } = entry;
      if (item?.queue === queue && item.dueAt === at) {
        page.due.push({ id, item, version: version! });
      } else if (!("fault" in position)) page.vacant.push(position);
    }
    yield page;
  }
}

/**
 * Reads the first items of a queue. First unpacks new letters (`new_letters.ts`), so that they are among these items.
 */
export async function readDue(
  kv: Kv,
  queue: Queue,
  selection: DueSelection,
): Promise<OutboxEntry[]> {
  if (queue === "letters") await unpackOldest(kv, selection);
  const first: OutboxEntry[] = [];
  for await (const { due } of readQueue(kv, queue, selection)) {
    first.push(...due);
    if (first.length >= selection.limit) break;
  }
  return first.slice(0, selection.limit);
}

/** Reads when the first item of some queues is due, in milliseconds since 1970; `Infinity` if they are empty. */
export async function readFirstDue(kv: Kv, queues: readonly Queue[]): Promise<number> {
  // Looks first at the letters that are not unpacked yet, and then at the queues, because such a letter may move to a
  // queue meanwhile.
  const moment = queues.includes("letters") ? await readFirstMoment(kv) : Infinity;
  const firsts = queues.map((queue) => readPage(kv, dueSelector(queue), { limit: 1 }));
  const positions = (await Promise.all(firsts)).flat();
  return Math.min(moment, ...positions.map(({ key }) => duePositionOf(key).at));
}

/** Selects the items that an operator lists. */
export interface OutboxSelection extends Pick<DueSelection, "after" | "limit"> {
  /** Whether the refused items are listed; otherwise, the items that wait. */
  refused: boolean;
}

/** Lists the items that wait, or the refused items; the item that is due first comes first. */
export async function listOutbox(
  kv: Kv,
  { refused, after, limit }: OutboxSelection,
): Promise<OutboxEntry[]> {
  const queues = QUEUES.filter((queue) => (queue === "refused") === refused);
  const lists = await Promise.all(queues.map((queue) => readDue(kv, queue, { after, limit })));
  // Sorts items of the same moment by their ids, as in each queue.
  return lists.flat()
    .sort((a, b) => a.item.dueAt - b.item.dueAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** How many events `listDeliveries()` gives at most. */
const MAX_DELIVERIES = 100;

/**
 * How many of the last items in each queue are read to find events that were tried. The number is larger than
 * `MAX_DELIVERIES`, because some of the items are letters.
 */
const READ_PER_QUEUE = 1_000;

/** Lists the last events that the service tried to deliver, the event with the latest try first. */
export async function listDeliveries(kv: Kv): Promise<OutboxEntry[]> {
  const queues = ["delivered", "events", "refused"] as const;
  // Reads the end of each queue, because events that were tried are due later than others.
  const last = { limit: READ_PER_QUEUE, reverse: true };
  const lists = await Promise.all(queues.map((queue) => readDue(kv, queue, last)));
  const triedAt = ({ item }: OutboxEntry) => item.delivery?.at ?? 0;
  return lists.flat()
    .filter(triedAt)
    .sort((a, b) => triedAt(b) - triedAt(a))
    .slice(0, MAX_DELIVERIES);
}

/** Reads counters by their names. A counter that a fault has moved below zero is read as 0. */
async function readCounts(kv: Kv, names: string[]): Promise<number[]> {
  const keys = names.map(outboxCountKey);
  const entries = await readAll<number>(kv, keys);
  return entries.map(({ value }) => value ? Math.max(0, value) : 0);
}

/** The counts of the outbox. */
interface OutboxCounts {
  /** The number of items that are due. */
  due: number;
  /** The number of letters that wait because of the letter limit of a client network. */
  held: number;
  /** The number of refused items. */
  refused: number;
  /** The number of letters that were sent on one UTC day. */
  sent: number;
}

/** Reads the counts of the outbox from their counters. @param day the UTC day of the sent letters */
export async function readOutboxCounts(kv: Kv, day: string): Promise<OutboxCounts> {
  const [due = 0, held = 0, refused = 0, sent = 0] = await readCounts(
    kv,
    ["due", "held", "refused", outcomeName("letters", "sent", day)],
  );
  return { due, held, refused, sent };
}

/** How many letters or events were sent on a UTC day, and how many were refused for good. */
interface DayOutcomes {
  about: "letters" | "events";
  day: string;
  sent: number;
  refused: number;
}

/** Reads the outcomes of each UTC day, for letters and for events. */
export async function readOutcomes(kv: Kv, days: string[]): Promise<DayOutcomes[]> {
  const kinds = ["letters", "events"] as const;
  const wanted = days.flatMap((day) => kinds.map((about) => ({ about, day })));
  const counts = await readCounts(
    kv,
    wanted.flatMap(({ about, day }) => {
      return [outcomeName(about, "sent", day), outcomeName(about, "refused", day)];
    }),
  );
  return wanted.map(({ about, day }, index) => {
    return { about, day, sent: counts[2 * index]!, refused: counts[2 * index + 1]! };
  });
}

/** Reads the figures of the outbox each minute, so that the metrics have these figures without waiting. */
export function viewOutbox(kv: Kv, repeat: Repeat): Promise<RefreshedValue<OutboxView>> {
  async function read(): Promise<OutboxView> {
    const [due = 0] = await readCounts(kv, ["due"]);
    const pause = (await createMailState(kv).read())?.pause;
    // Letters and events share the counter of due items, so the events are counted by a read of their queue. The queue
    // is short unless the receiver does not answer.
    let events = 0;
    for await (const positions of pages(kv, dueSelector("events"))) events += positions.length;
    return { letters: Math.max(0, due - events), events, isPaused: pause !== undefined };
  }
  return refreshEachMinute(read, {
    initial: { letters: 0, events: 0, isPaused: false },
    repeat,
  });
}
