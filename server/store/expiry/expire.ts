/** Erases people who were asked to confirm and did not (decisions, "The life of a sign-up"). @module */
import { expiryOf } from "../../waitlist/mod.ts";
import { behind, expirySelector, oldPeopleSelector, type OpenKv, readPage } from "../kv/mod.ts";
import { changeRecords, FURTHER_CHECKS, PEOPLE_IN_COMMIT } from "../people/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { findRestore } from "../backup/mod.ts";

const DAY = 24 * 60 * 60 * 1000;

export interface ExpiryOptions {
  /** `UNCONFIRMED_DAYS`. */
  days: number;
  /** Milliseconds since 1970. */
  now: number;
  outbox: OutboxOptions;
  /** Where the next call goes on among those whose letters were not taken; without it, at the oldest of them. */
  cursor?: ExpiryCursor;
  /** Ends the work between two commits. */
  signal: AbortSignal;
}

/** The key behind which the next call begins; absent where it begins anew. */
export interface ExpiryCursor {
  start?: Deno.KvKey | undefined;
}

/** The most people whom a call reads in vain: many of old may have been sent a letter since. */
const MOST_KEPT = 500;

/**
 * Erases people whose time to confirm is over, without a mark, and gives how many; nobody while a restore is under
 * way. Several processes may do so at a time. A list has those whose letters the mail server took. Of all others, the
 * time begins with the sign-up or later, so they are found in the list of the unconfirmed.
 */
export async function expirePeople(
  { kv, engine }: OpenKv,
  { days, now, outbox, cursor = {}, signal }: ExpiryOptions,
): Promise<number> {
  const limit = Math.min(engine.checksPerCommit - FURTHER_CHECKS, PEOPLE_IN_COMMIT);
  // The end of a range is left out.
  const before = new Date(now - days * DAY + 1).toISOString();
  const [taken, old] = [expirySelector(before), oldPeopleSelector("unconfirmed", before)];
  const erased = new Set<string>();

  /** Gives the key behind the people that it read, if the list goes on. */
  async function expireSome(start: Deno.KvKey, end: Deno.KvKey): Promise<Deno.KvKey | undefined> {
    const entries = await readPage(kv, { start, end }, { limit });
    // Read behind the list: a restore whose people are in the list is then found. One that has stored no line,
    // as all of a file were refused, may never end.
    const restore = await findRestore(kv);
    if (restore && !restore.pending) return undefined;
    const emails = entries.map(({ key }) => String(key.at(-1)));
    await changeRecords(
      kv,
      emails.map((email) => ({
        email,
        decide(record) {
          const isOver = record !== undefined && (expiryOf(record, days) ?? Infinity) <= now;
          if (isOver) erased.add(email);
          else erased.delete(email);
          return isOver ? { leaves: "expired", at: now } : "unchanged";
        },
      })),
      { outbox, engine, signal },
    );
    return entries.length < limit ? undefined : behind(entries.at(-1)!.key);
  }

  for (let start: Deno.KvKey | undefined = taken.start; start && !signal.aborted;) {
    start = await expireSome(start, taken.end);
  }
  for (let kept = 0; kept < MOST_KEPT && !signal.aborted;) {
    const before = erased.size;
    cursor.start = await expireSome(cursor.start ?? old.start, old.end);
    if (!cursor.start) break;
    kept += limit - (erased.size - before);
  }
  return erased.size;
}
