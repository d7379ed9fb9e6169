/**
 * Decides what a mail provider's report about a bounce or a complaint changes, and what changes when an operator lifts
 * the reports of a mailbox. @module
 */
import { DAY } from "../runtime/mod.ts";
import type { LetterLimit } from "./letter_limit.ts";
import type { SignUpRecord } from "./record.ts";
import { noteDeliverable, noteUndeliverable } from "./letter_outcomes.ts";

/**
 * How long the id of a report, or the token of a call with reports, is stored, in milliseconds. The stored id prevents
 * that a repeat of the report has an effect. Providers repeat a report for a shorter time.
 */
export const REPORT_ID_MS = 7 * DAY;

/** A mail provider's report about a letter. */
export interface LetterReport {
  kind: "bounced" | "complained";
  /**
   * Whether a bounce is permanent, so that letters cannot reach the address any more. This member is ignored for a
   * complaint.
   */
  permanent: boolean;
  /** When the bounce or the complaint happened by the provider's clock, a date-time. */
  at: string;
}

/** The record of an address, if there is one, and the letter limit of its mailbox. */
export interface MailboxState {
  record: SignUpRecord | undefined;
  letterLimit: LetterLimit;
}

/** What a report changes: the new record, and what is added to the letter limit. A member without change is absent. */
export type MailboxChange = Partial<MailboxState>;

/**
 * Decides what a report changes. These reports have no effect:
 * - a report about an event that happened before an operator lifted the reports of the mailbox
 * - a temporary bounce, or a bounce of an address that is not on the waitlist or is already undeliverable
 * - a complaint about a mailbox that already has a complaint
 * - a complaint about an address that is not on the waitlist, if the letter limit of its mailbox has no letter
 *
 * @returns the changes; `undefined` for a report without effect
 */
export function decideOnReport(
  { kind, permanent, at }: LetterReport,
  { record, letterLimit }: MailboxState,
): MailboxChange | undefined {
  if (letterLimit.liftedAt && at <= letterLimit.liftedAt) return undefined;
  if (kind === "bounced") {
    if (!permanent || !record || record.undeliverableAt) return undefined;
    return { record: noteUndeliverable(record, at) };
  }
  // The letter limit stays after the record is erased. A mailbox without a record has got a letter only if its letter
  // limit has the moment of a letter.
  const gotLetter = record || letterLimit.letters.length > 0 || letterLimit.linkAt;
  if (!gotLetter || letterLimit.complainedAt) return undefined;
  return {
    ...record && { record: { ...record, complainedAt: at } },
    letterLimit: { letters: [], complainedAt: at },
  };
}

/**
 * Lifts bounces and complaints, so that letters are sent to the mailbox again.
 *
 * @param at the present moment, a date-time; a report about an event before this moment then has no effect
 * @returns the changes; `undefined` if there is nothing to lift
 */
export function liftReports(
  { record, letterLimit }: MailboxState,
  at: string,
): MailboxChange | undefined {
  const hasReport = record?.undeliverableAt || record?.complainedAt || letterLimit.complainedAt;
  if (!hasReport) return undefined;
  const lifted = { letters: [], liftedAt: at };
  if (!record) return { letterLimit: lifted };
  const { complainedAt: _, ...recordWithoutReports } = noteDeliverable(record);
  return { record: recordWithoutReports, letterLimit: lifted };
}
