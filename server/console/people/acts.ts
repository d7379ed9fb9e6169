/**
 * What an operator can do with people, in one table for the page of a person and for the people who are chosen in the
 * list; and the page that acts on the chosen people. @module
 */
import { momentId } from "../../../shared/moments.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import type { OperationId } from "../../../shared/roles.ts";
import { createFormat, SIGN_UP_FIELDS } from "../../../shared/signup_formats.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import {
  breakable,
  doneNote,
  faultNote,
  forbiddenView,
  listLink,
  pathOfList,
  table,
} from "../components.ts";
import { downloadPeople } from "../downloads.ts";
import {
  chosenFields,
  chosenIn,
  confirmView,
  isConfirmed,
  knownValue,
  type SentFields,
} from "../forms.ts";
import { inviteChosen } from "../invite/mod.ts";
import {
  type ConsolePage,
  linesOf,
  type PageContext,
  type PageFailure,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";

/** The name of an act, as the field `act` of a form has it. */
export type ActName = keyof ConsoleTexts["people"]["acts"];

/** Something that an operator can do with a person. */
interface Act {
  /** The operation that the operator's role must allow. */
  needs: OperationId;
  /** What the console says before it asks for confirmation; absent where it acts at once. */
  ask?: (labels: ConsoleTexts["person"]) => Html;
  /** The name of the sentence that the page of the person shows afterwards. */
  done?: "reminded" | "marked" | "lifted";
  /**
   * Acts on one person. Returns why nothing was done, or `undefined`. Absent where the act leads to a page or a file.
   */
  run?: (pageContext: PageContext, email: string) => Promise<string | undefined>;
}

/** All acts by name, in the order of their buttons. */
export const ACTS: Record<ActName, Act> = {
  // The page "Invite" asks for the rest that a wave needs.
  invite: { needs: "startWave" },
  remind: {
    needs: "remindSignups",
    done: "reminded",
    async run(pageContext, email) {
      const { operations, texts: { person, failures } } = pageContext;
      const work = await operations.remindSignups({ emails: [email] });
      if ("failure" in work) return failures.other;
      for (const line of await linesOf(work, pageContext)) {
        // The last line (with `complete`) is skipped, because its `notReminded` is a number of people and has no
        // reason.
        if (!("notReminded" in line) || "complete" in line) continue;
        return person.notReminded[line.notReminded.reason];
      }
      return undefined;
    },
  },
  undeliverable: {
    needs: "markUndeliverable",
    ask: ({ markWhat }) => markup`<p>${markWhat}</p>`,
    done: "marked",
    async run({ operations, texts }, email) {
      const report = await operations.markUndeliverable({ emails: [email] });
      if ("failure" in report) return reasonOf(report, texts);
      return report.marked === 1 ? undefined : texts.person.notOnList;
    },
  },
  deliverable: {
    needs: "markDeliverable",
    done: "lifted",
    async run({ operations, texts }, email) {
      const report = await operations.markDeliverable({ emails: [email] });
      if ("failure" in report) return reasonOf(report, texts);
      return report.lifted === 1 ? undefined : texts.person.notOnList;
    },
  },
  export: { needs: "exportSignups" },
  erase: {
    needs: "eraseSignup",
    ask: ({ eraseWhat, eraseRecord, eraseProof, eraseInvitation, eraseOutbox, eraseMark }) =>
      markup`<p>${eraseWhat}</p>
<ul class="bullets">
${[eraseRecord, eraseProof, eraseInvitation, eraseOutbox].map((each) => markup`<li>${each}</li>`)}
</ul>
<p>${eraseMark}</p>`,
    async run({ operations, texts }, email) {
      const erased = await operations.eraseSignup({ email });
      return "failure" in erased ? reasonOf(erased, texts) : undefined;
    },
  },
};

export const ACT_NAMES = Object.keys(ACTS) as ActName[];

function reasonOf({ failure }: PageFailure, { person, failures }: ConsoleTexts): string {
  return failure === "unknown" ? person.notOnList : failures.other;
}

/** The path to which the list sends the chosen people. */
export const CHOSEN_PATH = "/operator/people/chosen/";

/** The buttons below the list, one for each act that the operator's role allows. */
export function actButtons({ texts: { people: { acts, withChosen } }, may }: PageContext): Html {
  const buttons = ACT_NAMES.filter((act) => may(ACTS[act].needs)).map((act) => {
    const asks = ACTS[act].ask || act === "invite";
    return markup`<button name="act" value="${act}">${acts[act]}${asks && " …"}</button>`;
  });
  return markup`${buttons.length > 0 && markup`<p class="actions">${withChosen} ${buttons}</p>`}`;
}

/** Acts on the chosen people, and says for whom nothing was done and why. */
export const chosenPeoplePage: ConsolePage = {
  path: CHOSEN_PATH,
  get: () => seeOther(PATHS.people),
  async post(pageContext, form) {
    const { texts, may } = pageContext;
    const emails = chosenIn(form);
    const act = knownValue(ACT_NAMES, form.get("act")) ?? "export";
    const { needs, ask, run } = ACTS[act];
    if (!may(needs)) return forbiddenView(texts);
    if (emails.length === 0) {
      return resultView(pageContext, form, faultNote(texts.people.noneChosen));
    }
    if (act === "invite") {
      return await inviteChosen(pageContext, emails, pathOfList(form.get("list")));
    }
    if (!run) return await downloadChosen(pageContext, form, emails);
    if (ask && !isConfirmed(form)) {
      const { people: labels, person } = texts;
      const count = emails.length;
      const name = labels.acts[act];
      const submit = count > 1 ? labels.actOnMany({ act: name, count }) : name;
      return confirmView({
        title: `${submit}?`,
        body: markup`<ul class="bullets">
${emails.map((email) => markup`<li>${email}</li>`)}
</ul>
${ask(person)}`,
        action: CHOSEN_PATH,
        fields: { ...chosenFields(emails), act, list: form.get("list") },
        submit,
        cancel: listLink(form.get("list"), texts.words.back),
      });
    }
    const notDone: [email: string, reason: string][] = [];
    for (const email of emails) {
      const reason = await run(pageContext, email);
      if (reason) notDone.push([email, reason]);
    }
    return outcomeView(pageContext, form, { done: emails.length - notDone.length, notDone });
  },
};

/** Says for how many people an act was done, and for whom nothing was done and why. */
function outcomeView(
  pageContext: PageContext,
  form: SentFields,
  { done, notDone }: { done: number; notDone: [email: string, reason: string][] },
): View {
  const { people: labels, invite, words, number } = pageContext.texts;
  const text = labels.doneFor({ count: number(done) });
  const note = doneNote(text, notDone.length > 0 ? "warning" : "notice");
  const rest = notDone.length > 0 && table({
    caption: labels.notDoneFor,
    head: [words.address, invite.why],
    rows: notDone.map(([email, reason]) => [{ row: breakable(email) }, reason]),
  });
  return resultView(
    pageContext,
    form,
    markup`${note}
${rest}`,
  );
}

function resultView({ texts: { pages, person } }: PageContext, form: SentFields, body: Html): View {
  return {
    title: pages.people,
    body: markup`${listLink(form.get("list"), person.backToList)}
${body}`,
  };
}

/**
 * Gives all data of the chosen people as CSV. The audit log has an entry for each person. If the data of a person cannot
 * be read, it gives a page that says so in place of the file, because an incomplete file looks like a complete one.
 */
async function downloadChosen(
  pageContext: PageContext,
  form: SentFields,
  emails: string[],
): Promise<View | Response> {
  const { operations, texts, now } = pageContext;
  const people: ShownSignup[] = [];
  const notDone: [email: string, reason: string][] = [];
  for (const email of emails) {
    const shown = await operations.showSignup({ email, export: true });
    if ("failure" in shown) notDone.push([email, reasonOf(shown, texts)]);
    else people.push(shown);
  }
  if (notDone.length > 0) return outcomeView(pageContext, form, { done: 0, notDone });
  async function* onePage() {
    yield people;
  }
  const format = createFormat("csv", SIGN_UP_FIELDS, texts.lang);
  return downloadPeople(onePage(), format, `people-${momentId(now)}.csv`);
}
