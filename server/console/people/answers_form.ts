import { MAP_OF } from "../../../shared/counters.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { SLUG_ANSWERS } from "../../waitlist/mod.ts";
import { nameIn, type Names } from "../components.ts";
import { button, field, type Fields, postForm, select } from "../form_fields.ts";
import type { PageContext } from "../page_context.ts";
import { ANSWERS_PATH, personFields } from "./page_about_person.ts";

const isNamed = (names: Names) => Object.keys(names).length > 0;

/** The form for role and use case, which offers those that the brand names and that other people have. */
export async function answersForm(
  person: ShownSignup,
  given: Fields,
  { operations, texts: { person: labels, words, answers } }: PageContext,
): Promise<Html> {
  const { data } = await operations.GET("/operator/v1/overview");
  const fields = SLUG_ANSWERS.map((name) => {
    const id = `new_${name}`, label = words.fields[name], names = answers[name];
    const value = given.get(id) ?? person[name] ?? "";
    const known = [...new Set([...Object.keys({ ...names, ...data?.[MAP_OF[name]] }), value])]
      .sort();
    // A brand that names answers asks for these.
    if (isNamed(names)) {
      return select(
        { name: id, label, chosen: value },
        known.map((each) => [each, nameIn(names, each)]),
      );
    }
    const input = markup` value="${value}" list="${id}-known" maxlength="40" pattern="[a-z0-9_\\-]*"
 title="${labels.answerHint}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
    return markup`${field(id, label, input)}
<datalist id="${id}-known">${known.map((each) => markup`<option value="${each}">`)}</datalist>`;
  });
  const attributes = markup` class="filters"`;
  return markup`<details${
    given.has("new_role") && markup` open`
  }><summary>${labels.changeAnswers}</summary>
${
    !SLUG_ANSWERS.every((name) => isNamed(answers[name])) &&
    markup`<p class="hint">${labels.answerHint}</p>`
  }
${
    postForm(
      { action: ANSWERS_PATH, fields: personFields(given), attributes },
      markup`${fields}
${button(labels.saveAnswers)}`,
    )
  }
</details>`;
}
