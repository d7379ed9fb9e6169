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
 * @returns how many entries were looked at
 */
export async function expirePeople(
  { kv, engine }: OpenKv,
  { days, now, outbox, signal }: ExpiryOptions,
): Promise<number> {
  if (await findRestore(kv)) return 0;
  const limit = Math.min(engine.checksPerCommit - FURTHER_CHECKS, PEOPLE_IN_COMMIT);
  // The end of a range is left out.
  const selector = expirySelector(new Date(now - days * DAY + 1).toISOString());
  let looked = 0;
  for (let start: Deno.KvKey = selector.start; !signal.aborted;) {
    const list = kv.list({ start, end: selector.end }, { limit });
    const entries = await withKvDeadline(kv, () => Array.fromAsync(list));
    const emails = entries.map(({ key }) => String(key[2]));
    await changeRecords(
      kv,
      emails.map((email) => ({
        email,
        decide(record) {
          const isOver = record && (expiryOf(record, days) ?? Infinity) <= now;
          return isOver ? { leaves: "expired" } : undefined;
        },
      })),
      { outbox, at: now, signal },
    );
    looked += entries.length;
    if (entries.length < limit) break;
    start = [...entries.at(-1)!.key, new Uint8Array()];
  }
  return looked;
}
