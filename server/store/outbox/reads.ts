/**
 * Reads the items of the outbox: items by their ids, and the items of a queue. A function that must find new letters
 * unpacks these letters first (`new_letters.ts`); the functions change nothing else. `due_items.ts` reads the items
 * that the worker sends, and `counts.ts` reads the counters. @module
 */
import { type OutboxItem, type Queue, QUEUES, type WaitingItem } from "../../waitlist/mod.ts";
import {
  type DuePosition,
  duePositionOf,
  dueSelector,
  type Entry,
  type Kv,
  nameOf,
  OUTBOX,
  outboxKey,
  pages,
  readEntries,
  readMany,
  readPage,
} from "../kv/mod.ts";
import type { OutboxEntry } from "./changes.ts";
import { readFirstMoment, readNewLetters, unpackLetters, unpackOldest } from "./new_letters.ts";

/** How many events `listDeliveries()` gives at most. */
const MAX_DELIVERIES = 100;

/**
 * How many of the last items in each queue are read to find events that were tried. The number is larger than
 * `MAX_DELIVERIES`, because some of the items are letters.
 */
const READ_PER_QUEUE = 1_000;

/**
 * Finds items by their ids, such as the ids in a record's `outbox`. An item that is gone or cannot be read is left out.
 *
 * A commit that checks a record can rely on the items that were found by the record's ids. The reason is that each
 * commit that adds or removes an item, or moves an item to or from the refused items, writes the record of the person
 * as well.
 */
export async function findItems(kv: Kv, ids: string[] = []): Promise<OutboxEntry[]> {
  const items = await readItems(kv, ids);
  const missingIds = ids.filter((id) => !items.some((item) => item.id === id));
  if (missingIds.length === 0) return items;
  await unpackLetters(kv, missingIds);
  return await readItems(kv, ids);
}

/**
 * Reads items by their ids, as {@linkcode findItems} does, but changes nothing: letters that are not unpacked yet stay
 * in their common entries. A list of many people uses this function, because their letters can be in many such entries.
 * A letter that is unpacked at this moment may be left out, so no commit may be decided from the items.
 */
export async function peekItems(kv: Kv, ids: string[]): Promise<WaitingItem[]> {
  const items = await readItems(kv, ids);
  const foundIds = new Set(items.map(({ id }) => id));
  return [...items, ...await readNewLetters(kv, ids.filter((id) => !foundIds.has(id)))];
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
export async function findItemsByEmail(kv: Kv, email: string): Promise<OutboxEntry[]> {
  await unpackOldest(kv, { email });
  const items: OutboxEntry[] = [];
  for await (const { entries } of readEntries<OutboxItem>(kv, OUTBOX)) {
    for (const { key, value: item, version } of entries) {
      if (item.email === email) items.push({ id: nameOf(key), item, version });
    }
  }
  return items;
}

/** Selects the items of a queue that are read. */
export interface QueueSelection {
  /** The latest moment at which an item is due, in milliseconds since 1970. By default, every item is read. */
  dueBy?: number;
  /** The position after which reading begins. */
  after?: DuePosition | undefined;
  limit: number;
  /** Whether the items that are due latest come first. */
  reverse?: boolean;
}

/**
 * A page of a queue. An item that cannot be read keeps its position, and is left out of the page. A vacant position that
 * cannot be read is left out as well, because no commit can check its entry.
 */
interface QueuePage {
  items: OutboxEntry[];
  /** The entries of positions without an item: the item is gone, or is at another position now. */
  vacantPositions: Entry<unknown>[];
}

/**
 * Reads a queue, page by page. New letters that are not unpacked yet (`new_letters.ts`) are not read, because they have
 * no place in the queue.
 */
export async function* readQueuePages(
  kv: Kv,
  queue: Queue,
  { dueBy, after, ...options }: Partial<QueueSelection>,
): AsyncGenerator<QueuePage> {
  for await (const positions of pages(kv, dueSelector(queue, dueBy, after), options)) {
    const keys = positions.map(({ key }) => outboxKey(duePositionOf(key).id));
    const entries = await readMany<OutboxItem>(kv, keys);
    const page: QueuePage = { items: [], vacantPositions: [] };
    for (const [index, position] of positions.entries()) {
      const entry = entries[index];
      if (!entry) continue;
      const { at, id } = duePositionOf(position.key);
      const { value: item, version } = entry;
      const isAtPosition = item?.queue === queue && item.dueAt === at;
      if (isAtPosition) page.items.push({ id, item, version: version! });
      else if (!("fault" in position)) page.vacantPositions.push(position);
    }
    yield page;
  }
}

/**
 * Reads the first items of a queue. If it is the queue of letters, first unpacks the new letters (`new_letters.ts`), so
 * that they are among these items.
 */
export async function readFirstItems(
  kv: Kv,
  queue: Queue,
  selection: QueueSelection,
): Promise<OutboxEntry[]> {
  if (queue === "letters") await unpackOldest(kv, selection);
  const items: OutboxEntry[] = [];
  for await (const page of readQueuePages(kv, queue, selection)) {
    items.push(...page.items);
    if (items.length >= selection.limit) break;
  }
  return items.slice(0, selection.limit);
}

/** Reads when the first item of some queues is due, in milliseconds since 1970; `Infinity` if all are empty. */
export async function readFirstDue(kv: Kv, queues: readonly Queue[]): Promise<number> {
  // Looks first at the letters that are not unpacked yet, and then at the queues, because such a letter may move to a
  // queue meanwhile.
  const firstNewLetterAt = queues.includes("letters") ? await readFirstMoment(kv) : Infinity;
  const reads = queues.map((queue) => readPage(kv, dueSelector(queue), { limit: 1 }));
  const positions = (await Promise.all(reads)).flat();
  return Math.min(firstNewLetterAt, ...positions.map(({ key }) => duePositionOf(key).at));
}

/** Selects the items that an operator lists. */
export interface OutboxSelection extends Pick<QueueSelection, "after" | "limit"> {
  /** Whether the refused items are listed; otherwise, the items that wait. */
  refused: boolean;
}

/** Lists the items that wait, or the refused items; the item that is due first comes first. */
export async function listOutbox(
  kv: Kv,
  { refused, after, limit }: OutboxSelection,
): Promise<OutboxEntry[]> {
  const queues = QUEUES.filter((queue) => (queue === "refused") === refused);
  const lists = await Promise.all(
    queues.map((queue) => readFirstItems(kv, queue, { after, limit })),
  );
  // Sorts items of the same moment by their ids, as in each queue.
  return lists.flat()
    .sort((a, b) => a.item.dueAt - b.item.dueAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** Lists the last events that the service tried to deliver, the event with the latest try first. */
export async function listDeliveries(kv: Kv): Promise<OutboxEntry[]> {
  const queues = ["delivered", "events", "refused"] as const;
  // Reads the end of each queue, because events that were tried are due later than events that were not.
  const fromEnd = { limit: READ_PER_QUEUE, reverse: true };
  const lists = await Promise.all(queues.map((queue) => readFirstItems(kv, queue, fromEnd)));
  // Letters, and events that were not tried yet, have no `delivery`.
  const triedEvents = lists.flat().filter(({ item }) => item.delivery !== undefined);
  return triedEvents
    .sort((a, b) => b.item.delivery!.at - a.item.delivery!.at)
    .slice(0, MAX_DELIVERIES);
}
