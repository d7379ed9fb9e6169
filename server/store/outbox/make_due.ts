/** Makes items due before their moments: for the operator, and after a clock was ahead. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { isSkewed, noteDeliverable, type Queue, QUEUES } from "../../waitlist/mod.ts";
import { type Kv, PAGE_SIZE } from "../kv/mod.ts";
import { type OutboxEntry, queueOf } from "./changes.ts";
import { unpackOldest } from "./new_letters.ts";
import { findItems, readQueue } from "./reads.ts";
import { type CommitWithRecords, moveItems } from "./work.ts";

export interface RetryOptions {
  /** All refused items if absent, and those that a clock which was ahead has scheduled. */
  ids?: string[] | undefined;
  at: number;
  leaseMs: number;
  audit?: AuditEntry | undefined;
}

/**
 * Makes items due at once, but for those that wait for a moment within a lease, which may be on their way. Yields how
 * many it has made due and has left since the last step.
 */
export async function* makeDue(
  kv: Kv,
  { ids, at, leaseMs, audit }: RetryOptions,
  commitWithRecords: CommitWithRecords,
): AsyncGenerator<{ retried: number; left: number }> {
  /** False where the item may be on its way, or has gone. */
  async function retry(entry: OutboxEntry | undefined): Promise<boolean> {
    if (!entry) return false;
    const { reason: _, ...item } = entry.item;
    const isKept = item.queue === "refused" || item.queue === "delivered" && item.email !== "";
    if (!isKept && item.dueAt <= at + leaseMs && !isSkewed(item, at)) return false;
    const due = { ...item, queue: queueOf(item.message), placedAt: at, dueAt: at, tries: 0 };
    const lifted = "letter" in item.message && { changeRecord: noteDeliverable };
    const changed = await commitWithRecords(kv, [{ entry, item: due, ...lifted }], audit);
    return changed.has(entry.id);
  }

  for await (const items of readRetried(kv, ids, at)) {
    const outcomes = await Promise.all(items.map(retry));
    const retried = outcomes.filter((outcome) => outcome).length;
    yield { retried, left: outcomes.length - retried };
  }
}

async function* readRetried(kv: Kv, ids: string[] | undefined, at: number) {
  if (ids) {
    const rest = [...ids];
    while (rest.length > 0) {
      const some = rest.splice(0, PAGE_SIZE);
      const found = await findItems(kv, some);
      yield some.map((id) => found.find((entry) => entry.id === id));
    }
    return;
  }
  for await (const { due } of readQueue(kv, "refused", { until: at })) yield due;
  for (const queue of QUEUES) yield* readSkewed(kv, queue, at);
}

/** Yields the items of a queue that a clock which was ahead has scheduled. */
async function* readSkewed(kv: Kv, queue: Queue, now: number) {
  if (queue === "letters") await unpackOldest(kv, { from: now });
  for await (const { due } of readQueue(kv, queue, { after: { at: now, id: "" } })) {
    yield due.filter(({ item }) => isSkewed(item, now));
  }
}

/** Makes those items due; of those that a process may be sending, only where `claimed`. Gives how many. */
export async function rescheduleSkewed(
  kv: Kv,
  { now, claimed }: { now: number; claimed: boolean },
): Promise<number> {
  let made = 0;
  for (const queue of QUEUES.filter((each) => each !== "refused")) {
    for await (const entries of readSkewed(kv, queue, now)) {
      const open = entries.filter(({ item }) => claimed || item.tries === 0);
      const moved = await Promise.all(open.map((entry) => {
        return moveItems(kv, [{ entry, item: { ...entry.item, placedAt: now, dueAt: now } }]);
      }));
      made += moved.filter(({ size }) => size > 0).length;
    }
  }
  return made;
}
