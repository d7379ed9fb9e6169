import { type Html, markup } from "../content/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import type { Fields } from "./fields.ts";
import type { View } from "./page_context.ts";

const CANCEL: Record<Lang, string> = { en: "Cancel", de: "Abbrechen" };

/** What a page asks before it acts. */
export interface Confirmation {
  lang: Lang;
  /** The question. */
  title: string;
  /** What the action changes or removes. */
  body: Html;
  /** The path that the form is sent to, and its fields; `confirmed` is added. */
  action: string;
  fields: Record<string, string>;
  /** The words of the button. */
  submit: string;
  /** The page to go back to. */
  back: string;
}

/** Makes the page that asks before an action that cannot be undone. Its form has the field `confirmed=yes`. */
export function confirmView(confirmation: Confirmation): View {
  const { lang, title, body, action, fields, submit, back } = confirmation;
  const hidden = Object.entries({ ...fields, confirmed: "yes" })
    .map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`);
  return {
    title,
    body: markup`${body}
<form method="post" action="${action}">
${hidden}
<div class="actions">
<button class="danger" type="submit">${submit}</button>
<a class="button" href="${back}">${CANCEL[lang]}</a>
</div>
</form>`,
  };
}

/** Whether a form is of a page that has asked before an action. */
export function isConfirmed(form: Fields): boolean {
  return form.get("confirmed") === "yes";
}
