/**
 * Puts items into the outbox. An item is written in the commit of what it tells of, is in one queue at a position that
 * tells when it is due, and is claimed by moving it behind a lease: so a process that is killed delays it and never
 * loses it. The new letters of a commit share an entry before; see `new_letters.ts`. @module
 */
import type { ClientAddress } from "../../limits/mod.ts";
import { createRandomIds, type RandomBytes, type Runtime } from "../../runtime/mod.ts";
import {
  aboutOf,
  type Leave,
  type Message,
  notBefore,
  type OutboxItem,
} from "../../waitlist/mod.ts";
import { type Queue, type SignUpRecord, type Step, timeOf, utcDay } from "../../waitlist/mod.ts";
import { type WaitingItem } from "../../waitlist/mod.ts";
import { type Commit, dueKey, outboxCountKey, outboxKey } from "../kv/mod.ts";
import { collectNewLetters, momentText, setItem } from "./new_letters.ts";

export type TryOutcome = "sent" | "refused";

export function outcomeName(about: "letters" | "events", outcome: TryOutcome, day: string): string {
  return about === "letters" ? `${outcome} ${day}` : `${about} ${outcome} ${day}`;
}

export interface OutboxEntry extends WaitingItem {
  /** The next change of the item checks it. */
  version: string;
}

/** Without mail there are no letters, and without a webhook no events. */
export interface OutboxOptions extends Pick<Runtime, "random"> {
  letters: boolean;
  events: boolean;
  onPut?: () => void;
  /** Counts a letter to an unconfirmed address that a client network causes; gives the milliseconds that it waits. */
  networkDelay?: (address: ClientAddress) => number;
}

/** Makes the function that asks once how many milliseconds a letter waits that a client address causes. */
export function letterDelayOf({ networkDelay }: OutboxOptions, address: ClientAddress | undefined) {
  let delayMs: number | undefined;
  return () => delayMs ??= address ? networkDelay?.(address) ?? 0 : 0;
}

export const NO_OUTBOX: OutboxOptions = {
  letters: false,
  events: false,
  random: () => {
    throw new Error("Nothing is put into this outbox");
  },
};

export interface ItemChange {
  entry: OutboxEntry;
  item?: OutboxItem;
  /** In milliseconds since 1970. */
  outcome?: [TryOutcome, at: number] | undefined;
}

/** As many characters as 128 random bits take. */
const ID_LENGTH = 22;

/** One for each source of random bytes, as one draw of bytes gives the ids of many commits. */
const idMakers = new WeakMap<RandomBytes, () => string>();

function nextId(random: RandomBytes): string {
  const make = idMakers.get(random) ?? createRandomIds({ length: ID_LENGTH, random });
  idMakers.set(random, make);
  return make();
}

export type OutboxChanges = ReturnType<typeof createOutboxChanges>;

