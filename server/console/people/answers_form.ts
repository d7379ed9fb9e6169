/** The part of a person's page with the form that changes the person's role and use case. @module */
import { MAP_OF_ANSWER } from "../../../shared/counters.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import { type Html, markup } from "../../content/mod.ts";
import { button, postForm, type SentFields } from "../forms.ts";
import type { PageContext } from "../page_context.ts";
import { answerField } from "../person_fields.ts";

/** Returns the name of the form field for the answer to a question. */
export const newAnswerField = (question: typeof SLUG_ANSWERS[number]): string => `new_${question}`;

/**
 * Shows the form. Its fields offer the answers of the brand and the answers of other people.
 *
 * @param options.action the path to which the form is sent
 * @param options.refusedForm the sent form, if an operation has refused it. The fields show its values again.
 */
export async function answersForm(
  person: ShownSignup,
  { operations, texts }: PageContext,
  { action, refusedForm }: { action: string; refusedForm: SentFields | undefined },
): Promise<Html> {
  const { person: labels } = texts;
  const overview = await operations.getOverview({});
  const fields = SLUG_ANSWERS.map((question) => {
    const name = newAnswerField(question);
    const answer = refusedForm?.get(name) ?? person[question] ?? "";
    const counts = "failure" in overview ? {} : overview[MAP_OF_ANSWER[question]];
    return answerField(question, { name, answer, otherAnswers: Object.keys(counts) }, texts);
  });
  // A field is a menu if the brand offers answers. The hint says how to write an answer into a text field.
  const hasTextField = SLUG_ANSWERS.some((question) =>
    Object.keys(texts.answers[question]).length === 0
  );
  const form = postForm(
    { action, fields: { act: "answers" }, attributes: markup` class="filters"` },
    markup`${fields}
${button(labels.saveAnswers)}`,
  );
  // The form that was refused can also be another form of the page, such as the form for the note.
  const isRefused = SLUG_ANSWERS.some((question) => refusedForm?.has(newAnswerField(question)));
  const open = isRefused && markup` open`;
  return markup`<details${open}><summary>${labels.changeAnswers}</summary>
${hasTextField && markup`<p class="hint">${labels.answerHint}</p>`}
${form}
</details>`;
}
