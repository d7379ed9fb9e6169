/**
 * What the outbox worker does in the store: it claims items with a lease, and writes what became of them. Changes
 * that come together share a commit.
 *
 * @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import {
  isRefusal,
  noteDeliverable,
  noteTaken,
  noteUndeliverable,
  type OutboxItem,
  type Queue,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import {
  Batcher,
  deadlineOf,
  type Engine,
  readMany,
  signUpKey,
  SLOT_CHECKS,
  withKvDeadline,
} from "../kv/mod.ts";
import { type OutboxChanges, type OutboxEntry, queueOf } from "./changes.ts";
import { type Changed, claimItems, type Finish, finishItems, type WriteRecord } from "./commits.ts";
import { findItems, readDue, readFirstDue } from "./reads.ts";

/** The functions that the outbox worker needs. */
export type OutboxStore = ReturnType<typeof createOutboxWork>;

/** How changes share commits. */
export interface SharedCommits extends Pick<Runtime, "monotonic"> {
  engine: Engine;
}

/** Checks of a commit besides those of items and records: the check of the schema. */
const FURTHER_CHECKS = 1 + SLOT_CHECKS;

/**
 * Gives the functions their KV, and what they do to people's records.
 *
 * @param shared each change has a commit of its own if absent
 */
export function createOutboxWork(
  kv: Deno.Kv,
  writeRecord: WriteRecord,
  shared?: SharedCommits,
) {
  const claims = shareRuns(kv, claimItems, { shared, checks: 1 });
  const finishes = shareRuns<Finish>(
    kv,
    (kv, items) => finishItems(kv, items, writeRecord),
    { shared, checks: 2 },
  );
  const finish = (entry: OutboxEntry, change: Omit<Finish, "entry">) =>
    finishes({ entry, ...change });

  /**
   * Moves an item; gives it as it is then, `undefined` where it has been moved or removed meanwhile. A moment
   * in `refusedAt` counts a refusal.
   */
  function move(
    entry: OutboxEntry,
    item: OutboxItem,
    refusedAt?: number,
  ): Promise<OutboxEntry | undefined> {
    const isRefused = entry.item.queue === "refused" || item.queue === "refused";
    const change = (changes: OutboxChanges) => {
      changes.move(entry, item);
      if (refusedAt !== undefined) changes.countOutcome(item, "refused", refusedAt);
    };
    return isRefused ? finish(entry, { change, item }) : claims({ entry, change, item });
  }

  return {
    readDue: (queue: Queue, options: { until: number; limit: number }) =>
      readDue(kv, queue, options),
    readFirstDue: (queue: Queue) => readFirstDue(kv, queue),

    /** Moves an item behind a lease; `undefined` where another process has it. */
    claim: (entry: OutboxEntry, { at, until }: { at: number; until: number }) =>
      move(entry, {
        ...entry.item,
        // What was held back is a letter like others from now on.
        queue: queueOf(entry.item.message),
        placedAt: at,
        dueAt: until,
        tries: entry.item.tries + 1,
      }),

    /** Puts an item where it is due later, or among the refused ones, after an attempt that failed. */
    postpone: (entry: OutboxEntry, item: OutboxItem) =>
      move(entry, item, isRefusal(item) ? item.placedAt ?? item.putAt : undefined),

    /** Reads a person's record; one that cannot be read counts as absent. */
    async findRecord(email: string): Promise<SignUpRecord | undefined> {
      const [record] = await withKvDeadline(
        kv,
        () => readMany<SignUpRecord>(kv, [signUpKey(email)]),
      );
      return record?.value ?? undefined;
    },

    /** Removes an item that is not to be sent any more. */
    drop: (entry: OutboxEntry) => finish(entry, { change: (changes) => changes.remove(entry) }),

    /** Removes an item that was sent; a confirmation letter then begins the time to confirm. */
    sent: (entry: OutboxEntry, at: number) =>
      finish(entry, {
        change(changes) {
          changes.remove(entry);
          changes.countOutcome(entry.item, "sent", at);
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
        change(changes) {
          changes.move(entry, item);
          changes.countOutcome(item, "refused", at);
        },
        changeRecord: (record) => noteUndeliverable(record, new Date(at).toISOString()),
        item,
      });
    },

    /** Lets refused letters wait again, as `nextOf` gives them, and lifts the marks of their people. */
    async takeBack(ids: string[], nextOf: (item: OutboxItem) => OutboxItem): Promise<void> {
      const entries = await findItems(kv, ids);
      await Promise.all(entries.map((entry) => {
        if (entry?.item.queue !== "refused") return;
        const item = nextOf({ ...entry.item, queue: queueOf(entry.item.message) });
        const change = (changes: OutboxChanges) => changes.move(entry, item);
        return finish(entry, { change, changeRecord: noteDeliverable, item });
      }));
    },
  };
}

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
