/** Acts on the people who were chosen in the list. @module */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { createFormat, SIGN_UP_FIELDS } from "../../../shared/signup_formats.ts";
import { type Html, markup } from "../../content/mod.ts";
import { breakable, doneNote, faultNote, forbiddenView, table } from "../components.ts";
import { downloadPeople } from "../downloads.ts";
import { confirmView, type Fields, isConfirmed, knownValue } from "../form_fields.ts";
import { inviteNamed } from "../invite/mod.ts";
import {
  type ConsolePage,
  momentId,
  type PageContext,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { ACT_NAMES, ACTS } from "./acts.ts";
import { listLink, pathOfList } from "./list_query.ts";

/** Where the list sends those who were chosen. */
export const CHOSEN_PATH = "/operator/people/chosen/";

/** The buttons under the list, one for each act that the role of the operator allows. */
export function actButtons({ texts: { people: { acts, withChosen } }, may }: PageContext): Html {
  const buttons = ACT_NAMES.filter((act) => may(ACTS[act].needs)).map((act) => {
    const asks = ACTS[act].ask || act === "invite";
    return markup`<button name="act" value="${act}">${acts[act]}${asks && " …"}</button>`;
  });
  return markup`${buttons.length > 0 && markup`<p class="actions">${withChosen} ${buttons}</p>`}`;
}

export const chosenPage: ConsolePage = {
  path: CHOSEN_PATH,
  get: () => seeOther(PATHS.people),
  async post(pageContext, form) {
    const { texts, may } = pageContext;
    const chosen = [...form].filter(([name]) => /^chosen_\d+$/.test(name));
    const emails = chosen.map(([, email]) => email);
    const act = knownValue(ACT_NAMES, form.get("act")) ?? "export";
    const { needs, ask, run } = ACTS[act];
    if (!may(needs)) return forbiddenView(texts);
    if (emails.length === 0) {
      return resultView(pageContext, form, faultNote(texts.people.noneChosen));
    }
    if (act === "invite") {
      return await inviteNamed(pageContext, emails, pathOfList(form.get("list")));
    }
    if (!run) return await downloadChosen(pageContext, emails);
    if (ask && !isConfirmed(form)) {
      const { people: labels, person } = texts;
      const count = emails.length;
      const name = labels.acts[act];
      const doIt = count > 1 ? labels.actOnMany({ act: name, count }) : name;
      return confirmView({
        title: `${doIt}?`,
        body: markup`<ul class="bullets">
${emails.map((email) => markup`<li>${email}</li>`)}
</ul>
${ask(person)}`,
        action: CHOSEN_PATH,
        fields: { ...Object.fromEntries(chosen), act, list: form.get("list") },
        submit: doIt,
        cancel: listLink(form.get("list"), texts.words.back),
      });
    }
    const left: [email: string, why: string][] = [];
    for (const email of emails) {
      const why = await run(pageContext, email);
      if (why) left.push([email, why]);
    }
    const { people: labels, invite, words, number } = texts;
    const count = number(emails.length - left.length);
    const note = doneNote(labels.doneFor({ count }), left[0] && "warning");
    const rows = left.map(([email, why]) => [{ row: breakable(email) }, why]);
    const notDone = { caption: labels.notDoneFor, head: [words.address, invite.why], rows };
    return resultView(
      pageContext,
      form,
      markup`${note}
${rows.length > 0 && table(notDone)}`,
    );
  },
};

function resultView({ texts: { pages, person } }: PageContext, form: Fields, body: Html): View {
  return {
    title: pages.people,
    body: markup`${listLink(form.get("list"), person.backToList)}
${body}`,
  };
}

/** Gives all data of the chosen people as a list. The audit log has an entry for each person. */
async function downloadChosen({ operations, texts, now }: PageContext, emails: string[]) {
  const people: ShownSignup[] = [];
  for (const email of emails) {
    const shown = await operations.showSignup({ email, export: true });
    if (!("failure" in shown)) people.push(shown);
  }
  async function* all() {
    yield people;
  }
  const format = createFormat("csv", SIGN_UP_FIELDS, texts.lang);
  // The name of the file has no address, because browsers keep their lists of downloads for long.
  return downloadPeople(all(), format, `people-${momentId(now)}.csv`);
}
