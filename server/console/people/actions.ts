/**
 * What can be done with a person in a step or two: ask again to confirm, mark the address, hand the data over.
 *
 * @module
 */
import type { NotReminded } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import { readToEnd } from "../answer_lines.ts";
import { isConfirmed } from "../confirm.ts";
import { faultNote } from "../components.ts";
import { actionPage, askAboutPerson, pageAboutPerson } from "./page_about_person.ts";
import { PERSON_PATHS } from "./paths.ts";
import { failedPerson, personView, showDone, showPerson } from "./person.ts";
import { PERSON_TEXTS } from "./person_texts.ts";

/** Sends the confirmation letter again, within the limits. */
export const remindPage = actionPage(PERSON_PATHS.remind, async (pageContext, form) => {
  const texts = PERSON_TEXTS[pageContext.lang];
  const answer = await pageContext.operations.POST("/operator/v1/signups/remind", {
    body: { emails: [form.get("email") ?? ""] },
    parseAs: "stream",
  });
  if (!answer.data) return failedPerson(answer, pageContext);
  const lines = await readToEnd<Partial<NotReminded>>(answer.data);
  if (!lines) return failedPerson(answer, pageContext);
  const reason = lines.find(({ notReminded }) => notReminded)?.notReminded?.reason;
  if (!reason) return await showDone(pageContext, form, "reminded");
  return await personView(pageContext, form, {
    note: faultNote(texts.notReminded[reason]),
    status: 409,
  });
});

/** Asks whether to mark the address, so that no letter goes to it, and does so once that is confirmed. */
export const undeliverablePage = pageAboutPerson({
  path: PERSON_PATHS.undeliverable,
  async show(pageContext, form) {
    const texts = PERSON_TEXTS[pageContext.lang];
    const shown = await showPerson(pageContext, form);
    if (!shown.data) return failedPerson(shown, pageContext, texts.markTitle);
    return askAboutPerson(form, {
      path: PERSON_PATHS.undeliverable,
      title: texts.markTitle,
      body: markup`<p>${texts.markWhat}</p>`,
      submit: texts.markUndeliverable,
      cancel: texts.cancel,
    });
  },
  action: {
    isAskedBy: isConfirmed,
    async run(pageContext, form) {
      const answer = await pageContext.operations.POST("/operator/v1/signups/undeliverable", {
        body: { emails: [form.get("email") ?? ""] },
      });
      if (!answer.data) {
        return failedPerson(answer, pageContext, PERSON_TEXTS[pageContext.lang].markTitle);
      }
      return await showDone(pageContext, form, "marked");
    },
  },
});

/** Gives all data of the person as a file, for an access request. */
export const exportPersonPage = actionPage(PERSON_PATHS.export, async (pageContext, form) => {
  const shown = await showPerson(pageContext, form);
  if (!shown.data) return failedPerson(shown, pageContext);
  return new Response(`${JSON.stringify(shown.data, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json",
      // The name of the file has no address, as lists of downloads are kept for long.
      "Content-Disposition": 'attachment; filename="person.json"',
    },
  });
});
