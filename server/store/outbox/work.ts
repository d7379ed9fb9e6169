/**
 * The steps of an item from `due` on, as the worker in `letters/` takes them: claims, and the outcomes of attempts.
 * Changes that come together share a commit. When and how an item is sent is the worker's matter. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  deliveredEvent,
  type Delivery,
  isRefusal,
  type LetterEnd,
  noteDeliverable,
  noteLetterEnd,
  noteUndeliverable,
  type OutboxItem,
  type Queue,
  type SignUpRecord,
  type Wave,
} from "../../waitlist/mod.ts";
import {
  addressOf,
  Batcher,
  checksFor,
  Commit,
  type Kv,
  type MaybeEntry,
  readMany,
  signUpKey,
  waveKey,
} from "../kv/mod.ts";
import {
  createOutboxChanges,
  type ItemChange,
  NO_OUTBOX,
  type OutboxEntry,
  queueOf,
} from "./changes.ts";
import { createMailState, type Permits, REFUSED_IN_A_ROW } from "./mail_state.ts";
import { type DueSelection, findItems, readDue, readFirstDue, readQueue } from "./reads.ts";
import { unpackOldest } from "./new_letters.ts";

/** The queues of letters, in the order in which the worker sends them. */
export const LETTER_QUEUES = ["letters", "held", "invitations"] as const;

/**
 * What the worker asks of the store. A function that changes an item gives it as it is afterwards, or `undefined` if
 * another process changed it first.
 */
