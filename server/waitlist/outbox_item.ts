/**
 * The items of the outbox: letters and events about changes of people, which wait until they are sent. This file also
 * decides whether a waiting letter is still to be sent. @module
 */
import { invitationPutAt } from "../../shared/letters_owed.ts";
import { CLOCK_TOLERANCE_MS } from "./clock_tolerance.ts";
import type { SignUpRecord } from "./record.ts";
import type { EventType, LeaveReason, LetterKind } from "./transitions.ts";

/**
 * The queues of the outbox: confirmations and links; letters that wait because of the limit of a client network;
 * invitations; events; items that are not tried any more. Letters of an earlier queue are sent first.
 */
export const QUEUES = ["letters", "held", "invitations", "events", "refused"] as const;

/** A queue, or the list of the last delivered events, which an operator can look at and send again. */
export type Queue = typeof QUEUES[number] | "delivered";

/** The result of the last attempt to deliver an event. */
export interface Delivery {
  /** The moment when the attempt began, in milliseconds since 1970. */
  at: number;
  /** The duration of the attempt, in milliseconds. */
  ms: number;
  /** The HTTP status of the answer. Absent if no answer came; `answer` then has the reason. */
  status?: number;
  /** The beginning of the answer, without addresses. */
  answer: string;
}

/**
 * The content of a letter or an event. The rest comes from the person's record when it is sent; an event about a person
 * who left has only the address and the reason. `formerEmail` is the old address after a correction.
 */
export type Message =
  | { letter: LetterKind; invitationUrl?: string }
  | {
    event: EventType;
    person: { email: string } & ({ reason: LeaveReason } | { record: SignUpRecord });
    formerEmail?: string;
  };

export interface OutboxItem {
  email: string;
  /** The id of the person's record. A letter is not sent if the address has another record when the letter is due. */
  recordId: string;
  message: Message;
  queue: Queue;
  /**
   * The moment of the change that put the item into the outbox, which {@linkcode causedAtOf} reads from the record. All
   * moments of this type are in milliseconds since 1970.
   */
  putAt: number;
  /** The moment of the next attempt. For a refused item, it is the moment of the refusal. */
  dueAt: number;
  /** The moment when `dueAt` was set. Absent if `dueAt` was set at `putAt`. */
  placedAt?: number;
  /** The number of attempts that have begun. */
  tries: number;
  /** The reason of the last failure, without addresses. */
  reason?: string;
  delivery?: Delivery;
}

/** An item with its id, which stays the same over all attempts. */
export interface WaitingItem {
  id: string;
  item: OutboxItem;
}

/**
 * Whether an item counts as refused after a failed attempt: a letter after its last attempt, which moves it into the
 * queue `refused`, but an event after each failed attempt, because operators must learn of a failing webhook at once,
 * and not after days.
 */
export const countsAsRefused = ({ message, queue }: OutboxItem): boolean =>
  "event" in message || queue === "refused";

/**
 * Gives a delivered event in the form in which it is stored. It has no address if the person has left the list or the
 * address was corrected, because no old address may stay in the store.
 */
export function deliveredEvent(item: OutboxItem, delivery: Delivery): OutboxItem {
  const { reason: _, message, ...unchanged } = item;
  const delivered = {
    ...unchanged,
    message,
    queue: "delivered",
    dueAt: delivery.at,
    delivery,
  } as const;
  if (!("event" in message)) return delivered;
  const { event, person, formerEmail } = message;
  if ("record" in person && formerEmail === undefined) return delivered;
  // The type needs a reason. It is never shown, and it is not true for the event of a corrected address.
  const nobody = { email: "", reason: "person" } as const;
  return { ...delivered, email: "", recordId: "", message: { event, person: nobody } };
}

/** Gives whether a message is a letter or an event, and which kind of letter or event it is. */
export function kindOfMessage(message: Message): ["letters" | "events", kind: string] {
  return "letter" in message ? ["letters", message.letter] : ["events", message.event];
}

/**
 * How far ahead of the clock a claimed item may have been scheduled, in milliseconds. It is less than the difference
 * between the length of a lease and the longest time of an attempt.
 */
const CLAIM_TOLERANCE_MS = 3 * CLOCK_TOLERANCE_MS;

/** Whether a clock that was ahead scheduled an item, so that the item would wait too long. */
export function isSkewed({ placedAt, putAt, tries }: OutboxItem, now: number): boolean {
  const tolerance = tries === 0 ? CLOCK_TOLERANCE_MS : CLAIM_TOLERANCE_MS;
  return (placedAt ?? putAt) > now + tolerance;
}

/** Reads from a record the moment of the last change that caused a letter or an event of a kind. */
const READ_CAUSED_AT: Record<LetterKind | EventType, (record: SignUpRecord) => string | undefined> =
  {
    "confirmation": ({ confirmations }) => confirmations?.lastAt,
    "link": ({ linkAt }) => linkAt,
    "invitation": invitationPutAt,
    "signup.joined": ({ createdAt }) => createdAt,
    "signup.confirmed": ({ proof, updatedAt }) => proof?.confirmedAt ?? updatedAt,
    "signup.corrected": ({ corrections }) => corrections?.at(-1)?.at,
    "signup.invited": ({ invitedAt, updatedAt }) => invitedAt ?? updatedAt,
    "signup.accepted": ({ acceptedAt, updatedAt }) => acceptedAt ?? updatedAt,
    "signup.left": ({ updatedAt }) => updatedAt,
  };

/** Gives the moment of the last change that caused a letter or an event of a kind, in milliseconds since 1970. */
export const causedAtOf = (kind: LetterKind | EventType, record: SignUpRecord): number =>
  Date.parse(READ_CAUSED_AT[kind](record) ?? "");

/**
 * Whether a waiting letter is still to be sent. A letter is not sent if the record tells of a later letter of the same
 * kind. @param record the present record of the person
 */
export function isWanted({ message, recordId, putAt }: OutboxItem, record: SignUpRecord): boolean {
  if (!("letter" in message) || record.id !== recordId) return false;
  if (record.undeliverableAt || record.complainedAt) return false;
  const { letter } = message;
  if (letter === "confirmation" && record.state !== "unconfirmed") return false;
  if (letter === "invitation" && record.state === "accepted") return false;
  return causedAtOf(letter, record) === putAt;
}
