/** The button that sends the invitation of a person again, and why it cannot be sent. @module */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { showTime } from "../components.ts";
import { button, postForm } from "../forms.ts";
import { type PageContext, PATHS } from "../page_context.ts";

/** The button that sends the invitation again. @param action the path to which the form is sent */
export function resendForm(action: string, { texts, may }: PageContext): Html | false {
  return may("resendInvitation") &&
    postForm({ action, fields: { act: "resend" } }, button(texts.person.resend));
}

/**
 * Says why the invitation cannot be sent again to an invited person, and until when. Returns `undefined` for a person
 * to whom it can be sent now, or who is in another state.
 */
export function reasonNotToResend(
  { state, nextInvitation = "", noInvitation }: ShownSignup,
  { texts, readClock, previewInvitation }: PageContext,
): Html | string | undefined {
  const { person: { notResentYet: labels }, pages, words } = texts;
  if (state !== "invited") return undefined;
  if (!previewInvitation) return words.noMail;
  if (noInvitation === "in_outbox") {
    return markup`${labels.in_outbox} <a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  }
  if (noInvitation) return labels[noInvitation];
  // If a letter is allowed now, `nextInvitation` is the moment at which the operation was called. This moment is after
  // the moment of the request.
  if (Date.parse(nextInvitation) <= readClock()) return undefined;
  return markup`${labels.until} ${showTime(nextInvitation, texts)}.`;
}
