/**
 * What was put into the outbox, claimed or postponed by a clock that was ahead: it does not wait for the moment at
 * which it is due.
 *
 * @module
 */
import { isPlacedAhead, type OutboxItem, type Queue, QUEUES } from "../../waitlist/mod.ts";
import type { DuePosition } from "../kv/mod.ts";
import type { OutboxEntry } from "./changes.ts";
import { readDue } from "./reads.ts";
import { claimItems } from "./commits.ts";

/** How many items are read and moved at once. */
const ITEMS_AT_ONCE = 100;

/** Yields the items of a queue that were put at their positions at a moment which is still to come. */
export async function* readPlacedAhead(
  kv: Deno.Kv,
  queue: Queue,
  now: number,
): AsyncGenerator<OutboxEntry[]> {
  let after: DuePosition = { at: now, id: "" };
  while (true) {
    const entries = await readDue(kv, queue, { after, limit: ITEMS_AT_ONCE });
    const last = entries.at(-1);
    if (!last) return;
    yield entries.filter(({ item }) => isPlacedAhead(item, now));
    after = { at: last.item.dueAt, id: last.id };
  }
}

/**
 * Makes such items due.
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
        const item: OutboxItem = { ...entry.item, placedAt: now, dueAt: now };
        return claimItems(kv, [{ entry, item, change: (changes) => changes.move(entry, item) }]);
      }));
      made += moved.filter(({ size }) => size > 0).length;
    }
  }
  return made;
}
