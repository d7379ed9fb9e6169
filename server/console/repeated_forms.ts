/** Acts once on a form that a browser sends twice, for example after a double click. @module */
import type { SentFields } from "./forms.ts";
import type { View } from "./page_context.ts";

/** How long a repeated form gets the answer to the first one, in milliseconds. */
const REPEATED_MS = 60_000;

/** Acts on a form. If the same form was sent in the last minute, it returns the answer to that form instead. */
export type AnswerOnce = (
  path: string,
  form: SentFields,
  act: (form: SentFields) => Promise<View | Response>,
) => Promise<View | Response>;

/**
 * Makes the function that recognizes a repeated form by its random field `token`, within this process. A page with an
 * error is not remembered, because an operator who sees an error sends the form again on purpose.
 *
 * @param now the clock, in milliseconds since 1970
 */
export function createRepeatedForms(now: () => number): AnswerOnce {
  const known = new Map<string, { at: number; answer: Promise<View | Response> }>();

  return async (path, form, act) => {
    if (!form.has("token")) return await act(form);
    for (const [key, { at }] of known) {
      if (at <= now() - REPEATED_MS) known.delete(key);
    }
    const key = JSON.stringify([path, ...form]);
    const { answer } = known.get(key) ?? { answer: act(form) };
    if (!known.has(key)) known.set(key, { at: now(), answer });
    const view = await answer.catch((error) => {
      known.delete(key);
      throw error;
    });
    if (view instanceof Response) return view.clone();
    if (view.status !== undefined) known.delete(key);
    return view;
  };
}
