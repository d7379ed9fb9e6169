/** What waits in the outbox: the letters and events of the changes of people, until they are sent. @module */
import type { EventType, LeaveReason, LetterKind } from "./transitions.ts";
import type { SignUpRecord } from "./record.ts";
import { invitationPutAt } from "../../shared/letters_owed.ts";

/**
 * Letters that people wait for; letters held back, as their client network caused too many; invitations; events; what
 * is not tried any more. Of letters, the first queue goes before the next one.
 */
export const QUEUES = ["letters", "held", "invitations", "events", "refused"] as const;

/** The last events that were taken are kept, so that they can be looked at and sent again. */
export type Queue = typeof QUEUES[number] | "delivered";

/** What became of the last try to deliver an event. */
export interface Delivery {
  /** When it began, in milliseconds since 1970, and how long it took. */
  at: number;
  ms: number;
  /** Absent where no answer came; `answer` says why then. */
  status?: number;
  /** The beginning of the answer, without addresses. */
  answer: string;
}

/** What a message needs besides the record. Of who has left, an event says no more than the address and the reason. */
export type Message =
  | { letter: LetterKind; invitationUrl?: string }
  | {
    event: EventType;
    person: { email: string } & ({ reason: LeaveReason } | { record: SignUpRecord });
    formerEmail?: string;
  };

export interface OutboxItem {
  email: string;
  /** A letter to a person with another record is not sent. */
  recordId: string;
  message: Message;
  queue: Queue;
  /** In milliseconds since 1970, like all times here. */
  putAt: number;
  /** For a refused item, when it was refused. */
  dueAt: number;
  /** When it was scheduled last; `putAt` if absent. */
  placedAt?: number;
  /** The attempts that have begun. */
  tries: number;
  /** It holds no address. */
  reason?: string;
  delivery?: Delivery;
}

/** The id stays the same over all attempts. */
export interface WaitingItem {
  id: string;
  item: OutboxItem;
}

/** Whether an item was refused: a letter that ended, or any try of an event, which would else show after days. */
export const isRefusal = ({ message, queue }: OutboxItem): boolean =>
  "event" in message || queue === "refused";

/** Gives a taken event as it is kept: without any address where that has left the list, as it cannot be sent again. */
export function keptAfter(item: OutboxItem, delivery: Delivery): OutboxItem {
  const { reason: _, message, ...rest } = item;
  const kept = { ...rest, message, queue: "delivered", dueAt: delivery.at, delivery } as const;
  if (!("event" in message)) return kept;
  const { event, person, formerEmail } = message;
  if ("record" in person && formerEmail === undefined) return kept;
  const nobody = { email: "", reason: "person" } as const;
  return { ...kept, email: "", recordId: "", message: { event, person: nobody } };
}

export function aboutOf(message: Message): ["letters" | "events", kind: string] {
  return "letter" in message ? ["letters", message.letter] : ["events", message.event];
}

/** How far the clocks of processes may differ, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Gives the moment of a change, which is no earlier than what came first to the person. Where that is further ahead
 * than clocks may differ, it came from a clock that was wrong, and the change keeps its own moment. Both are in
 * milliseconds since 1970.
 */
export function notBefore(at: number, first: number): number {
  return first > at && first - at <= CLOCK_TOLERANCE_MS ? first : at;
}

/** The same for an item that another process may be sending: less than a lease is longer than an attempt. */
const CLAIM_TOLERANCE_MS = 3 * CLOCK_TOLERANCE_MS;

/** Whether an item was scheduled at a moment still to come, by a clock that was ahead: then it need not wait longer. */
export function isSkewed({ placedAt, putAt, tries }: OutboxItem, now: number): boolean {
  const tolerance = tries === 0 ? CLOCK_TOLERANCE_MS : CLAIM_TOLERANCE_MS;
  return (placedAt ?? putAt) > now + tolerance;
}

/** When a letter was last put into the outbox for a person, or a change came that an event tells of. */
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

/** The moment of the letter or the event that a change of a record brings, in milliseconds since 1970. */
export const timeOf = (kind: LetterKind | EventType, record: SignUpRecord): number =>
  Date.parse(TIMES[kind](record) ?? "");

/** Whether a letter still fits the person, after it may have waited for long. */
export function isWanted({ message, recordId, putAt }: OutboxItem, record: SignUpRecord): boolean {
  if (!("letter" in message) || record.id !== recordId) return false;
  if (record.undeliverableAt || record.complainedAt) return false;
  const { letter } = message;
  if (letter === "confirmation" && record.state !== "unconfirmed") return false;
  if (letter === "invitation" && record.state === "accepted") return false;
  return timeOf(letter, record) === putAt;
}
