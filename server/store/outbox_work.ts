/**
 * What the outbox worker does in the store: it claims items with a lease, and writes what became of them. Changes
 * that come together share a commit.
 *
 * @module
 */
import { noteTaken, noteUndeliverable } from "../waitlist/life.ts";
import { type OutboxItem, type Queue, withoutItem } from "../waitlist/outbox_item.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { CounterChanges } from "../waitlist/statistics.ts";
import { Batcher } from "./batcher.ts";
import { deadlineOf, untilKnown, withKvDeadline } from "./deadline.ts";
import { addressOf, SCHEMA, signUpKey } from "./keys.ts";
import type { Engine } from "./open.ts";
import { NO_OUTBOX, OutboxChanges, type OutboxEntry } from "./outbox.ts";
import { readDue, readFirstDue, readPlacedAhead } from "./outbox_reads.ts";
import { writeRecord } from "./people.ts";
import { FURTHER_CHECKS } from "./record_changes.ts";
import { addToCounter, readInTens, readRecords } from "./records.ts";
import { type StoredSchema, toSchema } from "./schema.ts";

/** The functions that the outbox worker needs. */
export type OutboxStore = ReturnType<typeof createOutboxStore>;

/** How changes share commits. */
export interface SharedCommits {
  engine: Engine;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
}

/**
 * Gives the functions their KV.
 *
 * @param shared each change has a commit of its own if absent
 */
export function createOutboxStore(kv: Deno.Kv, shared?: SharedCommits) {
  const claims = shareRuns(kv, claimItems, { shared, checks: 1 });
  const finishes = shareRuns(kv, finishItems, { shared, checks: 2 });
  const finish = (entry: OutboxEntry, change: Omit<Finish, "entry">) =>
    finishes({ entry, ...change });

  /** Moves an item; gives it as it is then, `undefined` where it has been moved or removed meanwhile. */
  async function move(entry: OutboxEntry, item: OutboxItem): Promise<OutboxEntry | undefined> {
    const isRefused = entry.item.queue === "refused" || item.queue === "refused";
    return await (isRefused
      ? finish(entry, { change: (changes) => changes.move(entry, item), item })
      : claims({ entry, item }));
  }

  return {
    readDue: (queue: Queue, options: { until: number; limit: number }) =>
      readDue(kv, queue, options),
    readFirstDue: (queue: Queue) => readFirstDue(kv, queue),

    /** Moves an item behind a lease; `undefined` where another process has it. */
    claim: (entry: OutboxEntry, { at, until }: { at: number; until: number }) =>
      move(entry, { ...entry.item, placedAt: at, dueAt: until, tries: entry.item.tries + 1 }),

    /** Puts an item where it is due later, or among the refused ones. */
    postpone: move,

    /**
     * Makes items due that were put at their places by a clock which was ahead.
     *
     * @param options.claimed whether those that a process may be sending are made due, too
     * @returns how many were made due
     */
    async makeAheadDue({ now, claimed }: { now: number; claimed: boolean }): Promise<number> {
      let made = 0;
      for (const queue of ["letters", "invitations", "events"] as const) {
        for await (const entries of readPlacedAhead(kv, queue, now)) {
          const open = entries.filter(({ item }) => claimed || item.tries === 0);
          const due = { placedAt: now, dueAt: now };
          const moved = open.map((entry) => move(entry, { ...entry.item, ...due }));
          made += (await Promise.all(moved)).filter((entry) => entry).length;
        }
      }
      return made;
    },

    /** Reads a person's record; one that cannot be read counts as absent. */
    findRecord: (email: string): Promise<SignUpRecord | undefined> =>
      withKvDeadline(kv, async () => (await readRecord(kv, email))?.value ?? undefined),

    /** Removes an item that is not to be sent any more. */
    drop: (entry: OutboxEntry) => finish(entry, { change: (changes) => changes.remove(entry) }),

    /** Removes an item that was sent; a confirmation letter then begins the time to confirm. */
    sent: (entry: OutboxEntry, at: number) =>
      finish(entry, {
        change(changes) {
          changes.remove(entry);
          if ("letter" in entry.item.message) changes.countSent(at);
        },
        changeRecord(record) {
          const { message } = entry.item;
          const isConfirmation = "letter" in message && message.letter === "confirmation";
          return isConfirmation ? noteTaken(record, new Date(at).toISOString()) : record;
        },
      }),

    /** Puts a letter among the refused ones, as the mail server knows no such recipient. */
    refuseRecipient(entry: OutboxEntry, { at, reason }: { at: number; reason: string }) {
      const item: OutboxItem = { ...entry.item, queue: "refused", dueAt: at, reason };
      return finish(entry, {
        change: (changes) => changes.move(entry, item),
        changeRecord: (record) => noteUndeliverable(record, new Date(at).toISOString()),
        item,
      });
    },
  };
}

/** The items that a commit has changed, by their ids; those that others have changed before are missing. */
type Changed = Map<string, OutboxEntry>;