export interface OutboxStore {
  /**
   * Reads the letters that are due and takes permits for as many as may begin within this minute.
   * @returns `undefined` if no letter is due
   */
  permitLetters: (request: LetterRequest) => Promise<PermittedLetters | undefined>;
  /**
   * Claims a letter for this process, counts the attempt, and then reads the record of the address. A record that cannot
   * be read counts as absent.
   */
  claimLetter: (entry: OutboxEntry, lease: Lease) => Promise<ClaimedLetter | undefined>;
  /** Reads the items of a queue that are due, but for the invitations of paused or cancelled waves. */
  readDue: (queue: Queue, selection: DueSelection) => Promise<OutboxEntry[]>;
  /** Reads when the first item of some queues is due, in milliseconds since 1970; `Infinity` if they are empty. */
  readFirstDue: (queues: Queue[]) => Promise<number>;
  /** Claims an item for this process, and counts the attempt. */
  claim: (entry: OutboxEntry, lease: Lease) => Promise<OutboxEntry | undefined>;
  /**
   * Removes a letter that was taken, or keeps an event that was taken among the delivered ones.
   * @param at milliseconds since 1970
   */
  sent: (
    entry: OutboxEntry,
    at: number,
    answers?: { mailServer?: MailAnswer; receiver?: Delivery },
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
  /** Removes delivered events but the last `keep`, and at most `limit` of them. */
  forgetDelivered: (options: { keep: number; limit: number }) => Promise<void>;
}

interface LetterRequest {
  /** The most letters that are wanted. */
  limit: number;
  /** The most letters a minute, of all processes together. */
  perMinute: number;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

interface PermittedLetters extends Pick<Permits, "hasPause" | "hasRefused"> {
  letters: OutboxEntry[];
  /** The moment of the permits, in milliseconds since 1970. They hold until its minute ends. */
  at: number;
}

/** The time for which a claimed item belongs to the process, in milliseconds since 1970. */
interface Lease {
  at: number;
  until: number;
}

/** A letter that this process may send. */
export interface ClaimedLetter extends OutboxEntry {
  /** The record as it is after the claim, with the complaint of its mailbox. */
  record: SignUpRecord | undefined;
}

/** What a mail server answered to a letter that it took. */
export type MailAnswer = Pick<LetterEnd, "answer" | "messageId">;

/** What `store/people/` does for the outbox, because it has the records. */
interface OutboxPeople {
  commitWithRecords: CommitWithRecords;
  /**
   * Finds the record of an address. It has the complaint of its mailbox as well, which an import or another address of
   * the mailbox may have brought.
   */
  findRecord: (email: string) => Promise<SignUpRecord | undefined>;
}

/** Changes items together with the records that they are about, in one commit. */
export type CommitWithRecords = (
  kv: Kv,
  changes: ItemAndRecordChange[],
  audit?: AuditEntry,
) => Promise<ChangedItems>;

/** A change of an item, and of the record of its person. */
export interface ItemAndRecordChange extends ItemChange {
  /** Gives the changed record, or the record itself if it stays. */
  changeRecord?: (record: SignUpRecord) => SignUpRecord;
  /** Whether the item changes only if its wave is still paused or cancelled, which the commit checks. */
  onlyWhileStopped?: true;
}

/** The items that a commit has changed, by their ids. An item that another commit changed first is missing. */
export type ChangedItems = Map<string, OutboxEntry>;

/** Gives the items as a commit has written them. @param version the version of the commit */
export function changedItems(version: string, changes: ItemChange[]): ChangedItems {
  return new Map(changes.map(({ entry, item = entry.item }) => {
    return [entry.id, { ...entry, item, version }];
  }));
}

/** Changes items in one commit, or each in its own if another commit has changed one of them. */
export async function moveItems(kv: Kv, moves: ItemChange[]): Promise<ChangedItems> {
  const commit = new Commit();
  const changes = createOutboxChanges(commit, NO_OUTBOX);
  for (const move of moves) changes.change(move);
  changes.finish();
  // If the outcome of the commit is unknown, the leases of the items end, and nothing is lost.
  const version = await kv.commit(commit);
  if (version !== "conflict") return changedItems(version, moves);
  if (moves.length === 1) return new Map();
  const alone = await Promise.all(moves.map((move) => moveItems(kv, [move])));
  return new Map(alone.flatMap((changed) => [...changed]));
}

/**
 * Finds the invitations of paused or cancelled waves, and these waves. A letter to a corrected address belongs to no
 * wave.
 * @param people the records of the addresses of the invitations
 */
export async function findStoppedInvitations(
  kv: Kv,
  invitations: OutboxEntry[],
  people: (MaybeEntry<SignUpRecord> | undefined)[],
): Promise<{ invitations: OutboxEntry[]; waves: MaybeEntry<Wave>[] }> {
  const records = new Map(
    people.flatMap((entry) => entry?.value ? [[addressOf(entry.key), entry.value]] : []),
  );
  const ids = new Set([...records.values()].flatMap(({ wave }) => wave ?? []));
  const entries = await readMany<Wave>(kv, [...ids].map(waveKey));
  const waves = entries.flatMap((entry) =>
    entry?.value?.state === "paused" || entry?.value?.state === "cancelled" ? entry : []
  );
  const stopped = invitations.filter(({ item }) => {
    const record = records.get(item.email);
    return record?.id === item.recordId && item.putAt === Date.parse(record.invitedAt ?? "") &&
      waves.some(({ key }) => key[1] === record.wave);
  });
  return { invitations: stopped, waves };
}

/** The most invitations of stopped waves that leave the outbox in one read. */
const STOPPED_AT_ONCE = 500;

/** Lets the changes of a process share commits. */
export interface OutboxWorkOptions extends Pick<Runtime, "monotonic"> {
  /** Is called before an outcome is stored. An item without a reason was sent. */
  onOutcome?: (item: OutboxItem, reason?: string) => void;
}

/** Makes the store of the worker. Without `shared`, each change has a commit of its own. */
export function createOutboxWork(
  kv: Kv,
  { commitWithRecords, findRecord }: OutboxPeople,
  shared?: OutboxWorkOptions,
): OutboxStore {
  const mailState = createMailState(kv);

  /** Lets changes that come together share a commit. @param checks the checks of the commit for each change */
  function sharing<Change extends ItemChange>(
    run: (kv: Kv, changes: Change[]) => Promise<ChangedItems>,
    checks: number,
  ): (change: Change) => Promise<OutboxEntry | undefined> {
    const batcher = shared && new Batcher<Change, ChangedItems>({
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
  const changeWithRecord = sharing<ItemAndRecordChange>(commitWithRecords, 2);
  const removeWhileStopped = sharing<ItemAndRecordChange>(commitWithRecords, 3);

  /** Changes or removes an item, and notes the end of a letter in the record of its person. */
  const end = ({ changeRecord, ...change }: ItemAndRecordChange, answer: MailAnswer = {}) =>
    changeWithRecord({
      ...change,
      changeRecord: (record) => noteEnd(changeRecord?.(record) ?? record, change, answer),
    });

  /** Changes an item. A move to or from the refused ones changes the record of its person as well. */
  const change = (change: ItemChange & { item: OutboxItem }) => {
    const queues = [change.entry.item.queue, change.item.queue];
    return queues.includes("refused") ? end(change) : move(change);
  };

  async function findStopped(entries: OutboxEntry[]): Promise<OutboxEntry[]> {
    const records = await readMany<SignUpRecord>(
      kv,
      entries.map(({ item }) => signUpKey(item.email)),
    );
    return (await findStoppedInvitations(kv, entries, records)).invitations;
  }

  async function readDueItems(queue: Queue, selection: DueSelection): Promise<OutboxEntry[]> {
    const { limit } = selection;
    if (queue === "letters") await unpackOldest(kv, { limit });
    const { value: page } = await readQueue(kv, queue, selection).next();
    const { due, vacant } = page ?? { due: [], vacant: [] };
    // An item that moves while its person is erased leaves a position without an item.
    for (const position of vacant) {
      await kv.commit(new Commit().check(position).delete(position.key));
    }
    if (queue !== "invitations" || (await findStopped(due)).length === 0) return due;
    // The invitations of a stopped wave leave the outbox, many at once.
    const first = await readDue(kv, queue, { ...selection, limit: STOPPED_AT_ONCE });
    const stopped = new Set(await findStopped(first));
    await Promise.all(
      [...stopped].map((entry) => removeWhileStopped({ entry, onlyWhileStopped: true })),
    );
    return first.filter((entry) => !stopped.has(entry)).slice(0, limit);
  }

  const claim: OutboxStore["claim"] = (entry, { at, until }) =>
    change({
      entry,
      item: {
        ...entry.item,
        // A letter from the queue `held` goes to its usual queue now.
        queue: queueOf(entry.item.message),
        placedAt: at,
        dueAt: until,
        tries: entry.item.tries + 1,
      },
    });

  return {
    async permitLetters({ limit, perMinute, now }) {
      const until = now();
      // At most `REFUSED_IN_A_ROW + 1` letters led to a pause, so at least one of these letters is another one.
      const read = Math.max(limit, REFUSED_IN_A_ROW + 2);
      const due: OutboxEntry[] = [];
      for (const queue of LETTER_QUEUES) {
        if (due.length === read) break;
        due.push(...await readDueItems(queue, { until, limit: read - due.length }));
      }
      if (due.length === 0) return undefined;
      // KV may have been slow, and a permit holds until the end of the minute in which it is taken.
      const at = now();
      const wanted = Math.min(due.length, limit);
      const permits = await mailState.takePermits({ at, perMinute, wanted });
      const { granted, refusedIds, hasPause, hasRefused } = permits;
      const others = due.filter(({ id }) => !refusedIds.includes(id));
      const letters = (others.length > 0 ? others : due).slice(0, granted);
      return { letters, at, hasPause, hasRefused };
    },

    async claimLetter(entry, lease) {
      const claimed = await claim(entry, lease);
      return claimed && { ...claimed, record: await findRecord(claimed.item.email) };
    },

    readDue: readDueItems,
    readFirstDue: (queues) => readFirstDue(kv, queues),
    claim,

    sent: (entry, at, { mailServer, receiver } = {}) =>
      end({
        entry,
        ...receiver && { item: deliveredEvent(entry.item, receiver) },
        outcome: ["sent", at],
      }, mailServer),

    postpone: (entry, item) =>
      change({
        entry,
        item,
        ...isRefusal(item) && { outcome: ["refused", item.placedAt ?? item.putAt] },
      }),

    drop: (entry) => end({ entry }),

    refuseRecipient: (entry, { at, reason }) =>
      end({
        entry,
        item: { ...entry.item, queue: "refused", dueAt: at, reason },
        outcome: ["refused", at],
        changeRecord: (record) => noteUndeliverable(record, dateTime(at)),
      }),

    async requeue(ids, nextOf) {
      const items = await findItems(kv, ids);
      await Promise.all(items.map((entry) => {
        if (entry.item.queue !== "refused") return;
        const item = nextOf({ ...entry.item, queue: queueOf(entry.item.message) });
        return end({ entry, item, changeRecord: noteDeliverable });
      }));
    },

    async forgetDelivered({ keep, limit }) {
      const delivered = await readDue(kv, "delivered", { limit: keep + limit });
      await Promise.all(delivered.slice(0, -keep).map((entry) => end({ entry })));
    },
  };
}

/** Notes in a record that a letter was taken or refused for good. An event leaves the record as it is. */
function noteEnd(
  record: SignUpRecord,
  { entry: { item: { message, putAt } }, item, outcome }: ItemChange,
  mailAnswer: MailAnswer,
): SignUpRecord {
  if (!outcome || !("letter" in message)) return record;
  const [kind, at] = outcome;
  const moment = kind === "sent" ? { takenAt: dateTime(at) } : { refusedAt: dateTime(at) };
  const { reason } = item ?? {};
  const answer = reason === undefined ? mailAnswer : { answer: reason };
  return noteLetterEnd(record, message.letter, { putAt: dateTime(putAt), ...moment, ...answer });
}

const dateTime = (moment: number): string => new Date(moment).toISOString();
