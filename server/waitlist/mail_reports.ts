/** Applies bounces and complaints that mail providers report to people, and lifts them for an operator. @module */
import { DAY } from "../runtime/mod.ts";
import type { LetterLimit } from "./letter_limit.ts";
import type { SignUpRecord } from "./record.ts";
import { noteDeliverable, noteUndeliverable } from "./transitions.ts";

/** How long the id of a report is stored, in milliseconds: longer than providers repeat a report. */
export const REPORT_MS = 7 * DAY;

/** A mail provider's report about a letter. A temporary bounce has no effect. */
export interface Report {
  kind: "bounced" | "complained";
  permanent: boolean;
  /** The moment of the event by the provider's clock, a date-time. */
  at: string;
}

/**
 * Decides what a report does to a record, if there is one, and to the letter limit of its mailbox. Gives `undefined`
 * for a report without effect: a report from before an operator lifted the reports of that mailbox; a temporary bounce, and
 * a bounce of an address that is unknown or undeliverable already; a repeated complaint, and a complaint about a mailbox
 * that never got a letter.
 */
export function noteReport(
  record: SignUpRecord | undefined,
  { kind, permanent, at }: Report,
  letterLimit: LetterLimit,
): { record?: SignUpRecord; letterLimit?: LetterLimit } | undefined {
  if (letterLimit.liftedAt && at <= letterLimit.liftedAt) return undefined;
  if (kind === "bounced") {
    if (!permanent || !record || record.undeliverableAt) return undefined;
    return { record: noteUndeliverable(record, at) };
  }
  const isKnown = record || letterLimit.letters.length > 0 || letterLimit.linkAt;
  if (!isKnown || letterLimit.complainedAt) return undefined;
  return {
    ...record && { record: { ...record, complainedAt: at } },
    letterLimit: { letters: [], complainedAt: at },
  };
}

/**
 * Lifts bounces and complaints, so that letters are sent to the mailbox again. Gives `undefined` if there are none.
 *
 * @param at the present moment, a date-time; a report about an event before this moment then has no effect
 */
export function liftReports(
  record: SignUpRecord | undefined,
  at: string,
  letterLimit: LetterLimit,
) {
  if (!record?.undeliverableAt && !record?.complainedAt && !letterLimit.complainedAt) {
    return undefined;
  }
  const lifted = { letterLimit: { letters: [], liftedAt: at } };
  if (!record) return lifted;
  const { complainedAt: _, ...rest } = noteDeliverable(record);
  return { record: rest, ...lifted };
}
