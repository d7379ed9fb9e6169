import { MAP_OF } from "../../../shared/counters.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { SLUG_ANSWERS } from "../../waitlist/mod.ts";
import { answerField, button, type Fields, postForm } from "../form_fields.ts";
import type { PageContext } from "../page_context.ts";
import { ANSWERS_PATH, personFields } from "./page_about_person.ts";

/** The form for role and use case, which offers those that the brand names and that other people have. */
export async function answersForm(
  person: ShownSignup,
  given: Fields,
  { operations, texts }: PageContext,
): Promise<Html> {
  const { person: labels } = texts;
  const { data } = await operations.GET("/operator/v1/overview");
  const fields = SLUG_ANSWERS.map((name) => {
    const id = `new_${name}`, known = Object.keys(data?.[MAP_OF[name]] ?? {});
    return answerField(texts, name, { id, value: given.get(id) ?? person[name] ?? "", known });
  });
  const isTyped = SLUG_ANSWERS.some((name) => Object.keys(texts.answers[name]).length === 0);
  const form = postForm(
    { action: ANSWERS_PATH, fields: personFields(given), attributes: markup` class="filters"` },
    markup`${fields}
${button(labels.saveAnswers)}`,
  );
  const open = given.has("new_role") && markup` open`;
  return markup`<details${open}><summary>${labels.changeAnswers}</summary>
${isTyped && markup`<p class="hint">${labels.answerHint}</p>`}
${form}
</details>`;
}
