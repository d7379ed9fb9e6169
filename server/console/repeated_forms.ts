import type { Fields } from "./form_fields.ts";
import type { View } from "./page_context.ts";

/** How long a form that comes again gets the answer of the first, in milliseconds. */
const REPEATED_MS = 60_000;

/**
 * Makes what acts on a form once in a process, however often the form is sent, for example by a double click: the page
 * of the form has a random `token` in it. A fault is not remembered, because an operator who sees a fault sends the
 * form again on purpose.
 */
export function createRepeatedForms(now: () => number) {
  const known = new Map<string, { at: number; answer: Promise<View | Response> }>();

  return async (
    path: string,
    form: Fields,
    act: (form: Fields) => Promise<View | Response>,
  ): Promise<View | Response> => {
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
