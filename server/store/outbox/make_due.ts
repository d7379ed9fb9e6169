/**
 * Makes items due earlier: items that an operator retries, and items whose due time is too late, because the clock that
 * set it was ahead. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  CLOCK_TOLERANCE_MS,
  isSkewed,
  noteDeliverable,
  type Queue,
  QUEUES,
} from "../../waitlist/mod.ts";
import { type Kv, PAGE_SIZE } from "../kv/mod.ts";
import { type OutboxEntry, queueOf } from "./changes.ts";
import { type CommitWithRecords, moveItems } from "./item_commits.ts";
import { unpackOldest } from "./new_letters.ts";
import { findItems, readQueue } from "./reads.ts";

/** Which items are made due, and when. */
export interface RetryOptions {
  /** The ids of the items to make due. */
  ids?: string[] | undefined;
  /**
   * Whether to make the items due whose last attempt failed. Letters that wait because of a letter limit stay. Without
   * `waiting` and without `ids`, two kinds of items are made due: all refused items, and all items whose due time is
   * too late because the clock that set it was ahead.
   */
  waiting?: boolean | undefined;
  /** The clock, in milliseconds since 1970. It goes on while the items are read. */
  now: () => number;
  /** How long a claim of an item lasts, in milliseconds. Meanwhile, a process may be sending the item. */
  leaseMs: number;
  audit?: AuditEntry | undefined;
}

/**
 * Makes items due at once. An item that would become due within a lease stays as it is, because a process whose clock
 * is ahead, by as much as the service allows, may be sending it. Yields, for the items since the last step, how many
 * are due now and how many stay as they are.
 */
export async function* makeDue(
  kv: Kv,
  options: RetryOptions,
  commitWithRecords: CommitWithRecords,
): AsyncGenerator<{ retried: number; left: number }> {
  const { now, leaseMs, audit, waiting } = options;
  /** Makes an item due. @returns `false` if a process may be sending the item, or if the item is gone */
  async function retry(entry: OutboxEntry | undefined): Promise<boolean> {
    if (!entry) return false;
    const { reason: _, ...item } = entry.item;
    const at = now();
    const claimEnd = at + leaseMs + CLOCK_TOLERANCE_MS;
    // A delivered event can be sent again only with its address, which is removed when the person leaves.
    const isAtRest = item.queue === "refused" || item.queue === "delivered" && item.email !== "";
    if (!isAtRest && item.dueAt <= claimEnd && !isSkewed(item, at)) return false;
    const due = { ...item, queue: queueOf(item.message), placedAt: at, dueAt: at, tries: 0 };
    // With `waiting`, the operator has not chosen this letter itself, so an undeliverable person stays undeliverable.
    const lifted = "letter" in item.message && !waiting && { changeRecord: noteDeliverable };
    const changed = await commitWithRecords(kv, [{ entry, item: due, ...lifted }], audit);
    return changed.has(entry.id);
  }

  for await (const items of readRetried(kv, options)) {
    const outcomes = await Promise.all(items.map(retry));
    const retried = outcomes.filter((outcome) => outcome).length;
    yield { retried, left: outcomes.length - retried };
  }
}

/** Yields, in pages, the items to make due; `undefined` stands for an id whose item is gone. */
async function* readRetried(
  kv: Kv,
  { ids, waiting, now, leaseMs }: RetryOptions,
): AsyncGenerator<(OutboxEntry | undefined)[]> {
  const at = now();
  if (ids) {
    const rest = [...ids];
    while (rest.length > 0) {
      const page = rest.splice(0, PAGE_SIZE);
      const found = await findItems(kv, page);
      yield page.map((id) => found.find((entry) => entry.id === id));
    }
    return;
  }
  if (waiting) {
    for (const queue of QUEUES) {
      if (queue !== "held" && queue !== "refused") yield* readFailed(kv, queue, at + leaseMs);
    }
    return;
  }
  for await (const { due } of readQueue(kv, "refused", { until: at })) yield due;
  for (const queue of QUEUES) yield* readSkewed(kv, queue, at);
}

/**
 * Yields, in pages, the items of a queue whose last attempt failed and whose next attempt is later than a moment.
 * @param moment milliseconds since 1970
 */
async function* readFailed(kv: Kv, queue: Queue, moment: number): AsyncGenerator<OutboxEntry[]> {
  for await (const { due } of readQueue(kv, queue, { after: { at: moment + 1, id: "" } })) {
    yield due.filter(({ item }) => item.tries > 0);
  }
}

/** Yields, in pages, the items of a queue whose due times are too late, because the clock that set them was ahead. */
async function* readSkewed(kv: Kv, queue: Queue, now: number): AsyncGenerator<OutboxEntry[]> {
  if (queue === "letters") await unpackOldest(kv, { from: now });
  for await (const { due } of readQueue(kv, queue, { after: { at: now, id: "" } })) {
    yield due.filter(({ item }) => isSkewed(item, now));
  }
}

/**
 * Makes those items due whose due times are too late, because the clock that set them was ahead.
 * @param options.now the present moment, in milliseconds since 1970
 * @param options.includesClaimed whether to change claimed items as well, which another process may be sending
 * @returns the number of items that are due now
 */
export async function rescheduleSkewed(
  kv: Kv,
  { now, includesClaimed }: { now: number; includesClaimed: boolean },
): Promise<number> {
  let made = 0;
  for (const queue of QUEUES.filter((name) => name !== "refused")) {
    for await (const entries of readSkewed(kv, queue, now)) {
      const open = entries.filter(({ item }) => includesClaimed || item.tries === 0);
      const moved = await Promise.all(open.map((entry) => {
        return moveItems(kv, [{ entry, item: { ...entry.item, placedAt: now, dueAt: now } }]);
      }));
      made += moved.filter(({ size }) => size > 0).length;
    }
  }
  return made;
}
