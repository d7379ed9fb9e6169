/**
 * Puts items into the outbox. An item is written in the commit of what it tells of, is in one queue at a position that
 * tells when it is due, and is claimed by moving it behind a lease: so a process that is killed delays it and never
 * loses it.
 *
 * @module
 */
import { base64url } from "jose";
import type { ClientAddress } from "../../limits/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  aboutOf,
  type LeaveReason,
  type Message,
  type OutboxItem,
  type Queue,
  type SignUpRecord,
  type Step,
  timeOf,
  utcDay,
  type WaitingItem,
} from "../../waitlist/mod.ts";
import { addToNumber, dueKey, outboxCountKey, outboxKey } from "../kv/mod.ts";

export type TryOutcome = "sent" | "refused";

export function outcomeName(about: "letters" | "events", outcome: TryOutcome, day: string): string {
  return about === "letters" ? `${outcome} ${day}` : `${about} ${outcome} ${day}`;
}

export interface OutboxEntry extends WaitingItem {
  /** The next change of the item checks it. */
  versionstamp: string;
}

/** Without mail there are no letters, and without a webhook no events. */
export interface OutboxOptions extends Pick<Runtime, "random"> {
  letters: boolean;
  events: boolean;
  onPut?: () => void;
  /** Counts a letter to an unconfirmed address that a client network causes; gives the milliseconds that it waits. */
  throttle?: (address: ClientAddress) => number;
}

/** Makes the function that asks once how many milliseconds a letter waits that a client address causes. */
export function letterDelayOf(
  { throttle }: OutboxOptions,
  address: ClientAddress | undefined,
): () => number {
  let delayMs: number | undefined;
  return () => delayMs ??= address ? throttle?.(address) ?? 0 : 0;
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
  /** The item is removed if absent. */
  item?: OutboxItem;
  /** In milliseconds since 1970. */
  outcome?: [TryOutcome, at: number] | undefined;
}

/** Collects the items that a commit puts into the outbox, and how its counts move. */
export class OutboxChanges {
  readonly #commit: Deno.AtomicOperation;
  readonly #options: OutboxOptions;
  readonly #counts = new Map<string, number>();

  constructor(commit: Deno.AtomicOperation, options: OutboxOptions) {
    this.#commit = commit;
    this.#options = options;
  }

  /**
   * Puts what a step leads to into the outbox; an event carries the moment of its own change. Gives the record with
   * the ids, which the commit writes.
   *
   * @param options.letterDelay gives the milliseconds that a letter to an unconfirmed address waits
   */
  putStep(
    email: string,
    { record, letter, event }: Step,
    { invitationUrl, letterDelay }: {
      invitationUrl?: string | undefined;
      letterDelay?: (() => number) | undefined;
    },
  ): SignUpRecord {
    const about = { email, recordId: record.id };
    const ids: string[] = [];
    if (letter && this.#options.letters) {
      const message: Message = { letter, ...invitationUrl !== undefined && { invitationUrl } };
      // A letter is compared with this time, before it is sent.
      const at = timeOf(letter, record);
      const delayMs = record.state === "unconfirmed" ? letterDelay?.() : 0;
      ids.push(this.put({ ...about, message, at, delayMs }));
    }
    if (event && this.#options.events) {
      const { outbox: _, ...person } = record;
      const at = timeOf(event, record);
      ids.push(this.put({ ...about, message: { event, person: { email, record: person } }, at }));
    }
    return ids.length === 0 ? record : { ...record, outbox: [...record.outbox ?? [], ...ids] };
  }

  /**
   * Tells that a person has left, whose record may be unreadable: other items go, and the event has only the address.
   */
  putLeft(
    items: OutboxEntry[],
    { email, record, reason, at }: {
      email: string;
      record: SignUpRecord | undefined;
      reason: LeaveReason;
      at: number;
    },
  ): void {
    for (const entry of items) this.#apply({ entry });
    if (!this.#options.events) return;
    const message = { event: "signup.left", person: { email, reason } } as const;
    // The record may have been changed after the work that removes it began.
    const after = record ? Date.parse(record.updatedAt) : at;
    this.put({ email, recordId: record?.id ?? "", message, at: Math.max(at, after) });
  }

  /** Puts a message, due at once or held back; gives its id. */
  put(
    { at, message, delayMs = 0, ...about }: Pick<OutboxItem, "email" | "recordId" | "message"> & {
      at: number;
      delayMs?: number | undefined;
    },
  ): string {
    // The time comes first, so that new items are neighbours in the engine's file.
    const id = at.toString(36).padStart(9, "0") + base64url.encode(this.#options.random(ID_BYTES));
    const queue = delayMs > 0 ? "held" : queueOf(message);
    this.#write(id, { ...about, message, queue, putAt: at, dueAt: at + delayMs, tries: 0 });
    this.#options.onPut?.();
    return id;
  }

  /** Moves or removes an item, unless another commit comes first; counts what became of an attempt, by the day. */
  change(change: ItemChange): void {
    const { id, versionstamp } = change.entry;
    this.#commit.check({ key: outboxKey(id), versionstamp });
    this.#apply(change);
  }

  #apply({ entry: { id, item: before }, item, outcome }: ItemChange): void {
    this.#commit.delete(dueKey(before.queue, before.dueAt, id));
    this.#count(countOf(before), -1);
    if (item) this.#write(id, item);
    else this.#commit.delete(outboxKey(id));
    if (!outcome) return;
    const [tried, at] = outcome;
    this.#count(outcomeName(aboutOf(before.message)[0], tried, utcDay(at)), 1);
  }

  finish(): void {
    for (const [name, by] of this.#counts) {
      if (by !== 0) addToNumber(this.#commit, outboxCountKey(name), by);
    }
  }

  #write(id: string, item: OutboxItem): void {
    this.#commit.set(outboxKey(id), item).set(dueKey(item.queue, item.dueAt, id), true);
    this.#count(countOf(item), 1);
  }

  #count(name: string, by: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }
}

const ID_BYTES = 16;

const countOf = ({ queue }: OutboxItem) => queue === "refused" || queue === "held" ? queue : "due";

export function queueOf(message: Message): Queue {
  if ("event" in message) return "events";
  return message.letter === "invitation" ? "invitations" : "letters";
}
