/**
 * The changes that cause letters and events, and whether the change that caused a waiting letter still demands the
 * letter. @module
 */
import { invitationPutAt } from "../../shared/missing_invitation_letter.ts";
import type { ListedItem } from "../../shared/operator_schemas.ts";
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
 * Whether a waiting letter must still be sent. It is not sent if the address is undeliverable, or for one of the reasons
 * that {@linkcode reasonNotToSend} gives.
 * @param record the present record of the person
 */
export const mustStillBeSent = (item: OutboxItem, record: SignUpRecord): boolean =>
  "letter" in item.message && !record.undeliverableAt && !reasonNotToSend(item, record);

/** Why a letter is not sent any more, even if its person is deliverable. */
export type NotSentReason = NonNullable<ListedItem["notSent"]>;

/**
 * Gives the reason why a letter is not sent any more, even if its person is deliverable; `undefined` if there is none.
 * `outdated` means that the address has another record now, or that a later letter of the same kind was put into the
 * outbox. An event is always sent.
 * @param record the present record of the person
 */
export function reasonNotToSend(
  { message, recordId, putAt }: OutboxItem,
  record: SignUpRecord,
): NotSentReason | undefined {
  if (!("letter" in message)) return undefined;
  if (record.id !== recordId) return "outdated";
  if (record.complainedAt) return "complained";
  const { letter } = message;
  if (letter === "confirmation" && record.state !== "unconfirmed") return "confirmed";
  if (letter === "invitation" && record.state === "accepted") return "accepted";
  return causedAtOf(letter, record) === putAt ? undefined : "outdated";
}
