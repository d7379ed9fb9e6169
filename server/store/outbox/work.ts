/**
 * What the store keeps of an item that is due: the claim of a process, and the outcome of the attempt to send the item.
 * The worker in `letters/` calls these functions, and decides when and how an item is sent. Changes that come together
 * share a commit. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import {
  countsAsRefused,
  type Delivery,
  isEvent,
  type LetterOutcome,
  noteDeliverable,
  noteLetterOutcome,
  noteUndeliverable,
  type OutboxItem,
  type Queue,
  type SignUpRecord,
  toDeliveredEvent,
} from "../../waitlist/mod.ts";
import { Batcher, checksFor, Commit, type Kv, readMany, signUpKey } from "../kv/mod.ts";
import { type ItemChange, type OutboxEntry, queueOf } from "./changes.ts";
import {
  type ChangedItems,
  changeItems,
  type ChangeItemsWithRecords,
  type ItemAndRecordChange,
} from "./item_commits.ts";
import { createMailState, type Permits, REFUSED_IN_A_ROW } from "./mail_state.ts";
import { unpackOldest } from "./new_letters.ts";
import { type DueSelection, findItems, readDue, readFirstDue, readQueue } from "./reads.ts";
import { findStoppedInvitations } from "./stopped_invitations.ts";

/** The queues of letters, in the order in which the worker sends them. */
export const LETTER_QUEUES = ["letters", "held", "invitations"] as const;

/**
 * The functions of the store that the worker calls. A function that changes an item gives the item as it is afterwards,
 * or `undefined` if another process changed the item first.
 */
export interface OutboxStore {
  /**
   * Reads the letters that are due, and takes permits for as many of them as may be sent now.
   * @returns `undefined` if no letter is due
   */
  permitLetters: (request: LetterRequest) => Promise<PermittedLetters | undefined>;
  /**
   * Claims a letter for this process, counts the attempt, and then reads the record of the letter's address. A record
   * that cannot be read counts as absent.
   */
  claimLetter: (entry: OutboxEntry, lease: Lease) => Promise<ClaimedLetter | undefined>;
  /**
   * Reads the items of a queue that are due. Invitations of paused or cancelled waves are removed from the outbox
   * instead.
   */
  readDue: (queue: Queue, selection: DueSelection) => Promise<OutboxEntry[]>;
  /** Reads when the first item of some queues is due, in milliseconds since 1970; `Infinity` if they are empty. */
  readFirstDue: (queues: Queue[]) => Promise<number>;
  /** Claims an item for this process, and counts the attempt. */
  claim: (entry: OutboxEntry, lease: Lease) => Promise<OutboxEntry | undefined>;
  /**
   * Ends an item that was taken: removes a letter, or moves an event into the list of delivered events.
   * @param at the moment at which the item was taken, in milliseconds since 1970
   */
  complete: (
    entry: OutboxEntry,
    at: number,
    answers?: { mailServer?: MailAnswer; receiver?: Delivery },
  ) => Promise<OutboxEntry | undefined>;
  /**
   * Stores `item` in place of `entry` after a failed attempt. The item is due again later, or is among the refused
   * items.
   */
  postpone: (entry: OutboxEntry, item: OutboxItem) => Promise<OutboxEntry | undefined>;
  /** Removes an item that does not fit its person any more, such as a letter to a removed person. */
  drop: (entry: OutboxEntry) => Promise<OutboxEntry | undefined>;
  /**
   * Moves a letter to the refused items, and marks its person as undeliverable.
   * @param refusal.at the moment of the refusal, in milliseconds since 1970
   */
  refuseRecipient: (
    entry: OutboxEntry,
    refusal: { at: number; reason: string },
  ) => Promise<OutboxEntry | undefined>;
  /**
   * Puts refused letters back into their queues, as the items that `nextOf` gives, and removes the mark "undeliverable"
   * from the records of their people.
   */
  requeue: (ids: string[], nextOf: (item: OutboxItem) => OutboxItem) => Promise<void>;
  /** Removes the oldest delivered events, so that the last `keep` stay; removes at most `limit` events in a call. */
  forgetDelivered: (options: { keep: number; limit: number }) => Promise<void>;
}

interface LetterRequest {
  /** How many letters the worker wants now at most. */
  limit: number;
  /** How many letters all processes together send in a minute at most. */
  perMinute: number;
  /** Gives the present moment, in milliseconds since 1970. */
  now: () => number;
}

interface PermittedLetters extends Pick<Permits, "hasPause" | "hasRefused"> {
  letters: OutboxEntry[];
  /**
   * When the permits for these letters were granted, in milliseconds since 1970. The permits are valid until the end of
   * the minute in which this moment lies.
   */
  at: number;
}

