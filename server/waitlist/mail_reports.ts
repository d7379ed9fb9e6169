/** Applies the bounces and complaints that mail providers report, and lifts them for an operator. @module */
import { DAY } from "../runtime/mod.ts";
import type { LetterLimit } from "./letter_limit.ts";
import type { SignUpRecord } from "./record.ts";
import { noteDeliverable, noteUndeliverable } from "./transitions.ts";

/** How long the id of a report is stored, in milliseconds: longer than providers repeat a report. */
export const REPORT_MS = 7 * DAY;

/** A mail provider's report about a letter. */
export interface LetterReport {
  kind: "bounced" | "complained";
  /** Whether the address can get no letters any more. Only a bounce uses this value. */
  permanent: boolean;
  /** The moment of the event by the provider's clock, a date-time. */
  at: string;
}

/** The record of an address, if there is one, and the letter limit of its mailbox. */
export interface MailboxState {
  record: SignUpRecord | undefined;
  letterLimit: LetterLimit;
}

/** The new record and the addition to the letter limit; each is absent if it does not change. */
export type MailboxChange = Partial<MailboxState>;

/**
 * Decides what a report changes. These reports have no effect:
 * - a report about an event before an operator lifted the reports of the mailbox
 * - a temporary bounce, or a bounce of an address that is not on the waitlist or is undeliverable already
 * - a complaint about a mailbox that has complained already, or that never got a letter
 *
 * @returns the changes; `undefined` for a report without effect
 */
export function noteReport(
  { kind, permanent, at }: LetterReport,
  { record, letterLimit }: MailboxState,
): MailboxChange | undefined {
  if (letterLimit.liftedAt && at <= letterLimit.liftedAt) return undefined;
  if (kind === "bounced") {
    if (!permanent || !record || record.undeliverableAt) return undefined;
    return { record: noteUndeliverable(record, at) };
  }
  // The letter limit outlives the record. It holds the moments of letters, so it is empty for a mailbox that never got
  // a letter.
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
  const { complainedAt: _, ...rest } = noteDeliverable(record);
  return { record: rest, letterLimit: lifted };
}
