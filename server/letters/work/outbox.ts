/**
 * What the worker needs of the store: the items of the outbox, and what all processes share about letters.
 *
 * @module
 */
import type { OutboxItem, Queue, SignUpRecord, WaitingItem } from "../../waitlist/mod.ts";

/** What the worker does in the store; `Entry` is an item as it was last read or written there. */
export interface OutboxWork<Entry extends WaitingItem> {
  /** Reads what is due in a queue, the oldest first. */
  readDue: (queue: Queue, options: { until: number; limit: number }) => Promise<Entry[]>;
  /** Reads when the first item of a queue is due, in milliseconds since 1970. */
  readFirstDue: (queue: Queue) => Promise<number | undefined>;
  /** Counts an attempt and moves the item to the end of its lease; `undefined` where another process has it. */
  claim: (entry: Entry, lease: { at: number; until: number }) => Promise<Entry | undefined>;
  findRecord: (email: string) => Promise<SignUpRecord | undefined>;
  sent: (entry: Entry, at: number) => Promise<unknown>;
  drop: (entry: Entry) => Promise<unknown>;
  postpone: (entry: Entry, item: OutboxItem) => Promise<unknown>;
  refuseRecipient: (entry: Entry, failure: { at: number; reason: string }) => Promise<unknown>;
  /** Takes refused letters back, as `nextOf` gives them, and lifts the marks of their people. */
  takeBack: (ids: string[], nextOf: (item: OutboxItem) => OutboxItem) => Promise<unknown>;
}

/** What all processes share about letters. */
export interface MailPermits {
  /** Gives one permit after a pause, with the letters that met it; another one is tried first. */
  takePermits: (request: { at: number; perMinute: number; wanted: number }) => Promise<{
    granted: number;
    pause: { metBy?: string[] } | undefined;
    hasRefused: boolean;
  }>;
  pause: (pause: {
    at: number;
    reason: string;
    metBy: string[];
    delayOf: (count: number) => number;
  }) => Promise<void>;
  /** Lets a letter find out whether a pause is over. */
  probe: (at: number) => Promise<void>;
  /** Notes a letter that was refused for good; gives the first ones since the last that was taken. */
  noteRefused: (id: string) => Promise<string[]>;
  resume: () => Promise<void>;
}
