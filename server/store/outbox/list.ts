/**
 * Lists what is in the outbox, and tries again what the operator wants to be tried again.
 *
 * @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { isPlacedAhead, noteDeliverable, QUEUES, type WaitingItem } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import type { DuePosition } from "../kv/mod.ts";
import { type OutboxEntry, queueOf } from "./changes.ts";
import { readPlacedAhead } from "./ahead.ts";
import { finishItems, type WriteRecord } from "./commits.ts";
import { findItems, readDue } from "./reads.ts";

/** Reads items that wait, or refused ones, the oldest first, from the first one or from a position on. */
export async function listOutbox(
  kv: Deno.Kv,
  { refused, after, limit }: { refused: boolean; after?: DuePosition | undefined; limit: number },
): Promise<WaitingItem[]> {
  const queues = QUEUES.filter((queue) => (queue === "refused") === refused);
  const lists = await Promise.all(queues.map((queue) => readDue(kv, queue, { after, limit })));
  // Items of one moment are in the order of their ids, as in each queue.
  return lists.flat()
    .sort((a, b) => a.item.dueAt - b.item.dueAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** What {@linkcode retryItems} needs besides KV. */
export interface RetryOptions {
  /** The items; all refused ones if absent, and those that a clock which was ahead has put ahead. */
  ids?: string[] | undefined;
  /** Milliseconds since 1970. */
  at: number;
  /** How long a process keeps an item that it sends, in milliseconds. */
  leaseMs: number;
  /** The entry of the audit log, which every commit writes. */
  audit?: AuditEntry | undefined;
  writeRecord: WriteRecord;
}

/** Items that are read at once. */
const ITEMS_AT_ONCE = 100;

/**
 * Makes items due at once. An item that waits for a moment within a lease may be on its way, and is left.
 *
 * @returns yields how many it has made due since the last step, and how many it has left
 */
export async function* makeDue(
  kv: Deno.Kv,
  { ids, ...options }: RetryOptions,
): AsyncGenerator<{ retried: number; left: number }> {
  const all = ids ? findAll(kv, ids) : readRetried(kv, options.at);
  for await (const items of all) {
    const outcomes = await Promise.all(items.map((item) => item && retryItem(kv, item, options)));
    const retried = outcomes.filter((outcome) => outcome).length;
    yield { retried, left: outcomes.length - retried };
  }
}

async function* findAll(kv: Deno.Kv, ids: string[]) {
  for (let from = 0; from < ids.length; from += ITEMS_AT_ONCE) {
    yield await findItems(kv, ids.slice(from, from + ITEMS_AT_ONCE));
  }
}

/** Yields all refused items, and those that a clock which was ahead has put ahead. */
async function* readRetried(kv: Deno.Kv, at: number): AsyncGenerator<OutboxEntry[]> {
  for (let count = ITEMS_AT_ONCE; count === ITEMS_AT_ONCE;) {
    const items = await readDue(kv, "refused", { until: at, limit: ITEMS_AT_ONCE });
    count = items.length;
    yield items;
  }
  for (const queue of QUEUES) yield* readPlacedAhead(kv, queue, at);
}

/** Makes an item due; false where it may be on its way, or has gone. */
async function retryItem(
  kv: Deno.Kv,
  entry: OutboxEntry,
  { at, leaseMs, audit, writeRecord }: RetryOptions,
): Promise<boolean> {
  const { reason: _, ...item } = entry.item;
  if (item.queue !== "refused" && item.dueAt <= at + leaseMs && !isPlacedAhead(item, at)) {
    return false;
  }
  const due = { ...item, queue: queueOf(item.message), placedAt: at, dueAt: at, tries: 0 };
  const changed = await finishItems(kv, [{
    entry,
    change: (changes) => changes.move(entry, due),
    ..."letter" in item.message && { changeRecord: noteDeliverable },
    also: (commit) => void setAuditEntry(commit, audit),
  }], writeRecord);
  return changed.has(entry.id);
}
