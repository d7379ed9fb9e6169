/** What can be done with a person, or with several who were chosen in the list. @module */
import type { NotReminded, ShownSignup } from "../../../shared/operator_schemas.ts";
import { createFormat, SIGN_UP_FIELDS } from "../../../shared/signup_formats.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { download, readToEnd } from "../answer_lines.ts";
import { breakable, doneNote, faultNote, forbiddenView, table } from "../components.ts";
import type { Fields } from "../form_fields.ts";
import { button, confirmView, isConfirmed, postForm, withValues } from "../form_fields.ts";
import { inviteNamed } from "../invite/mod.ts";
import type { ConsolePage, PageContext, View } from "../page_context.ts";
import { momentId, PATHS, PERSON_PATH, seeOther } from "../page_context.ts";
import { listFields } from "./list_query.ts";
import { CHOSEN_PATH } from "./page_about_person.ts";
import { historyOf } from "./history.ts";
import { NEEDED, personView, showDone } from "./person.ts";

type Act = keyof ConsoleTexts["people"]["acts"];

interface ActOptions {
  /** What the page says before it asks. */
  ask?: (labels: ConsoleTexts["person"]) => Html;
  /** What the page of the one person says afterwards. */
  done?: "reminded" | "marked" | "lifted";
  /** Gives why it was not done. */
  run?: (pageContext: PageContext, email: string) => Promise<string | undefined>;
}

const mark =
  (act: "undeliverable" | "deliverable"): NonNullable<ActOptions["run"]> =>
  async ({ operations, texts }, email) => {
    const path = `/operator/v1/signups/${act}` as const;
    const { data, response } = await operations.POST(path, { body: { emails: [email] } });
    const count = data && ("marked" in data ? data.marked : data.lifted);
    return count === 1 ? undefined : whyNot({ response }, texts);
  };

const ACTS: Record<Act, ActOptions> = {
  // It asks for what a wave needs.
  invite: { ask: () => markup`` },
  remind: {
    done: "reminded",
    async run({ operations, texts: { person, failures } }, email) {
      const options = { body: { emails: [email] }, parseAs: "stream" as const };
      const answer = await operations.POST("/operator/v1/signups/remind", options);
      const lines = await readToEnd<Partial<NotReminded>>(answer);
      if (!lines) return failures.other;
      const { reason } = lines.find(({ notReminded }) => notReminded)?.notReminded ?? {};
      return reason && person.notReminded[reason];
    },
  },
  undeliverable: {
    ask: ({ markWhat }) => markup`<p>${markWhat}</p>`,
    done: "marked",
    run: mark("undeliverable"),
  },
  deliverable: { done: "lifted", run: mark("deliverable") },
  // Its answer is a file.
  export: {},
  erase: {
    ask: ({ eraseWhat, eraseRecord, eraseProof, eraseInvitation, eraseOutbox, eraseMark }) =>
      markup`<p>${eraseWhat}</p>
<ul class="bullets">
${[eraseRecord, eraseProof, eraseInvitation, eraseOutbox].map((each) => markup`<li>${each}</li>`)}
</ul>
<p>${eraseMark}</p>`,
    async run({ operations, texts }, email) {
      const answer = await operations.POST("/operator/v1/signups/erase", { body: { email } });
      return answer.data ? undefined : whyNot(answer, texts);
    },
  },
};

/** An operation on an address that is not on the list says so, or did nothing. */
function whyNot({ response }: { response: Response }, { person, failures }: ConsoleTexts): string {
  return response.ok || response.status === 404 ? person.notOnList : failures.other;
}

const NAMES = Object.keys(ACTS) as Act[];

export function actButtons({ texts: { people: { acts, withChosen } }, may }: PageContext): Html {
  const buttons = NAMES.filter((act) => may(NEEDED[act])).map((act) =>
    markup`<button name="act" value="${act}">${acts[act]}${ACTS[act].ask && " …"}</button>`
  );
  return markup`${buttons.length > 0 && markup`<p class="actions">${withChosen} ${buttons}</p>`}`;
}

function readChosen(form: Fields) {
  const chosen = [...form].filter(([name]) => /^chosen_\d+$/.test(name));
  const act = NAMES.find((act) => act === form.get("act")) ?? "export";
  return { chosen, emails: chosen.map(([, email]) => email), act, list: listFields(form) };
}

