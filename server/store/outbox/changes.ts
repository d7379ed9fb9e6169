/**
 * Collects what one commit changes in the outbox: puts items into it, in the commit of the change that they report, and
 * changes or removes items. Each item is in one queue, at a position that tells when the item is due. `new_letters.ts`
 * stores the new letters of a commit; `work.ts` and `make_due.ts` decide on later changes of an item. @module
 */
import type { ClientAddress } from "../../limits/mod.ts";
import { createRandomIds, type RandomBytes, type Runtime } from "../../runtime/mod.ts";
import {
  causedAtOf,
  type EventType,
  kindOfMessage,
  type Leave,
  type LetterKind,
  type Message,
  momentInOrder,
  type OutboxItem,
  type Queue,
  type SignUpRecord,
  type Step,
  utcDay,
  type WaitingItem,
} from "../../waitlist/mod.ts";
import { type Commit, dueKey, outboxCountKey, outboxKey } from "../kv/mod.ts";
import { type CountedOutcome, outcomeCounterName, queueCounterName } from "./counts.ts";
import { collectNewLetters, momentText, setItem } from "./new_letters.ts";

/** An item of the outbox as it was last read or written. */
export interface OutboxEntry extends WaitingItem {
  /** The version in KV, which the next change of the item checks. */
  version: string;
}

/** Which messages become items of the outbox, and what else the outbox needs to store items. */
export interface OutboxOptions extends Pick<Runtime, "random"> {
  /** Whether mail is set up, so that letters become items. */
  sendsLetters: boolean;
  /** Whether a webhook is set up, so that events become items. */
  sendsEvents: boolean;
  /** Is called when an item is put into the outbox, before the commit, so that the worker wakes. */
  onPut?: () => void;
  /**
   * Counts a letter that a request from a client network causes.
   * @returns how long the letter waits because of the letter limit of this network, in milliseconds
   */
  networkDelay?: (address: ClientAddress) => number;
}

/**
 * Makes a function that gives the delay of a letter, in milliseconds. The delay comes from the letter limit of the
 * network from which the letter was asked for. The function counts the letter only once, however often the commit is
 * tried.
 */
export function createLetterDelay(
  { networkDelay }: OutboxOptions,
  address: ClientAddress | undefined,
): () => number {
  let delayMs: number | undefined;
  return () => delayMs ??= address ? networkDelay?.(address) ?? 0 : 0;
}

/** The options of commits that put nothing into the outbox. */
export const NO_OUTBOX: OutboxOptions = {
  sendsLetters: false,
  sendsEvents: false,
  random: () => {
    throw new Error("Nothing is put into this outbox");
  },
};

/** A change of one item. */
export interface ItemChange {
  /** The item before the change. */
  entry: OutboxEntry;
  /** The item after the change; absent if the change removes the item. */
  item?: OutboxItem;
  /**
   * The outcome that the commit counts; absent if there is no outcome to count. The moment `at` is in milliseconds
   * since 1970.
   */
  outcome?: { kind: CountedOutcome; at: number } | undefined;
}

/**
 * How many random base64url characters follow the moment in a new id. These characters hold at least 128 random bits.
 */
const ID_LENGTH = 22;

/**
 * The functions that make ids, one for each source of random bytes. Commits share such a function, because one draw of
 * random bytes gives the ids of many commits.
 */
const idMakers = new WeakMap<RandomBytes, () => string>();

function nextId(random: RandomBytes): string {
  const makeId = idMakers.get(random) ?? createRandomIds({ length: ID_LENGTH, random });
  idMakers.set(random, makeId);
  return makeId();
}

/**
 * Collects the changes of the outbox in a commit. `finish` adds the new letters and the counters to the commit, and the
 * other functions add everything else.
 */
export interface OutboxChanges {
  /** Puts a message into the outbox, where it is due at once or after a delay. @returns the id of the item */
  put: (item: NewItem) => string;
  /**
   * Puts the letter and the event of a step (a change of a person's record) into the outbox, each with the moment of
   * the change that it reports.
   * @returns the record with the ids of the items; the commit must write this record
   */
  putStep: (email: string, step: Step, options: StepOptions) => SignUpRecord;
  /**
   * Removes the items of a person who leaves, and puts the event about the removal into the outbox. This event holds
   * only the address and the reason.
   */
  replaceItemsByLeave: (
    email: string,
    leave: Leave,
    before: { record: SignUpRecord | undefined; items: OutboxEntry[] },
  ) => void;
  /** Removes the letters to the old address after a correction, and writes the new address into the person's events. */
  correctItems: (newEmail: string, items: OutboxEntry[]) => void;
  /** Changes or removes an item, and counts its outcome. The commit fails if another commit changed the item first. */
  changeItem: (change: ItemChange) => void;
  /** Adds the new letters and the changed counters to the commit. */
  finish: () => void;
}

/** What the letter and the event of a step need besides the step. */
interface StepOptions {
  /** The link of an invitation. */
  invitationUrl?: string | undefined;
  /** The address before a correction. */
  formerEmail?: string | undefined;
  /** Gives how long a letter to an unconfirmed address waits, in milliseconds. By default, the letter does not wait. */
  letterDelay?: (() => number) | undefined;
  /**
   * The present moment, in milliseconds since 1970; absent if the letter reports a change that happens now. The letter
   * about an earlier change is due at this moment, even if a clock that was ahead gave the change a later moment.
   */
  now?: number | undefined;
}

