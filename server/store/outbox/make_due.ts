/**
 * Makes items due before their moments: those that the operator wants to be tried again, and those that were put
 * into the outbox, claimed or postponed by a clock that was ahead.
 *
 * @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { isPlacedAhead, noteDeliverable, type Queue, QUEUES } from "../../waitlist/mod.ts";
import { PAGE_SIZE } from "../kv/mod.ts";
import { type OutboxEntry, queueOf } from "./changes.ts";
import { findItems, readDuePages } from "./reads.ts";
import { type CommitWithRecords, moveItems } from "./work.ts";

/** Which items the operator wants to be tried again. */
export interface RetryOptions {
  /** The items; all refused ones if absent, and those that a clock which was ahead has put ahead. */
  ids?: string[] | undefined;
  /** Milliseconds since 1970. */
  at: number;
  /** How long a process keeps an item that it sends, in milliseconds. */
  leaseMs: number;
  /** The entry of the audit log, which every commit writes. */
  audit?: AuditEntry | undefined;
}

/**
 * Makes items due at once. An item that waits for a moment within a lease may be on its way, and is left.
 *
 * @returns yields how many it has made due since the last step, and how many it has left
 */
export async function* makeDue(
  kv: Deno.Kv,
  { ids, at, leaseMs, audit }: RetryOptions,
  commitWithRecords: CommitWithRecords,
): AsyncGenerator<{ retried: number; left: number }> {
  /** Whether an item was made due; it is not where it may be on its way, or has gone. */
  async function retry(entry: OutboxEntry | undefined): Promise<boolean> {
    if (!entry) return false;
    const { reason: _, ...item } = entry.item;
    const waits = item.queue === "refused" || item.dueAt > at + leaseMs || isPlacedAhead(item, at);
    if (!waits) return false;
    const due = { ...item, queue: queueOf(item.message), placedAt: at, dueAt: at, tries: 0 };
    const lifted = "letter" in item.message && { changeRecord: noteDeliverable };
    const changed = await commitWithRecords(kv, [{ entry, item: due, ...lifted }], audit);
    return changed.has(entry.id);
  }

  for await (const items of ids ? findInParts(kv, ids) : readRetried(kv, at)) {
    const outcomes = await Promise.all(items.map(retry));
    const retried = outcomes.filter((outcome) => outcome).length;
    yield { retried, left: outcomes.length - retried };
  }
}

async function* findInParts(kv: Deno.Kv, ids: string[]) {
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    yield await findItems(kv, ids.slice(from, from + PAGE_SIZE));
  }
}

/** Yields all refused items, and those that a clock which was ahead has put ahead. */
async function* readRetried(kv: Deno.Kv, at: number): AsyncGenerator<OutboxEntry[]> {
  yield* readDuePages(kv, "refused", { until: at });
  for (const queue of QUEUES) yield* readPlacedAhead(kv, queue, at);
}

/** Yields the items of a queue that were put at their positions at a moment which is still to come. */
async function* readPlacedAhead(kv: Deno.Kv, queue: Queue, now: number) {
  for await (const entries of readDuePages(kv, queue, { after: { at: now, id: "" } })) {
    yield entries.filter(({ item }) => isPlacedAhead(item, now));
  }
}

/**
 * Makes the items due that a clock which was ahead has put ahead.
 *
 * @param options.claimed whether those that a process may be sending are made due, too
 * @returns how many were made due
 */
export async function makeAheadDue(
  kv: Deno.Kv,
  { now, claimed }: { now: number; claimed: boolean },
): Promise<number> {
  let made = 0;
  for (const queue of QUEUES.filter((each) => each !== "refused")) {
    for await (const entries of readPlacedAhead(kv, queue, now)) {
      const open = entries.filter(({ item }) => claimed || item.tries === 0);
      const moved = await Promise.all(open.map((entry) => {
        return moveItems(kv, [{ entry, item: { ...entry.item, placedAt: now, dueAt: now } }]);
      }));
      made += moved.filter(({ size }) => size > 0).length;
    }
  }
  return made;
}