/** Lets changes that come together share a commit, where that is wanted. */
function shareRuns<Change extends { entry: OutboxEntry }>(
  kv: Deno.Kv,
  run: (kv: Deno.Kv, changes: Change[]) => Promise<Changed>,
  { shared, checks }: { shared: SharedCommits | undefined; checks: number },
): (change: Change) => Promise<OutboxEntry | undefined> {
  const batcher = shared && new Batcher<Change, Changed>({
    run: (changes) => run(kv, changes),
    maxBatch: Math.floor((shared.engine.checksPerCommit - FURTHER_CHECKS) / checks),
    maxRunning: shared.engine.commitsInFlight,
    maxWaiting: Infinity,
    deadlineMs: deadlineOf(kv),
    monotonic: shared.monotonic,
  });
  return async (change) => (await (batcher?.add(change) ?? run(kv, [change]))).get(change.entry.id);
}

/** An item that moves to another place, and stays among the due ones. */
interface Claim {
  entry: OutboxEntry;
  item: OutboxItem;
}

/** Moves items. Where one of them has been changed by another commit, each has a commit of its own. */
async function claimItems(kv: Deno.Kv, claims: Claim[]): Promise<Changed> {
  const commit = kv.atomic().check(...claims.map(({ entry }) => entry.entry));
  const changes = new OutboxChanges(commit, NO_OUTBOX);
  for (const { entry, item } of claims) changes.move(entry, item);
  changes.finish();
  // Where the commit gives no answer, the leases of the items end, and nothing is lost.
  const result = await withKvDeadline(kv, () => commit.commit());
  if (result.ok) return changedBy(result.versionstamp, claims);
  if (claims.length === 1) return new Map();
  const alone = await Promise.all(claims.map((claim) => claimItems(kv, [claim])));
  return new Map(alone.flatMap((changed) => [...changed]));
}

/** A change of an item together with the record that the item is about. */
interface Finish {
  entry: OutboxEntry;
  change: (changes: OutboxChanges) => void;
  /** Gives the record as it is to be, itself where it stays. */
  changeRecord?: (record: SignUpRecord) => SignUpRecord;
  /** Adds to the commit what else it writes. */
  also?: (commit: Deno.AtomicOperation) => void;
  /** The item as it is then, unless it is removed. */
  item?: OutboxItem;
}

/**
 * Commits changes of items together with the records that they are about.
 *
 * @returns the items that were changed; those that another commit has changed before are missing
 */
export function finishItems(kv: Deno.Kv, finishes: Finish[]): Promise<Changed> {
  return untilKnown(kv, async () => {
    const emails = [...new Set(finishes.map(({ entry }) => entry.item.email))];
    const records = await readRecords(kv, emails.map(signUpKey));
    const keys = [SCHEMA, ...finishes.map(({ entry }) => entry.entry.key)];
    const [schemaEntry, ...items] = await readInTens(
      keys,
      (some) => kv.getMany<unknown[]>(some) as Promise<Deno.KvEntryMaybe<unknown>[]>,
    );
    const open = finishes.filter(({ entry }, index) =>
      items[index]!.versionstamp === entry.entry.versionstamp
    );
    if (open.length === 0) return new Map();
    const schema = toSchema(schemaEntry as Deno.KvEntryMaybe<StoredSchema>);
    const commit = kv.atomic().check(schema.entry, ...open.map(({ entry }) => entry.entry));
    const changes = new OutboxChanges(commit, NO_OUTBOX);
    const counters = new CounterChanges();
    for (const { change, also } of open) {
      change(changes);
      also?.(commit);
    }
    changes.finish();
    for (const record of records) {
      if (!record?.value) continue;
      const email = addressOf(record.key);
      const own = open.filter(({ entry: { item } }) =>
        item.email === email && item.recordId === record.value.id
      );
      if (own.length === 0) continue;
      const after = own.reduce((before, { entry: { id }, changeRecord }) => {
        const changed = changeRecord?.(before) ?? before;
        return changes.removed.has(id) ? withoutItem(changed, id) : changed;
      }, record.value);
      // Written even where it stays the same; see `readItemsOf()`.
      commit.check(record);
      writeRecord(commit, email, { before: record.value, after });
      counters.replace(record.value, after);
    }
    for (const { counter, by } of counters) addToCounter(commit, counter, by);
    const result = await commit.commit();
    return result.ok ? changedBy(result.versionstamp, open) : undefined;
  });
}

function changedBy(
  versionstamp: string,
  changes: { entry: OutboxEntry; item?: OutboxItem }[],
): Changed {
  return new Map(changes.map(({ entry, item = entry.item }) => {
    return [entry.id, { ...entry, item, entry: { ...entry.entry, value: item, versionstamp } }];
  }));
}

async function readRecord(kv: Deno.Kv, email: string) {
  const [record] = await readRecords(kv, [signUpKey(email)]);
  return record;
}