/** A message to put into the outbox. */
interface NewItem extends Pick<OutboxItem, "email" | "recordId" | "message"> {
  /** The moment of the change that the message reports, in milliseconds since 1970. */
  at: number;
  /** The present moment, in milliseconds since 1970; absent if the present moment is `at`. */
  now?: number | undefined;
  /** How long the item waits, in milliseconds; by default, 0. */
  delayMs?: number | undefined;
}

/** Begins to collect changes of the outbox for a commit. */
export function createOutboxChanges(
  commit: Commit,
  { sendsLetters, sendsEvents, random, onPut }: OutboxOptions,
): OutboxChanges {
  /** By how much the commit changes each counter, by the name of the counter. */
  const counterChanges = new Map<string, number>();
  const newId = (at: number) => momentText(at) + nextId(random);
  const newLetters = collectNewLetters(newId);

  function addToCounter(name: string, by: number): void {
    counterChanges.set(name, (counterChanges.get(name) ?? 0) + by);
  }

  function writeItem(id: string, item: OutboxItem): void {
    setItem(commit, id, item);
    addToCounter(queueCounterName(item), 1);
  }

  function applyChange({ entry: { id, item: before }, item, outcome }: ItemChange): void {
    commit.delete(dueKey(before.queue, before.dueAt, id));
    addToCounter(queueCounterName(before), -1);
    if (item) writeItem(id, item);
    else commit.delete(outboxKey(id));
    if (!outcome) return;
    const [type] = kindOfMessage(before.message);
    addToCounter(outcomeCounterName(type, outcome.kind, utcDay(outcome.at)), 1);
  }

  function put({ email, recordId, message, at, now = at, delayMs = 0 }: NewItem): string {
    onPut?.();
    const queue = delayMs > 0 ? "held" : queueOf(message);
    if (queue === "letters" && "letter" in message) {
      addToCounter("due", 1);
      return newLetters.put([email, recordId, message.letter, at]);
    }
    const id = newId(now);
    const dueAt = now + delayMs;
    const momentsOfNow = now !== at && { putAgainAt: now, placedAt: now };
    writeItem(id, { email, recordId, message, queue, putAt: at, ...momentsOfNow, dueAt, tries: 0 });
    return id;
  }

  function putLetter(
    email: string,
    record: SignUpRecord,
    letter: LetterKind,
    { invitationUrl, letterDelay, now }: StepOptions,
  ): string {
    const message: Message = { letter, ...invitationUrl !== undefined && { invitationUrl } };
    // The moment comes from the record, because the worker compares the moments of item and record just before it sends
    // the letter.
    const at = causedAtOf(letter, record);
    const delayMs = record.state === "unconfirmed" ? letterDelay?.() : 0;
    return put({ email, recordId: record.id, message, at, now, delayMs });
  }

  function putEvent(
    email: string,
    record: SignUpRecord,
    event: EventType,
    { formerEmail }: StepOptions,
  ): string {
    // An event has no note, because notes are only for operators and the person.
    const { outbox: _, note: _note, ...recordOfEvent } = record;
    const message: Message = {
      event,
      person: { email, record: recordOfEvent },
      ...formerEmail !== undefined && { formerEmail },
    };
    return put({ email, recordId: record.id, message, at: causedAtOf(event, record) });
  }

  return {
    put,

    putStep(email, { record, letter, event }, options) {
      const ids: string[] = [];
      if (letter && sendsLetters) ids.push(putLetter(email, record, letter, options));
      if (event && sendsEvents) ids.push(putEvent(email, record, event, options));
      return ids.length === 0 ? record : { ...record, outbox: [...record.outbox ?? [], ...ids] };
    },

    replaceItemsByLeave(email, { leaves: reason, at }, { record, items }) {
      for (const entry of items) applyChange({ entry });
      if (!sendsEvents || reason === "corrected") return;
      const message = { event: "signup.left", person: { email, reason } } as const;
      // The moment is never earlier than the last change of the record, because another commit may have made that
      // change after the work that removes the record began.
      const leftAt = record ? momentInOrder(at, Date.parse(record.updatedAt)) : at;
      put({ email, recordId: record?.id ?? "", message, at: leftAt });
    },

    correctItems(newEmail, items) {
      for (const entry of items) {
        const { message } = entry.item;
        if ("letter" in message) applyChange({ entry });
        else {
          const person = { ...message.person, email: newEmail };
          const item = { ...entry.item, email: newEmail, message: { ...message, person } };
          applyChange({ entry, item });
        }
      }
    },

    changeItem(change) {
      const { id, version } = change.entry;
      commit.check({ key: outboxKey(id), version });
      applyChange(change);
    },

    finish() {
      newLetters.write(commit);
      for (const [name, by] of counterChanges) {
        if (by !== 0) commit.add(outboxCountKey(name), by);
      }
    },
  };
}

/** Gives the queue in which a message waits for its turn. */
export function queueOf(message: Message): Queue {
  if ("event" in message) return "events";
  return message.letter === "invitation" ? "invitations" : "letters";
}