/** The period for which a claimed item belongs to this process. */
interface Lease {
  /** The moment of the claim, in milliseconds since 1970. */
  at: number;
  /** The end of the claim, in milliseconds since 1970. */
  until: number;
}

/** A letter that this process may send. */
export interface ClaimedLetter extends OutboxEntry {
  /**
   * The person's record, which was read after this process had claimed the letter. A complaint of the mailbox is added
   * to the record.
   */
  record: SignUpRecord | undefined;
}

/** The answer of a mail server to a letter that it took. */
export type MailAnswer = Pick<LetterOutcome, "answer" | "messageId">;

/**
 * The record of each address, by the address; `undefined` if there is no record, or the error because of which the
 * record could not be read.
 */
export type FoundRecords = Map<string, SignUpRecord | Error | undefined>;

/** The functions of `store/people/` that the outbox needs, because only they read and write records. */
interface OutboxPeople {
  commitWithRecords: ChangeItemsWithRecords;
  /**
   * Finds the records of some addresses. A complaint of the mailbox is added to the record, because the record does not
   * have a complaint that came from an import or by another address of the mailbox. An address whose letter limit cannot
   * be read gets an error.
   */
  findRecords: (emails: string[]) => Promise<FoundRecords>;
}

/** How many invitations of stopped waves one read removes from the outbox at most. */
const STOPPED_AT_ONCE = 500;

/** The options of a process whose changes share commits, and whose reads of records share calls of KV. */
export interface OutboxWorkOptions extends Pick<Runtime, "monotonic"> {
  /** Is called before an outcome is stored. `reason` says why the item was refused; absent if the item was sent. */
  onOutcome?: (item: OutboxItem, reason?: string) => void;
}

/**
 * Makes a function that changes an item. Changes that come together share a commit, unless `shared` is absent.
 * @param options.commit commits changes
 * @param options.checks the number of checks that each change needs
 */
function createItemChange<Change extends ItemChange>(
  kv: Kv,
  { commit, checks, shared }: {
    commit: (kv: Kv, changes: Change[]) => Promise<ChangedItems>;
    checks: number;
    shared: OutboxWorkOptions | undefined;
  },
): (change: Change) => Promise<OutboxEntry | undefined> {
  const batcher = shared && new Batcher<Change, ChangedItems>({
    run: (changes) => commit(kv, changes),
    maxBatch: Math.floor(checksFor(kv) / checks),
    maxRunning: kv.traits.commitsInFlight,
    deadlineMs: kv.deadlineMs,
    monotonic: shared.monotonic,
  });
  return async (change) => {
    const { entry, item, outcome } = change;
    const reason = outcome?.[0] === "refused" ? item?.reason ?? "" : undefined;
    if (outcome) shared?.onOutcome?.(entry.item, reason);
    const changed = await (batcher?.add(change) ?? commit(kv, [change]));
    return changed.get(entry.id);
  };
}

/**
 * Makes a function that finds the record of an address. Addresses that come together share a read, because many letters
 * are claimed at once, and a read for each of them would delay the reads of sign-ups. The function throws the error of
 * an address.
 */
function createRecordRead(
  kv: Kv,
  findRecords: OutboxPeople["findRecords"],
  shared: OutboxWorkOptions | undefined,
): (email: string) => Promise<SignUpRecord | undefined> {
  const batcher = shared && new Batcher<string, FoundRecords>({
    run: findRecords,
    deadlineMs: kv.deadlineMs,
    monotonic: shared.monotonic,
  });
  return async (email) => {
    const found = (await (batcher?.add(email) ?? findRecords([email]))).get(email);
    if (found instanceof Error) throw found;
    return found;
  };
}

