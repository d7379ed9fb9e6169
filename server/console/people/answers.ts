/** Role and use case of a person, which operators set on the person's page. @module */
import { SLUG_ANSWERS } from "../../waitlist/mod.ts";
import { failureNote } from "../components.ts";
import { ANSWERS_PATH, pageAboutPerson } from "./page_about_person.ts";
import { personView, showDone } from "./person.ts";

/** Sets both answers; an empty field takes one away. */
export const answersPage = pageAboutPerson({
  path: ANSWERS_PATH,
  show: personView,
  isAskedFor: (form) => SLUG_ANSWERS.every((name) => form.has(`new_${name}`)),
  async act(pageContext, form) {
    const { operations, texts } = pageContext;
    const [role = null, building = null] = SLUG_ANSWERS
      .map((name) => form.get(`new_${name}`)?.trim() || null);
    const changed = await operations.POST("/operator/v1/signups/answers", {
      body: { email: form.get("email") ?? "", role, building },
    });
    if (changed.data) return await showDone(pageContext, form, "answered");
    const { badAnswer, tooManyAnswers } = texts.person;
    const known = { invalid_request: badAnswer, conflict: tooManyAnswers };
    const note = failureNote(changed, texts, known);
    return await personView(pageContext, form, { note, status: changed.response.status });
  },
});
