/**
 * Acts on everybody who fits the selection: the filters that the operator has set in the list of people.
 * `selection_buttons.ts` has the buttons, and `job_question.ts` starts the jobs that remind and erase people.
 * `chosen.ts` acts on people who are chosen one by one. @module
 */
import { FILTERS } from "../../waitlist/mod.ts";
import { failedView, forbiddenView, pathOfList } from "../components.ts";
import { downloadList } from "../downloads.ts";
import { isConfirmed, knownValue } from "../forms.ts";
import { inviteNextPeople } from "../invite/mod.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import {
  COUNTING_ACTS,
  countThenGoOn,
  redirectToCount,
  startSelectionJob,
} from "./job_question.ts";
import { type ListQuery, readListQuery, selectionOf } from "./list_query.ts";
import {
  canActOnSelection,
  COUNT_ACT,
  SELECTION_ACTS,
  SELECTION_PATH,
} from "./selection_buttons.ts";

export const selectionPage: ConsolePage = {
  path: SELECTION_PATH,
  get(pageContext) {
    const { encryptedFields } = pageContext;
    const act = knownValue(COUNTING_ACTS, encryptedFields?.get("act"));
    return encryptedFields && act
      ? countThenGoOn(pageContext, encryptedFields, act)
      : redirectToList();
  },
  async post(pageContext, form) {
    const { texts } = pageContext;
    if (form.get("act") === COUNT_ACT) return await redirectToCount(pageContext, form, COUNT_ACT);
    const act = knownValue(SELECTION_ACTS, form.get("act"));
    if (!act) return redirectToList();
    const listQuery = readListQuery(form);
    if (!canActOnSelection(act, listQuery, pageContext)) return forbiddenView(texts);
    switch (act) {
      case "invite":
        return await inviteSelection(pageContext, listQuery);
      case "export": {
        const back = pathOfList(form.get("list"));
        return await downloadList(pageContext, selectionOf(listQuery), { format: "csv", back });
      }
      case "remind":
      case "erase":
        if (isConfirmed(form)) return await startSelectionJob(pageContext, form, act);
        return await redirectToCount(pageContext, form, act);
    }
  },
};

const redirectToList = () => seeOther(PATHS.people);

/**
 * Leads to the page "Invite", whose form then has the filters of the selection, and the number of people in the
 * selection who are waiting.
 */
async function inviteSelection(
  pageContext: PageContext,
  listQuery: ListQuery,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const part = await operations.countSignups({ ...selectionOf(listQuery), state: "waiting" });
  if ("failure" in part) {
    return failedView(part, texts, { title: texts.pages.invite, back: PATHS.people });
  }
  // If the count of a long list is unfinished, the form gets no number of people, because the number so far is too
  // small. A wave cannot have the number 0.
  const numberOfPeople = part.next || part.count === 0 ? undefined : part.count;
  const filters = Object.fromEntries(FILTERS.map((name) => [name, listQuery[name]]));
  return await inviteNextPeople(pageContext, { ...filters, next: numberOfPeople });
}
