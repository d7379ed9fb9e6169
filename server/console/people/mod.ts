/** The pages of people, and what can be done with a person in a step or two. @module */
import type { NotReminded } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import { readToEnd } from "../answer_lines.ts";
import { faultNote } from "../components.ts";
import { type ConsolePage, momentId, PATHS, seeOther } from "../page_context.ts";
import { correctPersonPage } from "./correct_person.ts";
import { historyOf } from "./history.ts";
import { invitePersonPage } from "./invite_person.ts";
import { peoplePage } from "./list.ts";
import { actionPage, askedAction, failedPerson, showPerson } from "./page_about_person.ts";
import { PERSON_PATHS, personPage, personView, showDone } from "./person.ts";

/** Sends the confirmation letter again, within the limits. */
const remindPage = actionPage(PERSON_PATHS.remind, async (pageContext, form) => {
  const answer = await pageContext.operations.POST("/operator/v1/signups/remind", {
    body: { emails: [form.get("email") ?? ""] },
    parseAs: "stream",
  });
  const lines = await readToEnd<Partial<NotReminded>>(answer);
  if (!lines) return failedPerson(answer, pageContext);
  const reason = lines.find(({ notReminded }) => notReminded)?.notReminded?.reason;
  if (!reason) return await showDone(pageContext, form, "reminded");
  const note = faultNote(pageContext.texts.person.notReminded[reason]);
  return await personView(pageContext, form, { note, status: 409 });
});

/** Asks whether to mark the address, so that no letter goes to it, and does so once that is confirmed. */
const undeliverablePage = askedAction({
  path: PERSON_PATHS.undeliverable,
  title: "markTitle",
  submit: "markUndeliverable",
  describe: (_, { markWhat }) => markup`<p>${markWhat}</p>`,
  async act(pageContext, form) {
    const answer = await pageContext.operations.POST("/operator/v1/signups/undeliverable", {
      body: { emails: [form.get("email") ?? ""] },
    });
    if (answer.data) return await showDone(pageContext, form, "marked");
    return failedPerson(answer, pageContext, pageContext.texts.person.markTitle);
  },
});

/** Lets letters go to the address again. */
const deliverablePage = actionPage(PERSON_PATHS.deliverable, async (pageContext, form) => {
  const answer = await pageContext.operations.POST("/operator/v1/signups/deliverable", {
    body: { emails: [form.get("email") ?? ""] },
  });
  return answer.data
    ? await showDone(pageContext, form, "lifted")
    : failedPerson(answer, pageContext);
});

/** Gives all data of the person as a file, for an access request, with the history as the page shows it. */
const exportPersonPage = actionPage(PERSON_PATHS.export, async (pageContext, form) => {
  const shown = await showPerson(pageContext, form, { export: true });
  if (!shown.data) return failedPerson(shown, pageContext);
  const file = { ...shown.data, history: historyOf(shown.data, pageContext.texts) };
  return new Response(`${JSON.stringify(file, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json",
      // The name of the file has no address, as lists of downloads are kept for long.
      "Content-Disposition": `attachment; filename="person-${momentId(pageContext.now)}.json"`,
    },
  });
});

/** Asks whether to erase a person, naming what goes, and does so once that is confirmed. */
const erasePersonPage = askedAction({
  path: PERSON_PATHS.erase,
  title: "eraseTitle",
  submit: "eraseNow",
  describe: ({ proof, invitationCode }, labels) =>
    markup`<p>${labels.eraseWhat}</p>
<ul class="bullets">
<li>${labels.eraseRecord}</li>
${proof && markup`<li>${labels.eraseProof}</li>`}
${invitationCode && markup`<li>${labels.eraseInvitation}</li>`}
<li>${labels.eraseOutbox}</li>
</ul>
<p>${labels.eraseMark}</p>`,
  async act(pageContext, form) {
    const email = form.get("email") ?? "";
    const erased = await pageContext.operations.POST("/operator/v1/signups/erase", {
      body: { email },
    });
    if (erased.data) {
      const path = `${PATHS.people}?erased`;
      const fields = new Map([["erased", email]]);
      // The browser forgets the other forms now, and this address once it is shown.
      const options = { once: true, alone: true };
      return await pageContext.redirectWith(path, fields, options) ?? seeOther(path);
    }
    return failedPerson(erased, pageContext, pageContext.texts.person.eraseTitle);
  },
});

export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  personPage,
  remindPage,
  invitePersonPage,
  correctPersonPage,
  undeliverablePage,
  deliverablePage,
  exportPersonPage,
  erasePersonPage,
];
