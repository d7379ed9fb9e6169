/**
 * The people who are chosen in the list: the buttons for acts on these people, and the page that acts on them. @module
 */
import { momentId } from "../../../shared/moments.ts";
import type { ListedSignup, ShownSignup } from "../../../shared/operator_schemas.ts";
import { createFormat, SIGN_UP_FIELDS } from "../../../shared/signup_formats.ts";
import { type Html, markup } from "../../content/mod.ts";
import {
  faultNote,
  forbiddenView,
  listLink,
  pathOfList,
  showAddress,
  statusNote,
  table,
} from "../components.ts";
import { downloadPeople } from "../downloads.ts";
import { chosenPeopleFields, chosenValuesIn, isConfirmed, knownValue, pathWith } from "../forms.ts";
import { inviteChosenPeople } from "../invite/mod.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import {
  ACT_NAMES,
  type ActRefusal,
  ACTS,
  type ChangeAct,
  fitsPerson,
  refusalOfAct,
} from "./acts.ts";
import { confirmActView, type RequestedAct } from "./confirm_act.ts";

/** The path to which the list sends the chosen people. */
export const CHOSEN_PATH = "/operator/people/chosen/";

/**
 * The buttons below the list, one for each act that the operator's role allows and that fits somebody on the page.
 * @param people the people on the page
 */
export function actButtons(
  people: ListedSignup[],
  { texts: { people: labels, outbox }, may }: PageContext,
): Html {
  const { acts, withChosen, tickPeople } = labels;
  const names = ACT_NAMES.filter((name) =>
    may(ACTS[name].operation) && people.some((person) => fitsPerson(name, person))
  );
  const buttons = names.map((name) => {
    const act = ACTS[name];
    // The dots say that another page comes before the act.
    const leadsToPage = act.kind === "invite_page" || act.kind === "change" && act.question;
    return markup`<button name="act" value="${name}">${acts[name]}${leadsToPage && " …"}</button>`;
  });
  const hasUnmarked = people.some((person) => !fitsPerson("deliverable", person));
  const onlyMarkedNote = names.includes("deliverable") && hasUnmarked &&
    labels.onlyMarked({ act: acts.deliverable });
  const liftsMarks = names.includes("retry") &&
    people.some((person) => fitsPerson("retry", person) && person.undeliverableAt);
  // The style sheet shows either the first sentence or the rest, depending on whether a row is chosen.
  return markup`${
    buttons.length > 0 &&
    markup`<p class="actions"><span class="soft">${tickPeople}</span>
<span>${withChosen}</span> ${buttons}</p>`
  }
${onlyMarkedNote && markup`<p class="soft if-chosen">${onlyMarkedNote}</p>`}
${liftsMarks && markup`<p class="soft if-chosen">${outbox.retryHint}</p>`}`;
}

/** The people whom an operator has chosen. */
interface ChosenPeople {
  emails: string[];
  /** The query in the URL of the list in which the people were chosen. */
  listUrlQuery: string | undefined;
}

/** A chosen person for whom nothing was done, and the reason. */
interface RefusedPerson extends ActRefusal {
  email: string;
}

/** Acts on the chosen people, and says for whom nothing was done and why. */
export const chosenPeoplePage: ConsolePage = {
  path: CHOSEN_PATH,
  // The page only acts on its form. Without the form, there is nothing to show.
  get: () => seeOther(PATHS.people),
  async post(pageContext, form) {
    const { texts, may } = pageContext;
    const chosenPeople: ChosenPeople = {
      emails: chosenValuesIn(form),
      listUrlQuery: form.get("list"),
    };
    const name = knownValue(ACT_NAMES, form.get("act"));
    if (!name) return seeOther(PATHS.people);
    const act = ACTS[name];
    if (!may(act.operation)) return forbiddenView(texts);
    if (chosenPeople.emails.length === 0) {
      return pageAfterAct(pageContext, chosenPeople, faultNote(texts.people.noneChosen));
    }
    switch (act.kind) {
      case "invite_page":
        return await inviteChosenPeople(
          pageContext,
          chosenPeople.emails,
          pathOfList(chosenPeople.listUrlQuery),
        );
      case "download":
        return await downloadChosen(pageContext, chosenPeople);
      case "change":
        if (!act.question || isConfirmed(form)) {
          return await changeEach(pageContext, chosenPeople, { name, act, form });
        }
        return askToConfirm(pageContext, chosenPeople, { name, act, form });
    }
  },
};

