/** What mail providers report of letters that were sent does to people, and how an operator lifts it. @module */
import { DAY } from "../runtime/mod.ts";
import type { LetterLimit } from "./letter_limit.ts";
import type { SignUpRecord } from "./record.ts";
import { noteDeliverable, noteUndeliverable } from "./transitions.ts";

/** How long the id of a provider's report is kept, in milliseconds: longer than a provider repeats the report. */
export const REPORT_MS = 7 * DAY;

/** What a mail provider reports of a letter; only a permanent bounce changes something. */
export interface Report {
  kind: "bounced" | "complained";
  permanent: boolean;
  /** When the provider learned of it, a date-time. */
  at: string;
}

/**
 * Decides what a report does to a record, if there is one, and to the letter limit of its mailbox. Gives `undefined`
 * for a report without effect: a temporary bounce, a report about a mailbox that never got a letter, and a report from
 * before an operator lifted the reports of that mailbox.
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

/** Lets letters go to a mailbox again, whatever was reported before a date-time; `undefined` where nothing was. */
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
