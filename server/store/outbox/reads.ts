/** Reads the outbox: what is due, what waits about a person, and how much there is; unpacks new letters. @module */
import type { OutboxView } from "../../observe/mod.ts";
import { keepView, type KeptView, type Repeat } from "../../runtime/mod.ts";
import { type OutboxItem, type Queue, QUEUES } from "../../waitlist/mod.ts";
import { type DuePosition, dueSelector, type Entry, type Kv } from "../kv/mod.ts";
import { OUTBOX, outboxCountKey, outboxKey, pages, readAll, readEntries } from "../kv/mod.ts";
import { readMany, readPage } from "../kv/mod.ts";
import { type OutboxEntry, outcomeName } from "./changes.ts";
import { createMailState } from "./mail_state.ts";
import { readFirstMoment, unpackLetters, unpackOldest } from "./new_letters.ts";

/**
 * Finds items by their ids, such as those in a record's `outbox`, and makes items of new letters; an item that has gone
 * or cannot be read is missing. Whatever puts an item in, or takes it out or among the refused ones, changes the person's record, too; so
 * a commit that checks the record may rely on the items whose ids are in it.
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
    return [{ id: String(key[1]), item, version }];
  });
}

/** Finds what waits about an address whose record cannot be read, by a look at the whole outbox. */
export async function findItemsOf(kv: Kv, email: string): Promise<OutboxEntry[]> {
  await unpackOldest(kv, { email });
  const found: OutboxEntry[] = [];
  for await (const { entries } of readEntries<OutboxItem>(kv, OUTBOX)) {
    for (const { key, value: item, version } of entries) {
      if (item.email === email) found.push({ id: String(key[1]), item, version });
    }
  }
  return found;
}

export interface DueSelection {
  /** In milliseconds since 1970; every item if absent. */
  until?: number;
  after?: DuePosition | undefined;
  limit: number;
  /** The latest first; else the oldest. */
  reverse?: boolean;
}

/**
 * Items at positions of a queue, and the positions whose items have gone or are elsewhere. An item that cannot be read
 * is in neither and keeps its position; a vacant position that cannot be read stays, because no commit can check it.
 */
interface QueuePage {
  due: OutboxEntry[];
  vacant: Entry<unknown>[];
}

/** Reads a queue page after page, from a position on or until a moment. New letters are not items of a queue yet. */
export async function* readQueue(
  kv: Kv,
  queue: Queue,
  { until, after, ...options }: Partial<DueSelection>,
): AsyncGenerator<QueuePage> {
  for await (const positions of pages(kv, dueSelector(queue, until, after), options)) {
    const keys = positions.map(({ key }) => outboxKey(String(key[3])));
    const entries = await readMany<OutboxItem>(kv, keys);
    const page: QueuePage = { due: [], vacant: [] };
    for (const [index, position] of positions.entries()) {
      const entry = entries[index];
      if (!entry) continue;
      const [, , dueAt, id] = position.key;
      const { value: item, version } = entry;
      if (item?.queue === queue && item.dueAt === dueAt) {
        page.due.push({ id: String(id), item, version: version! });
      } else if (!("fault" in position)) page.vacant.push(position);
    }
    yield page;
  }
}

/** Reads the first items of a queue, new letters included. A vacant position takes the place of no item. */
export async function readDue(kv: Kv, queue: Queue, selection: DueSelection) {
  if (queue === "letters") await unpackOldest(kv, selection);
  const first: OutboxEntry[] = [];
  for await (const { due } of readQueue(kv, queue, selection)) {
    first.push(...due);
    if (first.length >= selection.limit) break;
  }
  return first.slice(0, selection.limit);
}

/** When the first item of some queues is due, in milliseconds since 1970; `Infinity` where they are empty. */
export async function readFirstDue(kv: Kv, queues: readonly Queue[]): Promise<number> {
  // New letters are read before the queue, as that is where they go.
  const moment = queues.includes("letters") ? await readFirstMoment(kv) : Infinity;
  const firsts = queues.map((queue) => readPage(kv, dueSelector(queue), { limit: 1 }));
  const positions = (await Promise.all(firsts)).flat();
  return Math.min(moment, ...positions.map(({ key }) => Number(key[2])));
}

export interface OutboxSelection extends Pick<DueSelection, "after" | "limit"> {
  /** Whether the refused items are listed, and not those that wait. */
  refused: boolean;
}

/** Reads items that wait, or refused ones, the earliest due first. */
export async function listOutbox(
  kv: Kv,
  { refused, after, limit }: OutboxSelection,
): Promise<OutboxEntry[]> {
  const queues = QUEUES.filter((queue) => (queue === "refused") === refused);
  const lists = await Promise.all(queues.map((queue) => readDue(kv, queue, { after, limit })));
  // Items of one moment are in the order of their ids, as in each queue.
  return lists.flat()
    .sort((a, b) => a.item.dueAt - b.item.dueAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** How many deliveries are listed, and how many of each queue's last items are read to find them: some are letters. */
const LISTED = 100, LOOKED_AT = 1_000;

/** Reads the events whose last tries were the last ones, the newest first. */
export async function listDeliveries(kv: Kv): Promise<OutboxEntry[]> {
  const queues = ["delivered", "events", "refused"] as const;
  // An event that was tried is due later than one that was not.
  const last = { limit: LOOKED_AT, reverse: true };
  const lists = await Promise.all(queues.map((queue) => readDue(kv, queue, last)));
  const triedAt = ({ item }: OutboxEntry) => item.delivery?.at ?? 0;
  return lists.flat().filter(triedAt).sort((a, b) => triedAt(b) - triedAt(a)).slice(0, LISTED);
}

/** Reads counts by their names; a fault may have taken more from one than it had. */
async function readCounts(kv: Kv, names: string[]): Promise<number[]> {
  const keys = names.map(outboxCountKey);
  const entries = await readAll<number>(kv, keys);
  return entries.map(({ value }) => value ? Math.max(0, value) : 0);
}

/** Reads how many items are due, held back and refused, and how many letters were sent on a UTC day. */
export async function readOutboxCounts(kv: Kv, day: string) {
  const [due = 0, held = 0, refused = 0, sent = 0] = await readCounts(
    kv,
    ["due", "held", "refused", outcomeName("letters", "sent", day)],
  );
  return { due, held, refused, sent };
}

export async function readOutcomes(kv: Kv, days: string[]) {
  const kinds = ["letters", "events"] as const;
  const wanted = days.flatMap((day) => kinds.map((about) => ({ about, day })));
  const counts = await readCounts(
    kv,
    wanted.flatMap(({ about, day }) => {
      return [outcomeName(about, "sent", day), outcomeName(about, "refused", day)];
    }),
  );
  return wanted.map((each, index) => {
    return { ...each, sent: counts[2 * index]!, refused: counts[2 * index + 1]! };
  });
}

export function viewOutbox(kv: Kv, repeat: Repeat): Promise<KeptView<OutboxView>> {
  async function read(): Promise<OutboxView> {
    const [due = 0] = await readCounts(kv, ["due"]);
    const pause = (await createMailState(kv).read())?.pause;
    // The letters and events have one count together. There are few events, unless the receiver is away.
    let events = 0;
    for await (const positions of pages(kv, dueSelector("events"))) events += positions.length;
    return { letters: Math.max(0, due - events), events, isPaused: pause !== undefined };
  }
  return keepView(read, { first: { letters: 0, events: 0, isPaused: false }, repeat });
}
