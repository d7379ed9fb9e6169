/** The operators' note on a person. The person can read it on the self-service page. @module */
import { z } from "zod";

/** How many characters a note has at most. */
export const MAX_NOTE_LENGTH = 500;

const NOTE_RULE = `give a text of at most ${MAX_NOTE_LENGTH} characters without control characters`;

/** A note has no control characters except line ends and tabs, because notes are also shown in terminals. */
const NOTE_PATTERN = new RegExp(`^(?:[^\\p{Cc}\\p{Cs}]|[\\n\\t]){0,${MAX_NOTE_LENGTH}}$`, "u");

/** The schema of a note. It turns each `\r\n` into `\n`, and removes white space around the note. */
export const noteSchema = z.string(NOTE_RULE)
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .pipe(z.string().regex(NOTE_PATTERN, NOTE_RULE));

/**
 * Changes the note in a record; gives `record` itself if nothing changes.
 *
 * @param note the new note; an empty text or `null` removes the note
 * @param at the present moment, a date-time
 */
export function changeNote<Noted extends { note?: string; updatedAt: string }>(
  record: Noted,
  note: string | null,
  at: string,
): Noted {
  if ((note ?? "") === (record.note ?? "")) return record;
  const changed = { ...record, updatedAt: at };
  if (note) changed.note = note;
  else delete changed.note;
  return changed;
}
