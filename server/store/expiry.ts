/**
 * Erases people who were asked to confirm and did not (decisions, "The life of a sign-up").
 *
 * @module
 */
import { expiryOf } from "../waitlist/life.ts";
import { withKvDeadline } from "./deadline.ts";
import { expirySelector } from "./people_keys.ts";
import type { OpenKv } from "./open.ts";
import type { OutboxOptions } from "./outbox.ts";
import { changeRecords, FURTHER_CHECKS, PEOPLE_IN_COMMIT } from "./record_changes.ts";
import { findRestore } from "./restores.ts";

const DAY = 24 * 60 * 60 * 1000;

/** What {@linkcode expirePeople} needs besides KV. */
export interface ExpiryOptions {
  /** `UNCONFIRMED_DAYS`. */
  days: number;
  /** Milliseconds since 1970. */
  now: number;
  outbox: OutboxOptions;
  /** Ends the work between two commits. */
  signal: AbortSignal;
}

/**
 * Erases all people whose time to confirm is over, without a mark; nobody while a restore is under way. Several
 * processes may do so at the same time.
 *
 * @returns how many people were erased
 */
export async function expirePeople(
  { kv, engine }: OpenKv,
  { days, now, outbox, signal }: ExpiryOptions,
): Promise<number> {
  const limit = Math.min(engine.checksPerCommit - FURTHER_CHECKS, PEOPLE_IN_COMMIT);
  // The end of a range is left out.
  const selector = expirySelector(new Date(now - days * DAY + 1).toISOString());
  const erased = new Set<string>();
  for (let start: Deno.KvKey = selector.start; !signal.aborted;) {
    const list = kv.list({ start, end: selector.end }, { limit });
    const entries = await withKvDeadline(kv, () => Array.fromAsync(list));
    // Read behind the list: a restore whose people are in the list is then found. One that has stored no line,
    // as all of a file were refused, may never end.
    const restore = await findRestore(kv);
    if (restore && !restore.pending) break;
    const emails = entries.map(({ key }) => String(key[2]));
    await changeRecords(
      kv,
      emails.map((email) => ({
        email,
        decide(record) {
          // Who has gone was erased by a commit that gave no answer, or by another process.
          if (!record) return undefined;
          const isOver = (expiryOf(record, days) ?? Infinity) <= now;
          if (isOver) erased.add(email);
          else erased.delete(email);
          return isOver ? { leaves: "expired" } : undefined;
        },
      })),
      { outbox, at: now, signal },
    );
    if (entries.length < limit) break;
    start = [...entries.at(-1)!.key, new Uint8Array()];
  }
  return erased.size;
}
