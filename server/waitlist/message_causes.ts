/**
 * The changes that cause letters and events, and whether the change that caused a waiting letter still demands the
 * letter. @module
 */
import { invitationPutAt } from "../../shared/missing_invitation_letter.ts";
import type { OutboxItem } from "./outbox_item.ts";
import type { SignUpRecord } from "./record.ts";
import type { EventType, LetterKind } from "./transitions.ts";

/**
 * For each kind of letter or event, reads from a record the moment of the last change that caused such a letter or
 * event.
 */
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

/**
 * Gives the moment of the last change that caused a letter or an event of a kind, in milliseconds since 1970. The
 * result is `NaN` if the record has no such moment.
 */
export const causedAtOf = (kind: LetterKind | EventType, record: SignUpRecord): number =>
  Date.parse(READ_CAUSED_AT[kind](record) ?? "");

/**
 * Whether a waiting letter must still be sent. It is not sent if the address has another record now, if the person gets
 * no letters or does not need this letter any more, or if the record shows that a later letter of the same kind was put
 * into the outbox.
 * @param record the present record of the person
 */
export function mustStillBeSent(
  { message, recordId, putAt }: OutboxItem,
  record: SignUpRecord,
): boolean {
  if (!("letter" in message) || record.id !== recordId) return false;
  if (record.undeliverableAt || record.complainedAt) return false;
  const { letter } = message;
  if (letter === "confirmation" && record.state !== "unconfirmed") return false;
  if (letter === "invitation" && record.state === "accepted") return false;
  return causedAtOf(letter, record) === putAt;
}
