/**
 * Makes items due earlier: items that an operator retries, and items whose due time is too late, because the clock that
 * set it was ahead. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  CLOCK_TOLERANCE_MS,
  isPlacedByWrongClock,
  noteDeliverable,
  type OutboxItem,
  type Queue,
  QUEUES,
} from "../../waitlist/mod.ts";
import { type Kv, PAGE_SIZE } from "../kv/mod.ts";
import { type OutboxEntry, queueOf } from "./changes.ts";
import { changeItems, type ChangeItemsWithRecords } from "./item_commits.ts";
import { unpackOldest } from "./new_letters.ts";
import { findItems, readQueuePages } from "./reads.ts";

/** Which items an operator makes due by a retry. */
export type ItemsToRetry =
  /** The items with these ids. */
  | { ids: string[] }
  /** The items whose last attempt failed, except letters that wait because of a letter limit. */
  | "waiting"
  /** All refused items, and all items whose due time is too late because the clock that set it was ahead. */
  | "refused";

/** The options of {@linkcode makeDue}. */
export interface RetryOptions {
  which: ItemsToRetry;
  /** The clock, in milliseconds since 1970. It goes on while the items are read. */
  now: () => number;
  /** How long a claim of an item lasts, in milliseconds. Meanwhile, a process may be sending the item. */
  leaseMs: number;
  audit?: AuditEntry | undefined;
}

/**
 * Makes items due at once. An item that will be due within a lease stays unchanged, because a process may be sending the
 * item. Yields after each page of items: how many items of the page are due now, and how many are unchanged.
 */
export async function* makeDue(
  kv: Kv,
  options: RetryOptions,
  commitWithRecords: ChangeItemsWithRecords,
): AsyncGenerator<{ retried: number; unchanged: number }> {
  const { which, now, leaseMs, audit } = options;
  /** Makes an item due. @returns `false` if a process may be sending the item, or if the item has changed or is gone */
  async function makeItemDue(entry: OutboxEntry | undefined): Promise<boolean> {
    if (!entry) return false;
    const { reason: _, ...item } = entry.item;
    const at = now();
    const mayBeSending = !isAtRest(item) && item.dueAt <= latestClaimEnd(at, leaseMs);
    if (mayBeSending && !isPlacedByWrongClock(item, at)) return false;
    // A refused letter is put into the outbox again, so that the log of letters keeps the refusal.
    const isPutAgain = item.queue === "refused" && "letter" in item.message;
    const dueItem: OutboxItem = {
      ...item,
      ...isPutAgain && { putAgainAt: at },
      queue: queueOf(item.message),
      placedAt: at,
      dueAt: at,
      tries: 0,
    };
    // A letter that an operator retries makes its person deliverable. With `waiting`, the operator has not chosen this
    // letter in particular, so an undeliverable person stays undeliverable.
    const recordChange = "letter" in item.message && which !== "waiting" &&
      { changeRecord: noteDeliverable };
    const change = { entry, item: dueItem, ...recordChange };
    const changedItems = await commitWithRecords(kv, [change], audit);
    return changedItems.has(entry.id);
  }

  for await (const items of readItemsToRetry(kv, options)) {
    const areMadeDue = await Promise.all(items.map(makeItemDue));
    const retriedCount = areMadeDue.filter(Boolean).length;
    yield { retried: retriedCount, unchanged: items.length - retriedCount };
  }
}

/**
 * Whether no process sends an item until an operator makes the item due. This is true of a refused item and of a
 * delivered event. A delivered event without an address does not count, because its person has left, so the event
 * cannot be sent again (`toDeliveredEvent()`).
 */
const isAtRest = ({ queue, email }: OutboxItem): boolean =>
  queue === "refused" || (queue === "delivered" && email !== "");

/**
 * Gives the latest possible end of a claim that a process has now. The clock of the process may be ahead by the
 * tolerance. All moments are in milliseconds since 1970.
 */
const latestClaimEnd = (now: number, leaseMs: number): number => now + leaseMs + CLOCK_TOLERANCE_MS;

/** Yields, in pages, the items to make due; `undefined` stands for an id whose item is gone. */
async function* readItemsToRetry(
  kv: Kv,
  { which, now, leaseMs }: RetryOptions,
): AsyncGenerator<(OutboxEntry | undefined)[]> {
  const at = now();
  switch (which) {
    case "waiting":
      for (const queue of QUEUES) {
        if (queue === "held" || queue === "refused") continue;
        yield* readFailed(kv, queue, latestClaimEnd(at, leaseMs));
      }
      return;
    case "refused":
      for await (const { items } of readQueuePages(kv, "refused", { dueBy: at })) yield items;
      for (const queue of QUEUES) yield* readPlacedByWrongClock(kv, queue, at);
      return;
    default:
      yield* readByIds(kv, which.ids);
  }
}

/** Yields, in pages, the items with these ids; `undefined` for an id whose item is gone. */
async function* readByIds(kv: Kv, ids: string[]): AsyncGenerator<(OutboxEntry | undefined)[]> {
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    const page = ids.slice(from, from + PAGE_SIZE);
    const entries = await findItems(kv, page);
    yield page.map((id) => entries.find((entry) => entry.id === id));
  }
}

/**
 * Yields, in pages, the items of a queue whose last attempt failed and whose next attempt is later than a moment.
 * @param moment milliseconds since 1970
 */
async function* readFailed(kv: Kv, queue: Queue, moment: number): AsyncGenerator<OutboxEntry[]> {
  for await (const { items } of readQueuePages(kv, queue, { after: { at: moment + 1, id: "" } })) {
    yield items.filter(({ item }) => item.tries > 0);
  }
}

/** Yields, in pages, the items of a queue whose due times are too late, because the clock that set them was ahead. */
async function* readPlacedByWrongClock(
  kv: Kv,
  queue: Queue,
  now: number,
): AsyncGenerator<OutboxEntry[]> {
  if (queue === "letters") await unpackOldest(kv, { since: now });
  for await (const { items } of readQueuePages(kv, queue, { after: { at: now, id: "" } })) {
    yield items.filter(({ item }) => isPlacedByWrongClock(item, now));
  }
}

/**
 * Makes items due at once if their due times are too late, because the clock that set these times was ahead.
 * @param options.now the present moment, in milliseconds since 1970
 * @param options.includesClaimed whether to change items with an attempt (`tries` above 0) as well. Another process may
 * be sending such an item, or the attempt has failed
 * @returns the number of items that were made due
 */
export async function rescheduleSkewed(
  kv: Kv,
  { now, includesClaimed }: { now: number; includesClaimed: boolean },
): Promise<number> {
  let madeDueCount = 0;
  for (const queue of QUEUES.filter((name) => name !== "refused")) {
    for await (const entries of readPlacedByWrongClock(kv, queue, now)) {
      const changeableItems = entries.filter(({ item }) => includesClaimed || item.tries === 0);
      const commits = await Promise.all(changeableItems.map((entry) => {
        return changeItems(kv, [{ entry, item: { ...entry.item, placedAt: now, dueAt: now } }]);
      }));
      madeDueCount += commits.filter((changedItems) => changedItems.size > 0).length;
    }
  }
  return madeDueCount;
}
