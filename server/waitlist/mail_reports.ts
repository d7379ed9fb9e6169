/** What mail providers report of letters that were sent does to people, and how an operator lifts it. @module */
import { DAY } from "../runtime/mod.ts";
import type { Brake } from "./brake.ts";
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
 * What a report does to a record, if there is one, and to the brake of its mailbox; `undefined` where it does nothing:
 * for a temporary bounce, a mailbox that never got a letter, and where it is older than what an operator has lifted.
 */
export function noteReport(
  record: SignUpRecord | undefined,
  { kind, permanent, at }: Report,
  brake: Brake,
): { record?: SignUpRecord; brake?: Brake } | undefined {
  if (brake.liftedAt && at <= brake.liftedAt) return undefined;
  if (kind === "bounced") {
    if (!permanent || !record || record.undeliverableAt) return undefined;
    return { record: noteUndeliverable(record, at) };
  }
  const isKnown = record || brake.letters.length > 0 || brake.linkAt;
  if (!isKnown || brake.complainedAt) return undefined;
  return {
    ...record && { record: { ...record, complainedAt: at } },
    brake: { letters: [], complainedAt: at },
  };
}

/** Lets letters go to a mailbox again, whatever was reported before a date-time; `undefined` where nothing was. */
export function liftReports(record: SignUpRecord | undefined, at: string, brake: Brake) {
  if (!record?.undeliverableAt && !record?.complainedAt && !brake.complainedAt) return undefined;
  const lifted = { brake: { letters: [], liftedAt: at } };
  if (!record) return lifted;
  const { complainedAt: _, ...rest } = noteDeliverable(record);
  return { record: rest, ...lifted };
}
