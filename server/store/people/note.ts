/** Changes the note on a person. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { changeNote, type SignUpRecord } from "../../waitlist/mod.ts";
import type { Kv } from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { changeRecords } from "./change_records.ts";

/** The record after the change, or the reason why there is no change. */
export type NoteOutcome = { record: SignUpRecord } | { refused: "unknown" | "unreadable" };

/** Changes the note on a person. @param note an empty text or `null` removes the note */
export async function setNote(
  email: string,
  note: string | null,
  { kv, random, now, audit }: {
    kv: Kv;
    random: RandomBytes;
    /** The present moment, in milliseconds since 1970. */
    now: number;
    audit: AuditEntry;
  },
): Promise<NoteOutcome> {
  let record: SignUpRecord | undefined;
  const unreadable = await changeRecords(kv, [{
    email,
    decide(before) {
      record = before && changeNote(before, note, new Date(now).toISOString());
      return !record || record === before ? "unchanged" : { record };
    },
  }], { outbox: { ...NO_OUTBOX, random }, audit });
  if (unreadable.has(email)) return { refused: "unreadable" };
  return record ? { record } : { refused: "unknown" };
}