function askFirst({ texts: { people: labels, person, words } }: PageContext, form: Fields): View {
  const { chosen, emails, act, list } = readChosen(form);
  const back = emails.length > 1
    ? { action: PATHS.people, fields: list }
    : { action: PERSON_PATH, fields: { ...list, email: emails[0] } };
  const { length: count } = emails, name = labels.acts[act];
  const doIt = count > 1 ? labels.actOnMany({ act: name, count }) : name;
  return confirmView({
    title: `${doIt}?`,
    body: markup`<ul class="bullets">
${emails.map((email) => markup`<li>${email}</li>`)}
</ul>
${ACTS[act].ask?.(person)}`,
    action: CHOSEN_PATH,
    fields: { ...list, ...Object.fromEntries(chosen), act },
    submit: doIt,
    cancel: postForm(back, button(words.back)),
  });
}

/** Acts on each of the chosen people; asks first where it is hard to undo. */
export const chosenPage: ConsolePage = {
  path: CHOSEN_PATH,
  get(pageContext) {
    const { form } = pageContext;
    const isThere = form && readChosen(form).emails.length > 0;
    return isThere ? askFirst(pageContext, form) : seeOther(PATHS.people);
  },
  async post(pageContext, form) {
    const { texts, may, redirectWith } = pageContext;
    const { chosen, emails, act, list } = readChosen(form);
    const { ask, done, run } = ACTS[act];
    if (!may(NEEDED[act])) return forbiddenView(texts);
    if (act === "invite" && emails.length > 0) {
      // The name of a wave takes the place of the filter.
      const fields = withValues({ ...list, wave: undefined });
      return await inviteNamed(pageContext, new Map([...fields, ...chosen]));
    }
    if (ask && emails.length > 0 && !isConfirmed(form)) {
      // The addresses of many would take the place of all other forms that the browser keeps.
      const kept = emails.length === 1 && await redirectWith(CHOSEN_PATH, form);
      return kept || askFirst(pageContext, form);
    }
    if (!run && emails.length > 0) return await downloadChosen(pageContext, emails);
    const left: [email: string, why: string][] = [];
    for (const email of emails) {
      const why = await run?.(pageContext, email);
      if (why) left.push([email, why]);
    }
    if (done && emails.length === 1) {
      const fields = withValues({ ...list, email: emails[0] });
      if (!left[0]) return await showDone(pageContext, fields, done);
      return await personView(pageContext, fields, { note: faultNote(left[0][1]), status: 409 });
    }
    if (act === "erase" && emails.length === 1 && !left[0]) {
      const path = `${PATHS.people}?erased`;
      const fields = new Map([["erased", emails[0]!]]);
      // The browser forgets the other forms now, and this address once it is shown.
      return await redirectWith(path, fields, { once: true, alone: true }) ?? seeOther(path);
    }
    const { people: labels, person, invite, words, number } = texts;
    const count = number(emails.length - left.length);
    const note = doneNote(labels.doneFor({ count }), left[0] && "warning");
    const rows = left.map(([email, why]) => [{ row: breakable(email) }, why]);
    const notDone = { caption: labels.notDoneFor, head: [words.address, invite.why], rows };
    const link = button(person.backToList, "link");
    return {
      title: texts.pages.people,
      body: markup`${postForm({ action: PATHS.people, fields: list }, link)}
${emails.length === 0 ? faultNote(labels.noneChosen) : note}
${rows.length > 0 && table(notDone)}`,
    };
  },
};

/** Gives all data of one person, with the history as the page shows it, or a list; the audit log has an entry for each. */
async function downloadChosen({ operations, texts, now }: PageContext, emails: string[]) {
  const { head, rows } = createFormat("csv", SIGN_UP_FIELDS, texts.lang);
  const people: ShownSignup[] = [];
  for (const email of emails) {
    const body = { email, export: true };
    const { data } = await operations.POST("/operator/v1/signups/show", { body });
    if (data) people.push(data);
  }
  const [one, ...others] = people;
  // The name of the file has no address, as lists of downloads are kept for long.
  const name = momentId(now);
  if (!one || others.length > 0) {
    const list = new Blob([head, rows(people.map((person) => JSON.stringify(person)))]);
    return download(list.stream(), `people-${name}.csv`);
  }
  const file = JSON.stringify({ ...one, history: historyOf(one, texts) }, null, 2);
  return download(new Blob([file, "\n"]).stream(), `person-${name}.json`);
}
