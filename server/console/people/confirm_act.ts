/** The page that asks for confirmation before an act on people. `acts.ts` has the acts. @module */
import { type Html, markup } from "../../content/mod.ts";
import { faultNote } from "../components.ts";
import { confirmView, type FieldValues, type SentFields } from "../forms.ts";
import type { PageContext, View } from "../page_context.ts";
import type { ActName, ChangeAct } from "./acts.ts";

/** An act that an operator has requested with a form. */
export interface RequestedAct {
  /** The name of `act` in the table `ACTS`. */
  name: ActName;
  act: ChangeAct;
  /** The form that was sent. It has the `fields` of the act if the console has already asked for confirmation. */
  form: SentFields;
  /** Why the page asks again; absent if it asks for the first time. */
  fault?: string;
}

/** What the page that asks for confirmation shows and sends, besides the act. */
export interface ConfirmActOptions {
  /** The people on whom the operator acts. */
  people: Html;
  /** The path to which the form is sent. */
  action: string;
  /** The hidden fields of the form, without the name of the act. */
  fields: FieldValues;
  /** The label of the button. With a question mark, it is also the title of the page. */
  submit: string;
  /** The way back, which is a link or a form. */
  cancel: Html;
}

/** Makes the page that asks for confirmation before an act, by {@linkcode confirmView}. */
export function confirmActView(
  { texts }: PageContext,
  { name, act, form, fault }: RequestedAct,
  { people, action, fields, submit, cancel }: ConfirmActOptions,
): View {
  const view = confirmView({
    title: `${submit}?`,
    body: markup`${fault !== undefined && faultNote(fault)}
${people}
${act.question?.(texts.person)}`,
    action,
    fields: { ...fields, act: name },
    inputs: act.fields?.(texts.person, form),
    submit,
    cancel,
    cannotUndo: act.isFinal && texts.words.cannotUndo,
  });
  return { ...view, ...fault !== undefined && { status: 400 } };
}
