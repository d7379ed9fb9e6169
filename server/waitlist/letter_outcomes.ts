/**
 * What the outcome of a letter changes in the record: a mail server took or refused the letter, or the address is
 * undeliverable. @module
 */
import type { ShownSignup } from "../../shared/operator_schemas.ts";
import type { SignUpRecord } from "./record.ts";
import type { LetterKind } from "./transitions.ts";

/**
 * The stored outcome of a letter, for example the moment at which the mail server took it. All moments are date-times.
 */
export type LetterOutcome = NonNullable<NonNullable<ShownSignup["lastLetters"]>[LetterKind]>;

/** Stores the outcome of the last letter of a kind in the record. */
export function noteLetterOutcome(
  record: SignUpRecord,
  letter: LetterKind,
  outcome: LetterOutcome,
): SignUpRecord {
  const noted = { ...record, lastLetters: { ...record.lastLetters, [letter]: outcome } };
  const { takenAt } = outcome;
  return letter === "confirmation" && takenAt ? noteConfirmationTaken(noted, takenAt) : noted;
}

/**
 * Notes that a mail server took the confirmation letter. The days in which the person can confirm begin again then.
 * @param at the moment at which the mail server took the letter, a date-time
 */
export function noteConfirmationTaken(record: SignUpRecord, at: string): SignUpRecord {
  const { confirmations } = record;
  if (record.state !== "unconfirmed" || !confirmations) return record;
  return { ...record, confirmations: { ...confirmations, takenAt: at } };
}

/**
 * Marks an address as undeliverable, which stops all letters until the person signs up again or an operator lifts the
 * bounce. If the address is already undeliverable, the stored moment stays.
 * @param at the moment of the bounce, the refusal or the operator's mark, a date-time
 */
export function noteUndeliverable(record: SignUpRecord, at: string): SignUpRecord {
  return record.undeliverableAt ? record : { ...record, undeliverableAt: at };
}

/** Makes an address deliverable again, by removing the moment that {@linkcode noteUndeliverable} stored. */
export const noteDeliverable = ({ undeliverableAt: _, ...record }: SignUpRecord): SignUpRecord =>
  record;
