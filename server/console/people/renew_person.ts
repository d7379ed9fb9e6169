import { failureNote } from "../components.ts";
import { untilEndOfDay } from "../form_fields.ts";
import { pageAboutPerson } from "./page_about_person.ts";
import { personView, RENEW_PATH, showDone } from "./person.ts";

/** Lets the invitation of a person hold until another day; a day that is over is refused on the person's page. */
export const renewPersonPage = pageAboutPerson({
  path: RENEW_PATH,
  show: personView,
  isAskedFor: (form) => form.has("code"),
  async act(pageContext, form) {
    const { operations, texts } = pageContext;
    const expires = untilEndOfDay(form.get("expires") ?? "");
    const body = { code: form.get("code") ?? "", email: form.get("email") ?? "", expires };
    const renewed = await operations.POST("/operator/v1/invitations/renew", { body });
    if (renewed.data) return await showDone(pageContext, form, "renewed");
    const note = failureNote(renewed, texts, { invalid_request: texts.invite.badExpires });
    return await personView(pageContext, form, { note, status: renewed.response.status });
  },
});
