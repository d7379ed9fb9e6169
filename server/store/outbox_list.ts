/**
 * Lists what is in the outbox, and tries again what the operator wants to be tried again.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { AuditEntry } from "../../shared/operator_schemas.ts";
import { noteDeliverable } from "../waitlist/life.ts";
import type { OutboxItem, WaitingItem } from "../waitlist/outbox_item.ts";
import { setAuditEntry } from "./audit.ts";
import { withKvDeadline } from "./deadline.ts";
import { type DuePlace, outboxKey } from "./outbox_keys.ts";
import { type OutboxEntry, queueOf } from "./outbox.ts";
import { readDue } from "./outbox_reads.ts";
import { finishItems } from "./outbox_work.ts";

/** Reads items that wait, or refused ones, the oldest first, from the first one or from a place on. */
export async function listOutbox(
  kv: Deno.Kv,
  { refused, after, limit }: { refused: boolean; after?: DuePlace | undefined; limit: number },
): Promise<WaitingItem[]> {
  const queues = refused ? ["refused" as const] : ["letters", "invitations", "events"] as const;
  const lists = await Promise.all(queues.map((queue) => readDue(kv, queue, { after, limit })));
  // Items of one moment are in the order of their ids, as in each queue.
  return lists.flat()
    .sort((a, b) => a.item.dueAt - b.item.dueAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** What {@linkcode retryItems} needs besides KV. */
export interface RetryOptions {
  /** The items; all refused ones if absent. */
  ids?: string[] | undefined;
  /** Milliseconds since 1970. */
  at: number;
  /** How long a process keeps an item that it sends, in milliseconds. */
  leaseMs: number;
  /** The entry of the audit log, which every commit writes. */
  audit?: AuditEntry | undefined;
}

/** Items that are read at once. */
const ITEMS_AT_ONCE = 100;

/**
 * Makes items due at once. An item that waits for a moment within a lease may be on its way, and is left.
 *
 * @returns yields how many it has made due since the last step, and how many it has left
 */
export async function* retryItems(
  kv: Deno.Kv,
  { ids, at, leaseMs, audit }: RetryOptions,
): AsyncGenerator<{ retried: number; left: number }> {
  for (let from = 0;; from += ITEMS_AT_ONCE) {
    const some = ids?.slice(from, from + ITEMS_AT_ONCE);
    const items = some
      ? await findItems(kv, some)
      : await readDue(kv, "refused", { until: at, limit: ITEMS_AT_ONCE });
    const outcomes = await Promise.all(
      items.map((item) => item && retryItem(kv, item, { at, leaseMs, audit })),
    );
    const retried = outcomes.filter((outcome) => outcome).length;
    yield { retried, left: outcomes.length - retried };
    if (ids ? from + ITEMS_AT_ONCE >= ids.length : items.length < ITEMS_AT_ONCE) return;
  }
}

async function findItems(kv: Deno.Kv, ids: string[]): Promise<(OutboxEntry | undefined)[]> {
  return await withKvDeadline(kv, () => {
    return Promise.all(ids.map(async (id) => {
      const entry = await kv.get<OutboxItem>(outboxKey(id));
      return entry.value ? { id, item: entry.value, entry } : undefined;
    }));
  });
}

/** Makes an item due; false where it may be on its way, or has gone. */
async function retryItem(
  kv: Deno.Kv,
  entry: OutboxEntry,
  { at, leaseMs, audit }: RetryOptions,
): Promise<boolean> {
  const { reason: _, ...item } = entry.item;
  if (item.queue !== "refused" && item.dueAt <= at + leaseMs) return false;
  const due = { ...item, queue: queueOf(item.message), dueAt: at, tries: 0 };
  const changed = await finishItems(kv, [{
    entry,
    change: (changes) => changes.move(entry, due),
    ..."letter" in item.message && { changeRecord: noteDeliverable },
    also: (commit) => void setAuditEntry(commit, audit),
  }]);
  if (changed.has(entry.id)) return true;
  // A commit that gave no answer may have gone through.
  const [now] = await findItems(kv, [entry.id]);
  return isDeepStrictEqual(now?.item, due);
}
