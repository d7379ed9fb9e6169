/** The items of the outbox: letters and events about changes of people, which wait until they are sent. @module */
import { invitationPutAt } from "../../shared/letters_owed.ts";
import type { SignUpRecord } from "./record.ts";
import type { EventType, LeaveReason, LetterKind } from "./transitions.ts";

/**
 * The queues of the outbox: confirmations and links; letters that the limit of a client network holds back;
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
  /** The HTTP status. Without an answer it is absent, and `answer` has the reason. */
  status?: number;
  /** The beginning of the answer, without addresses. */
  answer: string;
}

/**
 * The content of an item besides the record. An event about a person who left has only the address and the reason.
 * `formerEmail` is the old address after a correction.
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
  /** The record's id. A letter is not sent once the address has another record. */
  recordId: string;
  message: Message;
  queue: Queue;
  /** The moment when the item was put into the outbox, in milliseconds since 1970 as all times of this type. */
  putAt: number;
  /** The moment of the next attempt, or of the refusal for a refused item. */
  dueAt: number;
  /** The moment when `dueAt` was set, if that was not at `putAt`. */
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
 * Whether an item counts as refused after a failed attempt: a letter after its last attempt, but an event after each
 * attempt, because its last attempt comes only after days.
 */
export const isRefusal = ({ message, queue }: OutboxItem): boolean =>
  "event" in message || queue === "refused";

/**
 * Gives a delivered event in the form in which it is stored. It has no address where the person has left the list or
 * the address was corrected, so that no old address stays in the store.
 */
export function deliveredEvent(item: OutboxItem, delivery: Delivery): OutboxItem {
  const { reason: _, message, ...rest } = item;
  const kept = { ...rest, message, queue: "delivered", dueAt: delivery.at, delivery } as const;
  if (!("event" in message)) return kept;
  const { event, person, formerEmail } = message;
  if ("record" in person && formerEmail === undefined) return kept;
  const nobody = { email: "", reason: "person" } as const;
  return { ...kept, email: "", recordId: "", message: { event, person: nobody } };
}

/** Gives whether a message is a letter or an event, and its kind. */
export function aboutOf(message: Message): ["letters" | "events", kind: string] {
  return "letter" in message ? ["letters", message.letter] : ["events", message.event];
}

/** The largest difference between the clocks of two processes, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Gives the moment of a change, which is not before an earlier change of the same person. An earlier change that is
 * further ahead than clocks may differ came from a wrong clock, and does not count.
 *
 * @param at the moment of the change, in milliseconds since 1970
 * @param first the moment of the earlier change, in milliseconds since 1970
 */
export function notBefore(at: number, first: number): number {
  return first > at && first - at <= CLOCK_TOLERANCE_MS ? first : at;
}

/** The tolerance for a claimed item, in milliseconds. A lease is longer than an attempt by more than this. */
const CLAIM_TOLERANCE_MS = 3 * CLOCK_TOLERANCE_MS;

/** Whether a clock that was ahead scheduled an item, so that the item would wait too long. */
export function isSkewed({ placedAt, putAt, tries }: OutboxItem, now: number): boolean {
  const tolerance = tries === 0 ? CLOCK_TOLERANCE_MS : CLAIM_TOLERANCE_MS;
  return (placedAt ?? putAt) > now + tolerance;
}

/** The moment in the record of the last letter of a kind, or of the change that an event is about. */
const TIMES: Record<LetterKind | EventType, (record: SignUpRecord) => string | undefined> = {
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

/** Gives the moment of a letter or an event that a change of a record caused, in milliseconds since 1970. */
export const timeOf = (kind: LetterKind | EventType, record: SignUpRecord): number =>
  Date.parse(TIMES[kind](record) ?? "");

/** Whether a letter that has waited is still to be sent, which depends on the present record of the person. */
export function isWanted({ message, recordId, putAt }: OutboxItem, record: SignUpRecord): boolean {
  if (!("letter" in message) || record.id !== recordId) return false;
  if (record.undeliverableAt || record.complainedAt) return false;
  const { letter } = message;
  if (letter === "confirmation" && record.state !== "unconfirmed") return false;
  if (letter === "invitation" && record.state === "accepted") return false;
  return timeOf(letter, record) === putAt;
}
