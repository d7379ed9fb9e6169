/** The part of a person's page with the note of operators, and the form that changes the note. @module */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { MAX_NOTE_LENGTH } from "../../waitlist/mod.ts";
import { section } from "../components.ts";
import { button, postForm, type SentFields } from "../forms.ts";
import type { PageContext } from "../page_context.ts";

/**
 * Shows the note, and the form for an operator who may change it.
 *
 * @param options.action the path to which the form is sent
 * @param options.refusedForm the sent form, if the operation has refused its note. The field shows this note again.
 */
export function noteSection(
  { note }: ShownSignup,
  { texts, may }: PageContext,
  { action, refusedForm }: { action: string; refusedForm: SentFields | undefined },
): Html {
  const { person: labels } = texts;
  const shownNote = note === undefined
    ? markup`<p class="empty">${labels.noNote}</p>`
    : markup`<p class="note-text">${note}</p>`;
  if (!may("setNote")) return section("note", labels.note, shownNote);
  const refusedNote = refusedForm?.get("note");
  const form = postForm(
    { action, fields: { act: "note" } },
    markup`<div class="field">
<label for="note_text">${labels.note}</label>
<textarea id="note_text" name="note" rows="4" maxlength="${MAX_NOTE_LENGTH}"
 aria-describedby="note_text-hint">
${refusedNote ?? note}</textarea>
<p class="hint" id="note_text-hint">${labels.noteHint}</p>
</div>
${button(labels.saveNote)}`,
  );
  const open = refusedNote !== undefined && markup` open`;
  return section(
    "note",
    labels.note,
    markup`${shownNote}
<details${open}><summary>${labels.changeNote}</summary>
${form}
</details>`,
  );
}