/** Collects the items that a commit puts into the outbox, and how its counts move. */
export function createOutboxChanges(
  commit: Commit,
  { letters, events, random, onPut }: OutboxOptions,
) {
  const counts = new Map<string, number>();
  const newId = (at: number) => momentText(at) + nextId(random);
  const newLetters = collectNewLetters(newId);

  function count(name: string, by: number): void {
    counts.set(name, (counts.get(name) ?? 0) + by);
  }

  function write(id: string, item: OutboxItem): void {
    setItem(commit, id, item);
    count(countOf(item), 1);
  }

  function apply({ entry: { id, item: before }, item, outcome }: ItemChange): void {
    commit.delete(dueKey(before.queue, before.dueAt, id));
    count(countOf(before), -1);
    if (item) write(id, item);
    else commit.delete(outboxKey(id));
    if (!outcome) return;
    const [tried, at] = outcome;
    count(outcomeName(aboutOf(before.message)[0], tried, utcDay(at)), 1);
  }

  /** Puts a message, due at once or held back; gives its id. */
  function put(
    { at, now = at, message, delayMs = 0, ...about }:
      & Pick<OutboxItem, "email" | "recordId" | "message">
      & {
        at: number;
        now?: number | undefined;
        delayMs?: number | undefined;
      },
  ): string {
    onPut?.();
    const queue = delayMs > 0 ? "held" : queueOf(message);
    if (queue === "letters" && "letter" in message) {
      count("due", 1);
      return newLetters.put([about.email, about.recordId, message.letter, at]);
    }
    const id = newId(at);
    const dueAt = Math.min(at, now) + delayMs;
    const placed = dueAt < at && { placedAt: now };
    write(id, { ...about, message, queue, putAt: at, ...placed, dueAt, tries: 0 });
    return id;
  }

  return {
    put,

    /**
     * Puts what a step leads to into the outbox; an event carries the moment of its own change. Gives the record with
     * the ids, which the commit writes.
     * @param options.letterDelay gives the milliseconds that a letter to an unconfirmed address waits
     * @param options.now the present moment, in milliseconds since 1970, where the letter belongs to an earlier change.
     * The letter would wait for the moment of that change if a clock was ahead then
     */
    putStep(
      email: string,
      { record, letter, event }: Step,
      { invitationUrl, letterDelay, formerEmail, now }: {
        now?: number | undefined;
        invitationUrl?: string | undefined;
        formerEmail?: string | undefined;
        letterDelay?: (() => number) | undefined;
      },
    ): SignUpRecord {
      const about = { email, recordId: record.id };
      const ids: string[] = [];
      if (letter && letters) {
        const message: Message = { letter, ...invitationUrl !== undefined && { invitationUrl } };
        // A letter is compared with this time, before it is sent.
        const at = timeOf(letter, record);
        const delayMs = record.state === "unconfirmed" ? letterDelay?.() : 0;
        ids.push(put({ ...about, message, at, now, delayMs }));
      }
      if (event && events) {
        const { outbox: _, ...person } = record;
        const former = formerEmail !== undefined && { formerEmail };
        const message: Message = { event, person: { email, record: person }, ...former };
        ids.push(put({ ...about, message, at: timeOf(event, record) }));
      }
      return ids.length === 0 ? record : { ...record, outbox: [...record.outbox ?? [], ...ids] };
    },

    /** Tells that a person has left: the person's items go, and the event has only the address. */
    putLeave(
      email: string,
      { leaves: reason, at }: Leave,
      { record, items }: { record: SignUpRecord | undefined; items: OutboxEntry[] },
    ): void {
      for (const entry of items) apply({ entry });
      if (!events || reason === "corrected") return;
      const message = { event: "signup.left", person: { email, reason } } as const;
      // The record may have been changed after the work that removes it began.
      const leftAt = record ? notBefore(at, Date.parse(record.updatedAt)) : at;
      put({ email, recordId: record?.id ?? "", message, at: leftAt });
    },

    /** A person gets another address: the letters to the old one go, and events about the person tell the new one. */
    correct(email: string, items: OutboxEntry[]): void {
      for (const entry of items) {
        const { message } = entry.item;
        if ("letter" in message) apply({ entry });
        else {
          const person = { ...message.person, email };
          apply({ entry, item: { ...entry.item, email, message: { ...message, person } } });
        }
      }
    },

    /** Moves or removes an item, unless another commit comes first; counts what became of an attempt, by the day. */
    change(change: ItemChange): void {
      const { id, version } = change.entry;
      commit.check({ key: outboxKey(id), version });
      apply(change);
    },

    finish(): void {
      newLetters.write(commit);
      for (const [name, by] of counts) {
        if (by !== 0) commit.add(outboxCountKey(name), by);
      }
    },
  };
}

const countOf = ({ queue }: OutboxItem) =>
  queue === "refused" || queue === "held" || queue === "delivered" ? queue : "due";

export function queueOf(message: Message): Queue {
  if ("event" in message) return "events";
  return message.letter === "invitation" ? "invitations" : "letters";
}