/** Shows the page that asks for confirmation before an act on the chosen people. */
function askToConfirm(
  pageContext: PageContext,
  { emails, listUrlQuery }: ChosenPeople,
  requestedAct: RequestedAct,
): View {
  const { people: labels, words } = pageContext.texts;
  const act = labels.acts[requestedAct.name];
  return confirmActView(pageContext, requestedAct, {
    people: markup`<ul class="bullets">
${emails.map((email) => markup`<li>${email}</li>`)}
</ul>`,
    action: CHOSEN_PATH,
    fields: { ...chosenPeopleFields(emails), list: listUrlQuery },
    submit: emails.length > 1 ? labels.actOnMany({ act, count: emails.length }) : act,
    cancel: listLink(listUrlQuery, words.back),
  });
}

/** Changes the chosen people, one after the other. If the operation refuses the fields of the act, asks again. */
async function changeEach(
  pageContext: PageContext,
  chosenPeople: ChosenPeople,
  { name, act, form }: RequestedAct,
): Promise<View> {
  const refusedPeople: RefusedPerson[] = [];
  for (const email of chosenPeople.emails) {
    const refusal = await act.run(pageContext, email, form);
    if (refusal?.hasBadFields) {
      return askToConfirm(pageContext, chosenPeople, { name, act, form, fault: refusal.reason });
    }
    if (refusal) refusedPeople.push({ email, ...refusal });
  }
  const doneCount = chosenPeople.emails.length - refusedPeople.length;
  const { people: labels, number } = pageContext.texts;
  const done = doneCount === 1
    ? labels.doneForOne[act.doneForText]
    : labels.doneForMany[act.doneForText]({ count: number(doneCount) });
  return await outcomeView(pageContext, chosenPeople, {
    done,
    refusedPeople,
    ...doneCount > 0 && act.doneText && { doneText: act.doneText },
  });
}

/**
 * Gives the chosen people as CSV, with the fields of the exported list. The audit log has an entry for each person. If
 * the data of a person cannot be read, there is no file, because nobody would notice that the person is missing in it.
 * The answer is then a page with the reason.
 */
async function downloadChosen(
  pageContext: PageContext,
  chosenPeople: ChosenPeople,
): Promise<View | Response> {
  const { operations, texts, now } = pageContext;
  const people: ShownSignup[] = [];
  const refusedPeople: RefusedPerson[] = [];
  for (const email of chosenPeople.emails) {
    const outcome = await operations.showSignup({ email, export: true });
    if ("failure" in outcome) refusedPeople.push({ email, ...refusalOfAct(outcome, texts) });
    else people.push(outcome);
  }
  if (refusedPeople.length > 0) {
    const done = texts.people.noFile;
    return await outcomeView(pageContext, chosenPeople, { done, refusedPeople });
  }
  async function* onePage() {
    yield people;
  }
  const format = createFormat("csv", SIGN_UP_FIELDS, texts.lang);
  return downloadPeople(onePage(), format, `people-${momentId(now)}.csv`);
}

/**
 * Says what was done, and for whom nothing was done and why. If one person was chosen, links to the page of the person.
 * @param options.done the sentence that says for how many people the act was done
 * @param options.doneText the name of the sentence that the page of the person shows after the act
 */
async function outcomeView(
  pageContext: PageContext,
  chosenPeople: ChosenPeople,
  { done, refusedPeople, doneText }: {
    done: string;
    refusedPeople: RefusedPerson[];
    doneText?: ChangeAct["doneText"];
  },
): Promise<View> {
  const { people: labels, invite, words } = pageContext.texts;
  const note = statusNote(done, refusedPeople.length > 0 ? "warning" : "notice");
  const refusedTable = refusedPeople.length > 0 && table({
    caption: labels.notDoneFor,
    head: [words.address, invite.why],
    rows: refusedPeople.map(({ email, reason }) => [{ rowHeading: showAddress(email) }, reason]),
  });
  return pageAfterAct(
    pageContext,
    chosenPeople,
    markup`${note}
${await linkToOnlyPerson(pageContext, chosenPeople, doneText)}
${refusedTable}`,
  );
}

/**
 * Links to the page of the person if only one person was chosen. Returns `undefined` if several people were chosen, or
 * if the person has no page, as after an erasure.
 */
async function linkToOnlyPerson(
  { operations, personPath }: PageContext,
  { emails: [email = "", ...otherEmails], listUrlQuery: list }: ChosenPeople,
  done: ChangeAct["doneText"],
): Promise<Html | undefined> {
  if (otherEmails.length > 0) return undefined;
  // The form of the list sends only addresses, and the path of the page is made from the id of the record.
  const person = await operations.showSignup({ email });
  if ("failure" in person || person.id === undefined) return undefined;
  const path = pathWith(personPath(person.id), { list, done });
  return markup`<p><a href="${path}">${showAddress(person.email)}</a></p>`;
}

/** The page after an act, with a link back to the list. */
function pageAfterAct(
  { texts: { pages, person } }: PageContext,
  { listUrlQuery }: ChosenPeople,
  content: Html,
): View {
  return {
    title: pages.people,
    body: markup`${listLink(listUrlQuery, person.backToList)}
${content}`,
  };
}
