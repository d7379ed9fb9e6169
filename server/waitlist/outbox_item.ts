/**
 * The items of the outbox: letters, and events about changes of people. Items wait in the outbox until they are sent.
 * `message_causes.ts` decides whether a waiting letter must still be sent. @module
 */
import { CLOCK_TOLERANCE_MS } from "./clock_tolerance.ts";
import type { SignUpRecord } from "./record.ts";
import type { EventType, LeaveReason, LetterKind } from "./transitions.ts";

/**
 * The queues of the outbox. The names must not change, because the store has them. `letters` has confirmations and
 * links; `held` has letters that wait because of the limit of a client network; `refused` has items that are not tried
 * again until an operator makes them due. Letters of a queue are sent before those of a later queue.
 */
export const QUEUES = ["letters", "held", "invitations", "events", "refused"] as const;

/**
 * The place of an item: a queue, or the list of the last delivered events. An operator can look at this list, and send
 * its events again.
 */
export type Queue = typeof QUEUES[number] | "delivered";

/** The result of the last attempt to deliver an event. */
export interface Delivery {
  /** The moment at which the attempt began, in milliseconds since 1970. */
  at: number;
  /** The duration of the attempt, in milliseconds. */
  ms: number;
  /** The HTTP status of the answer. Absent if no answer came; `answer` then has the reason. */
  status?: number;
  /** The beginning of the answer, without addresses. If no answer came, the reason. */
  answer: string;
}

/** The content of a letter. All other data are taken from the person's record when the letter is sent. */
export interface LetterMessage {
  letter: LetterKind;
  /** The link of an invitation. Absent for other letters. */
  invitationUrl?: string;
}

/** The content of an event. */
export interface EventMessage {
  event: EventType;
  /** The address and the record after the change. If the person has left, the address and the reason. */
  person: { email: string } & ({ reason: LeaveReason } | { record: SignUpRecord });
  /** The address before a correction. Absent for other events. */
  formerEmail?: string;
}

/** What an item sends. */
export type Message = LetterMessage | EventMessage;

/** An item of the outbox: a letter or an event, and its place in a queue. */
export interface OutboxItem {
  email: string;
  /**
   * The id of the person's record. If the address has another record when the letter is due, the letter is not sent.
   */
  recordId: string;
  message: Message;
  queue: Queue;
  /**
   * The moment of the change that caused the item; `causedAtOf()` reads the same moment from the record. All
   * moments of this type are in milliseconds since 1970.
   */
  putAt: number;
  /** The moment at which a letter was put into the outbox again. Absent if the item was put there at the moment `putAt`. */
  putAgainAt?: number;
  /**
   * The moment of the next attempt. A refused item has the moment of the refusal, and a delivered event the moment of
   * the delivery.
   */
  dueAt: number;
  /** The moment at which `dueAt` was set. Absent if `dueAt` was set at the moment `putAt`. */
  placedAt?: number;
  /**
   * The number of attempts that have begun since the item was put into the outbox, or since an operator made the item
   * due again. An attempt that ended because the mail server accepts no letter does not count.
   */
  tries: number;
  /** The reason of the last failure, without addresses. */
  reason?: string;
  /** The last attempt to deliver the event. Absent for a letter. */
  delivery?: Delivery;
}

/** Gives the moment at which an item was put into the outbox. */
export const enteredAtOf = ({ putAt, putAgainAt = putAt }: OutboxItem): number => putAgainAt;

/** An item of the outbox that is an event. */
export interface EventItem extends OutboxItem {
  message: EventMessage;
}

/** Whether an item is an event, and not a letter. */
export const isEvent = (item: OutboxItem): item is EventItem => "event" in item.message;

/** An item and its id. The id stays the same for all attempts. */
export interface WaitingItem {
  id: string;
  item: OutboxItem;
}

/**
 * Whether an item counts as refused after a failed attempt. A letter counts only after its last attempt, when it is in
 * the queue `refused`. An event counts after each failed attempt, because operators must learn at once, and not after
 * days, that a webhook fails.
 */
export const countsAsRefused = (item: OutboxItem): boolean =>
  isEvent(item) || item.queue === "refused";

/**
 * Turns a sent event into an item of the list of delivered events. If the person has left the waitlist or the address
 * was corrected, the result has no address, because an old address must not stay in the store.
 */
export function toDeliveredEvent(item: EventItem, delivery: Delivery): EventItem {
  const { reason: _, ...unchanged } = item;
  const delivered = { ...unchanged, queue: "delivered", dueAt: delivery.at, delivery } as const;
  const { event, person, formerEmail } = item.message;
  if ("record" in person && formerEmail === undefined) return delivered;
  // The type demands a reason. This reason is never shown, and it is wrong for the event about a corrected address.
  const nobody = { email: "", reason: "person" } as const;
  return { ...delivered, email: "", recordId: "", message: { event, person: nobody } };
}

/** Gives whether a message is a letter or an event, and its kind, such as `invitation` or `signup.joined`. */
export function kindOfMessage(message: Message): ["letters" | "events", kind: string] {
  return "letter" in message ? ["letters", message.letter] : ["events", message.event];
}

/**
 * How far in the future the `placedAt` of an item with attempts may be, in milliseconds. If `placedAt` is further
 * ahead, it was set by a wrong clock. A process that sends an item claims it for a time, the lease (`LEASE_MS`). The
 * lease must be longer than the longest attempt by more than this tolerance.
 */
const CLAIM_TOLERANCE_MS = 3 * CLOCK_TOLERANCE_MS;

/**
 * Whether an item was scheduled by a clock that was ahead, so that the item would wait too long. Items with attempts
 * have a larger tolerance, because a process may be sending them.
 * @param now the present moment, in milliseconds since 1970
 */
export function isPlacedByWrongClock({ placedAt, putAt, tries }: OutboxItem, now: number): boolean {
  const tolerance = tries === 0 ? CLOCK_TOLERANCE_MS : CLAIM_TOLERANCE_MS;
  return (placedAt ?? putAt) > now + tolerance;
}