/** Makes the functions for the outbox worker. Without `shared`, each change has a commit of its own. */
export function createOutboxWork(
  kv: Kv,
  { commitWithRecords, findRecords }: OutboxPeople,
  shared?: OutboxWorkOptions,
): OutboxStore {
  const mailState = createMailState(kv);
  const changeAlone = createItemChange(kv, { commit: changeItems, checks: 1, shared });
  const changeWithRecord = createItemChange(kv, { commit: commitWithRecords, checks: 2, shared });
  const removeWhileStopped = createItemChange(kv, { commit: commitWithRecords, checks: 3, shared });
  const findRecord = createRecordRead(kv, findRecords, shared);

  /** Changes or removes an item. If a letter was taken or refused for good, notes this in the record of its person. */
  const endItem = ({ changeRecord, ...change }: ItemAndRecordChange, answer: MailAnswer = {}) =>
    changeWithRecord({
      ...change,
      changeRecord: (record) => noteEnd(changeRecord?.(record) ?? record, change, answer),
    });

  /** Changes an item. If the item moves to or from the refused items, the record of its person changes as well. */
  const changeItem = (change: ItemChange & { item: OutboxItem }) => {
    const queues = [change.entry.item.queue, change.item.queue];
    return queues.includes("refused") ? endItem(change) : changeAlone(change);
  };

  async function readDueItems(queue: Queue, selection: DueSelection): Promise<OutboxEntry[]> {
    const { limit } = selection;
    if (queue === "letters") await unpackOldest(kv, { limit });
    const { value: page } = await readQueue(kv, queue, selection).next();
    const { due, vacant } = page ?? { due: [], vacant: [] };
    // Removes positions without an item. Such a position is left over if an item moves while its person is erased.
    for (const position of vacant) {
      await kv.commit(new Commit().check(position).delete(position.key));
    }
    if (queue !== "invitations" || (await findStopped(kv, due)).length === 0) return due;
    // Removes the invitations of stopped waves from the outbox, many at once.
    const first = await readDue(kv, queue, { ...selection, limit: STOPPED_AT_ONCE });
    const stopped = new Set(await findStopped(kv, first));
    await Promise.all(
      [...stopped].map((entry) => removeWhileStopped({ entry, onlyWhileStopped: true })),
    );
    return first.filter((entry) => !stopped.has(entry)).slice(0, limit);
  }

  const claim: OutboxStore["claim"] = (entry, { at, until }) =>
    changeItem({
      entry,
      item: {
        ...entry.item,
        // Moves a letter from the queue `held`, whose wait is over, to its usual queue.
        queue: queueOf(entry.item.message),
        placedAt: at,
        dueAt: until,
        tries: entry.item.tries + 1,
      },
    });

  return {
    async permitLetters({ limit, perMinute, now }) {
      const until = now();
      // At most `REFUSED_IN_A_ROW + 1` letters lead to a pause. One letter more is read, so that at least one letter
      // has not led to the pause and can show whether the pause is over.
      const readLimit = Math.max(limit, REFUSED_IN_A_ROW + 2);
      const due: OutboxEntry[] = [];
      for (const queue of LETTER_QUEUES) {
        if (due.length === readLimit) break;
        due.push(...await readDueItems(queue, { until, limit: readLimit - due.length }));
      }
      if (due.length === 0) return undefined;
      // Reads the clock again, because KV may have been slow, and a permit is valid only until the end of the minute in
      // which the permit is taken.
      const at = now();
      const wanted = Math.min(due.length, limit);
      const permits = await mailState.takePermits({ at, perMinute, wanted });
      const { granted, causedBy, hasPause, hasRefused } = permits;
      const others = due.filter(({ id }) => !causedBy.includes(id));
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

    complete: (entry, at, { mailServer, receiver } = {}) =>
      endItem({
        entry,
        ...receiver && isEvent(entry.item) && { item: toDeliveredEvent(entry.item, receiver) },
        outcome: ["sent", at],
      }, mailServer),

    postpone: (entry, item) =>
      changeItem({
        entry,
        item,
        ...countsAsRefused(item) && { outcome: ["refused", item.placedAt ?? item.putAt] },
      }),

    drop: (entry) => endItem({ entry }),

    refuseRecipient: (entry, { at, reason }) =>
      endItem({
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
        return endItem({ entry, item, changeRecord: noteDeliverable });
      }));
    },

    async forgetDelivered({ keep, limit }) {
      const delivered = await readDue(kv, "delivered", { limit: keep + limit });
      const tooMany = Math.max(0, delivered.length - keep);
      await Promise.all(delivered.slice(0, tooMany).map((entry) => endItem({ entry })));
    },
  };
}

/** Finds the invitations of paused or cancelled waves among some items. */
async function findStopped(kv: Kv, entries: OutboxEntry[]): Promise<OutboxEntry[]> {
  const keys = entries.map(({ item }) => signUpKey(item.email));
  const records = await readMany<SignUpRecord>(kv, keys);
  return (await findStoppedInvitations(kv, entries, records)).invitations;
}

/**
 * Notes in a record that a letter to the person was taken, or refused for good. An event leaves the record unchanged.
 */
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
  return noteLetterOutcome(record, message.letter, {
    putAt: dateTime(putAt),
    ...moment,
    ...answer,
  });
}

const dateTime = (moment: number): string => new Date(moment).toISOString();
