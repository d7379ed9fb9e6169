/**
 * What the outbox worker does in the store: it claims items with a lease, and writes what became of them. Changes that
 * come together share a commit. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Delivery, LetterEnd, OutboxItem, Queue } from "../../waitlist/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { deliveredEvent, isRefusal, noteDeliverable, noteLetterEnd } from "../../waitlist/mod.ts";
import { noteUndeliverable } from "../../waitlist/mod.ts";
import { Batcher, checksFor, Commit, type Kv, readMany, signUpKey } from "../kv/mod.ts";
import type { ItemChange, OutboxEntry } from "./changes.ts";
import { createOutboxChanges, NO_OUTBOX, queueOf } from "./changes.ts";
import { type DueSelection, findItems, readDue, readFirstDue, readQueue } from "./reads.ts";
import { unpackOldest } from "./new_letters.ts";
import { findStopped } from "./stopped.ts";

/** By their ids; items that others have changed before are missing. */
export type Changed = Map<string, OutboxEntry>;

export interface RecordedChange extends ItemChange {
  /** Gives the record itself where it stays. */
  changeRecord?: (record: SignUpRecord) => SignUpRecord;
  /** Whether the item changes only while its wave is stopped, which the commit checks. */
  whileStopped?: true;
}

/** Commits items together with the records that they are about; the room of people has it. */
export type CommitWithRecords = (
  kv: Kv,
  changes: RecordedChange[],
  audit?: AuditEntry,
) => Promise<Changed>;

/** What a mail server said to a letter that it took. */
export type MailAnswer = Pick<LetterEnd, "answer" | "messageId">;

const iso = (at: number) => new Date(at).toISOString();

/** Notes in the record that a letter was taken or refused for good; of events, it says nothing. */
function noteEnd(
  record: SignUpRecord,
  { entry: { item: { message, putAt } }, item, outcome }: ItemChange,
  said: MailAnswer,
): SignUpRecord {
  if (!outcome || !("letter" in message)) return record;
  const [what, at] = outcome;
  const end = what === "sent" ? { takenAt: iso(at) } : { refusedAt: iso(at) };
  const { reason } = item ?? {};
  const answer = reason === undefined ? said : { answer: reason };
  return noteLetterEnd(record, message.letter, { putAt: iso(putAt), ...end, ...answer });
}

/** Where another commit has changed one of the items, each has a commit of its own. */
export async function moveItems(kv: Kv, moves: ItemChange[]): Promise<Changed> {
  const commit = new Commit();
  const changes = createOutboxChanges(commit, NO_OUTBOX);
  for (const move of moves) changes.change(move);
  changes.finish();
  // Where its outcome is unknown, the leases of the items end, and nothing is lost.
  const version = await kv.commit(commit);
  if (version !== "conflict") return changedBy(version, moves);
  if (moves.length === 1) return new Map();
  const alone = await Promise.all(moves.map((move) => moveItems(kv, [move])));
  return new Map(alone.flatMap((changed) => [...changed]));
}

export function changedBy(version: string, changes: ItemChange[]): Changed {
  return new Map(changes.map(({ entry, item = entry.item }) => {
    return [entry.id, { ...entry, item, version }];
  }));
}

/** How many letters of stopped waves leave the outbox at once. */
const STOPPED_AT_ONCE = 500;

export interface OutboxWorkOptions extends Pick<Runtime, "monotonic"> {
  /** Is called before an outcome is written; without a reason the item was sent. */
  onOutcome?: (item: OutboxItem, reason?: string) => void;
}

/**
 * What the worker in `letters/` asks of the store. An item is a letter or an event. A function that changes an item gives
 * it as it is afterwards, or `undefined` if another process changed it first.
 */
export interface OutboxStore {
  /**
   * Reads the items of a queue that are due, new letters included. Invitations of paused or cancelled waves are not
   * among them, because they leave the outbox here.
   */
  readDue: (queue: Queue, selection: DueSelection) => Promise<OutboxEntry[]>;
  /** Reads when the first item of some queues is due, in milliseconds since 1970; `Infinity` if they are empty. */
  readFirstDue: (queues: Queue[]) => Promise<number>;
  /** Claims an item for this process, and counts the attempt. The times are in milliseconds since 1970. */
  claim: (
    entry: OutboxEntry,
    lease: { at: number; until: number },
  ) => Promise<OutboxEntry | undefined>;
  /**
   * Finds the record of an address just before a letter is sent; a record that cannot be read counts as absent. The
   * record has the complaint of its mailbox as well, which an import or another address of the mailbox may have brought.
   */
  findRecord: (email: string) => Promise<SignUpRecord | undefined>;
  /**
   * Removes a letter that was taken, or keeps an event that was taken among the delivered ones.
   * @param at milliseconds since 1970
   * @param delivery what the receiver of an event answered
   * @param said what the mail server answered to a letter
   */
  sent: (
    entry: OutboxEntry,
    at: number,
    delivery?: Delivery,
    said?: MailAnswer,
  ) => Promise<OutboxEntry | undefined>;
  /** Puts an item where `item` says, after an attempt that failed: due at a later moment, or among the refused ones. */
  postpone: (entry: OutboxEntry, item: OutboxItem) => Promise<OutboxEntry | undefined>;
  /** Removes an item that does not fit its person any more. */
  drop: (entry: OutboxEntry) => Promise<OutboxEntry | undefined>;
  /** Puts a letter among the refused ones and marks its person as undeliverable. @param at milliseconds since 1970 */
  refuseRecipient: (
    entry: OutboxEntry,
    refusal: { at: number; reason: string },
  ) => Promise<OutboxEntry | undefined>;
  /** Makes refused letters wait again, as `nextOf` gives them, and lifts the mark as undeliverable of their people. */
  requeue: (ids: string[], nextOf: (item: OutboxItem) => OutboxItem) => Promise<void>;
  /** Removes delivered events but the last `keep`, `limit` of them at the most. */
  forgetDelivered: (options: { keep: number; limit: number }) => Promise<void>;
}

