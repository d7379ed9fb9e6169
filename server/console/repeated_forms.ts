/** Acts once on a form that a browser sends twice, for example after a double click. @module */
import type { SentFields } from "./forms.ts";
import type { View } from "./page_context.ts";

/** The field with a random text, with which the console acts only once on a form that is sent twice. */
export const TOKEN_FIELD = "token";

/** How long a repeated form gets the answer to the first form, in milliseconds. */
const REPEATED_MS = 60_000;

/**
 * Acts on a form by calling `act`. If a form with the field `token` was sent to the same path with equal fields in the
 * last minute, returns the answer to that form instead. Always acts on a form without `token`.
 */
export type AnswerOnce = (
  path: string,
  form: SentFields,
  act: () => Promise<View | Response>,
) => Promise<View | Response>;

/**
 * Makes the function that acts only once on a form that is sent twice. Two forms are the same if their paths and all
 * their fields are equal, and one of the fields is the random `token`. The function knows only the forms of this
 * process, so it acts again on a form whose second copy reaches another process. A page with an error is not
 * remembered, because an operator who sees an error sends the form again on purpose.
 *
 * @param now the clock, in milliseconds since 1970
 */
export function createAnswerOnce(now: () => number): AnswerOnce {
  /**
   * When a form was first sent, in milliseconds since 1970, and its answer. The key has the path and the fields of the
   * form.
   */
  const firstForms = new Map<string, { sentAt: number; answer: Promise<View | Response> }>();

  return async (path, form, act) => {
    if (!form.has(TOKEN_FIELD)) return await act();
    for (const [key, { sentAt }] of firstForms) {
      if (sentAt <= now() - REPEATED_MS) firstForms.delete(key);
    }
    const key = JSON.stringify([path, ...form]);
    let firstForm = firstForms.get(key);
    if (!firstForm) {
      firstForm = { sentAt: now(), answer: act() };
      firstForms.set(key, firstForm);
    }
    const answer = await firstForm.answer.catch((error) => {
      firstForms.delete(key);
      throw error;
    });
    // The body of a response can be read only once, so each form gets a copy.
    if (answer instanceof Response) return answer.clone();
    // Only a page with an error has a status of its own.
    if (answer.status !== undefined) firstForms.delete(key);
    return answer;
  };
}
