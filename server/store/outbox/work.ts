/**
 * The steps of an item that is due: a process claims the item, tries to send it, and stores the outcome. The worker in
 * `letters/` calls these functions, and decides when and how an item is sent. `batching.ts` lets changes that come
 * together share a commit. @module
 */
import {
  countsAsRefused,
  type Delivery,
  enteredAtOf,
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
import type { Kv } from "../kv/mod.ts";
import {
  type BatchOptions,
  createItemCommit,
  createRecordRead,
  type RecordsByEmail,
} from "./batching.ts";
import { type ItemChange, type OutboxEntry, queueOf } from "./changes.ts";
import { readDueItems } from "./due_items.ts";
import {
  changeItems,
  type ChangeItemsWithRecords,
  type ItemAndRecordChange,
} from "./item_commits.ts";
import { createMailState, type Permits, REFUSED_IN_A_ROW } from "./mail_state.ts";
import { findItems, type QueueSelection, readFirstDue, readFirstItems } from "./reads.ts";

/** How many letters cause a pause at most: the stored letters that were refused in a row, and the last refused letter. */
const MAX_CAUSES = REFUSED_IN_A_ROW + 1;

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
   * Reads the due items of a queue. Leaves out the invitations of paused or cancelled waves, and removes them from the
   * outbox.
   */
  readDue: (queue: Queue, selection: QueueSelection) => Promise<OutboxEntry[]>;
  /** Reads when the first item of some queues is due, in milliseconds since 1970; `Infinity` if all are empty. */
  readFirstDue: (queues: Queue[]) => Promise<number>;
  /** Claims an item for this process, and counts the attempt. */
  claim: (entry: OutboxEntry, lease: Lease) => Promise<OutboxEntry | undefined>;
  /**
   * Ends an item that was taken: removes a letter, or moves an event into the list of delivered events.
   * @param at the moment at which the item was taken, in milliseconds since 1970
   * @param answer.mailAnswer the answer to a letter
   * @param answer.delivery the delivery of an event
   */
  complete: (
    entry: OutboxEntry,
    at: number,
    answer?: { mailAnswer?: MailAnswer; delivery?: Delivery },
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
   * Puts refused letters back into their queues, and removes the mark "undeliverable" from the records of their people.
   * @param toWaiting gives the item that takes the place of a refused letter
   */
  requeue: (ids: string[], toWaiting: (item: OutboxItem) => OutboxItem) => Promise<void>;
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

/** The letters that may be sent now, which are none if no permit is free, and the state of mail. */
interface PermittedLetters extends Omit<Permits, "grantedCount" | "causedBy"> {
  letters: OutboxEntry[];
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

/** The functions of `store/people/` that the outbox needs, because only they read and write records. */
interface OutboxPeople {
  commitWithRecords: ChangeItemsWithRecords;
  /**
   * Finds the records of some addresses. A complaint of the mailbox is added to the record, because the record does not
   * have a complaint that came from an import or by another address of the mailbox. An address whose letter limit cannot
   * be read gets an error.
   */
  findRecords: (emails: string[]) => Promise<RecordsByEmail>;
}

/** Makes the functions for the outbox worker. Without `batching`, each change has a commit of its own. */
export function createOutboxWork(
  kv: Kv,
  { commitWithRecords, findRecords }: OutboxPeople,
  batching?: BatchOptions,
): OutboxStore {
  const mailState = createMailState(kv);
  const findRecord = createRecordRead(kv, findRecords, batching);
  const commitItem = createItemCommit(kv, {
    commitChanges: changeItems,
    checksPerChange: 1,
    batching,
  });
  const commitItemAndRecord = createItemCommit(kv, {
    commitChanges: commitWithRecords,
    // The item and the record.
    checksPerChange: 2,
    batching,
  });
  const commitUnlessResumed = createItemCommit(kv, {
    commitChanges: commitWithRecords,
    // The item, the record and the wave.
    checksPerChange: 3,
    batching,
  });

  /** Changes or removes an item together with the record of its person. Notes the outcome of a letter in the record. */
  const changeItemAndRecord = (
    { changeRecord, ...change }: ItemAndRecordChange,
    mailAnswer: MailAnswer = {},
  ) =>
    commitItemAndRecord({
      ...change,
      changeRecord: (record) => noteOutcome(changeRecord?.(record) ?? record, change, mailAnswer),
    });

  /** Changes an item. If the item moves to or from the refused items, the record of its person changes as well. */
  const changeItem = (change: ItemChange & { item: OutboxItem }) => {
    const queues = [change.entry.item.queue, change.item.queue];
    return queues.includes("refused") ? changeItemAndRecord(change) : commitItem(change);
  };

  const removeIfStopped = (invitation: OutboxEntry) =>
    commitUnlessResumed({ entry: invitation, onlyWhileStopped: true });

  const readDue: OutboxStore["readDue"] = (queue, selection) =>
    readDueItems(kv, queue, { selection, removeIfStopped });

  async function readDueLetters(
    { dueBy, limit }: { dueBy: number; limit: number },
  ): Promise<OutboxEntry[]> {
    const letters: OutboxEntry[] = [];
    for (const queue of LETTER_QUEUES) {
      if (letters.length === limit) break;
      letters.push(...await readDue(queue, { dueBy, limit: limit - letters.length }));
    }
    return letters;
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
      // One letter more is read than can cause a pause, so that another letter can be the probe of the pause.
      const readLimit = Math.max(limit, MAX_CAUSES + 1);
      const dueLetters = await readDueLetters({ dueBy: now(), limit: readLimit });
      if (dueLetters.length === 0) return undefined;
      // Reads the clock again, because KV may have been slow, and a permit is valid only until the end of the minute in
      // which the permit is taken.
      const at = now();
      const wantedCount = Math.min(dueLetters.length, limit);
      const permits = await mailState.takePermits({ at, perMinute, wantedCount });
      const { grantedCount, causedBy, validUntil, hasPause, hasRefusals } = permits;
      const otherLetters = dueLetters.filter(({ id }) => !causedBy.includes(id));
      const candidates = otherLetters.length > 0 ? otherLetters : dueLetters;
      const letters = candidates.slice(0, grantedCount);
      return { letters, validUntil, hasPause, hasRefusals };
    },

    async claimLetter(entry, lease) {
      const claimedEntry = await claim(entry, lease);
      return claimedEntry && {
        ...claimedEntry,
        record: await findRecord(claimedEntry.item.email),
      };
    },

    readDue,
    readFirstDue: (queues) => readFirstDue(kv, queues),
    claim,

    complete: (entry, at, { mailAnswer, delivery } = {}) =>
      changeItemAndRecord({
        entry,
        ...delivery && isEvent(entry.item) && { item: toDeliveredEvent(entry.item, delivery) },
        outcome: { kind: "sent", at },
      }, mailAnswer),

    postpone: (entry, item) =>
      changeItem({
        entry,
        item,
        ...countsAsRefused(item) && {
          outcome: { kind: "refused", at: item.placedAt ?? item.putAt },
        },
      }),

    drop: (entry) => changeItemAndRecord({ entry }),

    refuseRecipient: (entry, { at, reason }) =>
      changeItemAndRecord({
        entry,
        item: { ...entry.item, queue: "refused", dueAt: at, reason },
        outcome: { kind: "refused", at },
        changeRecord: (record) => noteUndeliverable(record, dateTime(at)),
      }),

    async requeue(ids, toWaiting) {
      const items = await findItems(kv, ids);
      await Promise.all(items.map((entry) => {
        if (entry.item.queue !== "refused") return;
        const item = toWaiting({ ...entry.item, queue: queueOf(entry.item.message) });
        return changeItemAndRecord({ entry, item, changeRecord: noteDeliverable });
      }));
    },

    async forgetDelivered({ keep, limit }) {
      const deliveredEvents = await readFirstItems(kv, "delivered", { limit: keep + limit });
      const excessCount = Math.max(0, deliveredEvents.length - keep);
      const excessEvents = deliveredEvents.slice(0, excessCount);
      await Promise.all(excessEvents.map((entry) => changeItemAndRecord({ entry })));
    },
  };
}

/**
 * Notes in a record that a letter to the person was taken, or refused for good. An event leaves the record unchanged.
 */
function noteOutcome(
  record: SignUpRecord,
  { entry: { item: before }, item, outcome }: ItemChange,
  mailAnswer: MailAnswer,
): SignUpRecord {
  const { message } = before;
  if (!outcome || !("letter" in message)) return record;
  const at = dateTime(outcome.at);
  return noteLetterOutcome(record, message.letter, {
    putAt: dateTime(enteredAtOf(before)),
    ...outcome.kind === "sent" ? { takenAt: at } : { refusedAt: at },
    ...item?.reason === undefined ? mailAnswer : { answer: item.reason },
  });
}

const dateTime = (moment: number): string => new Date(moment).toISOString();
