/** Describes an item of the outbox to operators: a letter or an event that waits or was refused. @module */
import type * as Schemas from "../../shared/operator_schemas.ts";
import { enteredAtOf, type WaitingItem } from "../waitlist/mod.ts";

/** Gives an item of the outbox as the operator surface shows it. */
export function describeItem({ id, item }: WaitingItem): Schemas.ListedItem {
  const { email, recordId, message, queue, dueAt, tries, reason } = item;
  // The event about a person who has left the list still has the id of the erased record.
  const hasRecord = "letter" in message || "record" in message.person;
  // In the queue of refused items, `dueAt` is the moment of the refusal.
  const dueOrRefusedAt = new Date(dueAt).toISOString();
  return {
    id,
    email,
    ...hasRecord && { recordId },
    message: "letter" in message ? message.letter : message.event,
    putAt: new Date(enteredAtOf(item)).toISOString(),
    ...queue === "refused" ? { refusedAt: dueOrRefusedAt } : { dueAt: dueOrRefusedAt },
    tries,
    ...reason !== undefined && { reason },
  };
}