/** What `store/people/` does for the outbox, because it has the records. */
export interface OutboxPeople {
  commitWithRecords: CommitWithRecords;
  findRecord: OutboxStore["findRecord"];
}

/** Makes the store of the worker. Without `shared`, each change has a commit of its own. */
export function createOutboxWork(
  kv: Kv,
  { commitWithRecords, findRecord }: OutboxPeople,
  shared?: OutboxWorkOptions,
): OutboxStore {
  /** Lets changes that come together share a commit, each with so many checks. */
  function sharing<Change extends ItemChange>(
    run: (kv: Kv, changes: Change[]) => Promise<Changed>,
    checks: number,
  ): (change: Change) => Promise<OutboxEntry | undefined> {
    const batcher = shared && new Batcher<Change, Changed>({
      run: (changes) => run(kv, changes),
      maxBatch: Math.floor(checksFor(kv) / checks),
      maxRunning: kv.traits.commitsInFlight,
      deadlineMs: kv.deadlineMs,
      monotonic: shared.monotonic,
    });
    return async (change) => {
      const { entry, item, outcome } = change;
      const reason = outcome?.[0] === "refused" ? item?.reason ?? "" : undefined;
      if (outcome) shared?.onOutcome?.(entry.item, reason);
      return (await (batcher?.add(change) ?? run(kv, [change]))).get(entry.id);
    };
  }
  const move = sharing(moveItems, 1);
  const commitChange = sharing<RecordedChange>(commitWithRecords, 2);
  const finish = ({ changeRecord, ...change }: RecordedChange, said: MailAnswer = {}) =>
    commitChange({
      ...change,
      changeRecord: (record) => noteEnd(changeRecord?.(record) ?? record, change, said),
    });
  const stop = sharing<RecordedChange>(commitWithRecords, 3);
  async function findStoppedOf(entries: OutboxEntry[]): Promise<OutboxEntry[]> {
    const keys = entries.map(({ item }) => signUpKey(item.email));
    return (await findStopped(kv, entries, await readMany(kv, keys))).letters;
  }
  /** An item among the refused ones is moved with its record. */
  const moveAnywhere = (change: ItemChange & { item: OutboxItem }) => {
    const isRefused = [change.entry.item.queue, change.item.queue].includes("refused");
    return isRefused ? finish(change) : move(change);
  };

  return {
    async readDue(queue, selection) {
      const { limit } = selection;
      if (queue === "letters") await unpackOldest(kv, { limit });
      const { value: page } = await readQueue(kv, queue, selection).next();
      const { due, vacant } = page ?? { due: [], vacant: [] };
      // An item that moves while its person is erased leaves a position without an item.
      for (const position of vacant) {
        await kv.commit(new Commit().check(position).delete(position.key));
      }
      if (queue !== "invitations" || (await findStoppedOf(due)).length === 0) return due;
      const first = await readDue(kv, queue, { ...selection, limit: STOPPED_AT_ONCE });
      const stopped = new Set(await findStoppedOf(first));
      const leave = (entry: OutboxEntry) => stop({ entry, whileStopped: true });
      await Promise.all([...stopped].map(leave));
      return first.filter((entry) => !stopped.has(entry)).slice(0, limit);
    },
    readFirstDue: (queues) => readFirstDue(kv, queues),

    claim: (entry, { at, until }) =>
      moveAnywhere({
        entry,
        item: {
          ...entry.item,
          // What was held back is a letter like others from now on.
          queue: queueOf(entry.item.message),
          placedAt: at,
          dueAt: until,
          tries: entry.item.tries + 1,
        },
      }),

    findRecord,

    postpone: (entry, item) =>
      moveAnywhere({
        entry,
        item,
        ...isRefusal(item) && { outcome: ["refused", item.placedAt ?? item.putAt] },
      }),

    drop: (entry) => finish({ entry }),

    // A confirmation letter that was taken begins the time to confirm.
    sent: (entry, at, delivery, said) =>
      finish({
        entry,
        ...delivery && { item: deliveredEvent(entry.item, delivery) },
        outcome: ["sent", at],
      }, said),

    async forgetDelivered({ keep, limit }) {
      const kept = await readDue(kv, "delivered", { limit: keep + limit });
      await Promise.all(kept.slice(0, -keep).map((entry) => finish({ entry })));
    },

    refuseRecipient: (entry, { at, reason }) =>
      finish({
        entry,
        item: { ...entry.item, queue: "refused", dueAt: at, reason },
        outcome: ["refused", at],
        changeRecord: (record) => noteUndeliverable(record, iso(at)),
      }),

    async requeue(ids, nextOf) {
      const items = await findItems(kv, ids);
      await Promise.all(items.map((entry) => {
        if (entry.item.queue !== "refused") return;
        const item = nextOf({ ...entry.item, queue: queueOf(entry.item.message) });
        return finish({ entry, item, changeRecord: noteDeliverable });
      }));
    },
  };
}
