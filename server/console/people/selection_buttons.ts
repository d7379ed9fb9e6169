/**
 * The buttons that act on everybody who fits the selection: the filters that the operator has set in the list of
 * people. `selection.ts` acts when a button is pressed. @module
 */
import type { SignupPage } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { FILTERS, type State } from "../../waitlist/mod.ts";
import { type FieldValues, postForm, type SentFields } from "../forms.ts";
import { type PageContext, PATHS } from "../page_context.ts";
import { actLabel, ACTS, fitsPerson } from "./acts.ts";
import { filterFacts } from "./filter_facts.ts";
import { hasFilter, type ListQuery, selectionOf, valuesOf } from "./list_query.ts";

/**
 * The path to which the buttons send the selection and the name of the act. `hits` in the path are the people who fit
 * the selection.
 */
export const SELECTION_PATH = "/operator/people/hits/";

/** The value of the form field `act` that asks for the number of people in the selection, and for no act. */
export const COUNT_ACT = "count";

/** How many people fit the selection. */
export interface PeopleCount {
  count: number;
  /** When the operator has asked for the number, a date-time; absent if the number was read for the present page. */
  at?: string;
}

/**
 * Returns the encrypted fields with which the list, and each of its further pages, shows the number that the operator
 * has asked for.
 */
export const countFieldsOf = (counted: PeopleCount | undefined): FieldValues => ({
  counted: counted?.count,
  counted_at: counted?.at,
});

/** Reads the fields of {@linkcode countFieldsOf}. */
export function readCount(fields: SentFields | undefined): PeopleCount | undefined {
  const count = fields?.get("counted");
  const at = fields?.get("counted_at");
  return count === undefined || at === undefined ? undefined : { count: Number(count), at };
}

/** The acts whose buttons stand below the list, in the order of the buttons. */
const LISTED_ACTS = ["invite", "remind", "erase"] as const;

/** The names of the acts on a selection. The form with the filters has the button for `export`. */
export const SELECTION_ACTS = [...LISTED_ACTS, "export"] as const;

type SelectionAct = typeof SELECTION_ACTS[number];

/** A page of the list, and the numbers that are shown with it. */
export interface CountedPage extends SignupPage {
  /** How many people fit the filters, if this is known. */
  counted: PeopleCount | undefined;
  /** Whether anybody on the whole list is unconfirmed. */
  hasUnconfirmed: boolean;
}

/**
 * The buttons below the list, one for each act that the operator's role and the selection allow, unless it is known that
 * the act fits nobody; `undefined` if there is no such act. What cannot be undone comes last. If the people of the page
 * can only be invited by their checkboxes, says so.
 */
export function selectionButtons(
  listPage: CountedPage,
  listQuery: ListQuery,
  pageContext: PageContext,
): Html | undefined {
  const { people, counted } = listPage;
  const { texts, may } = pageContext;
  const names = LISTED_ACTS.filter((name) =>
    canActOnSelection(name, listQuery, pageContext) && mayFitSomebody(name, listPage, listQuery)
  );
  const retryAll = retryAllButton(listQuery, pageContext);
  if (names.length === 0 && !retryAll) return undefined;
  const buttons = names.map((name) => {
    const label = labelOf(name, listQuery, { count: counted?.count, texts });
    // The dots say that another page comes before the act.
    return markup`<button name="act" value="${name}">${label} …</button>`;
  });
  const canInviteSome = may(ACTS.invite.operation) &&
    people.some((person) => fitsPerson("invite", person));
  const others = canInviteSome ? filtersNotForInvite(listQuery, texts) : [];
  const advice = others.length > 0 &&
    texts.people.tickToInvite({ filters: others.join(", ") });
  return selectionForm(
    listQuery,
    pageContext,
    markup`<p class="actions">${texts.people.withAll} ${retryAll} ${buttons}</p>
${advice && markup`<p class="soft">${advice}</p>`}`,
  );
}

/** Whether an act may fit somebody in the selection. If the selection has only one page, its people tell. */
function mayFitSomebody(
  name: typeof LISTED_ACTS[number],
  { people, next, hasUnconfirmed }: CountedPage,
  { after }: ListQuery,
): boolean {
  if (!after && !next) return people.some((person) => fitsPerson(name, person));
  return name !== "remind" || hasUnconfirmed;
}

/** The label of an act on a selection, with the number of people if it is known. */
function labelOf(
  name: typeof LISTED_ACTS[number],
  { state }: ListQuery,
  { count, texts }: { count: number | undefined; texts: ConsoleTexts },
): string {
  const { people: labels } = texts;
  const act = labels.acts[name];
  // Without the filter, other people fit the selection as well, on whom this act does not act.
  if (name === "invite" && !state) return labels.actOnWaiting({ act });
  if (name === "remind" && !state) return labels.actOnUnconfirmed({ act });
  return count === undefined ? labels.actOnAll({ act }) : actLabel(act, count, texts);
}

/**
 * The button that leads to the question of the page "E-mails and events" whether to try everything again that was
 * rejected; `undefined` unless the list has all people with a rejected e-mail.
 */
function retryAllButton(
  listQuery: ListQuery,
  { may, previewInvitation, texts }: PageContext,
): Html | undefined {
  const { refusedLetter, ...others } = selectionOf(listQuery);
  const mayRetry = may(ACTS.retry.operation) && previewInvitation !== undefined;
  if (!mayRetry || !refusedLetter || Object.keys(others).length > 0) return undefined;
  return markup`<button formaction="${PATHS.outbox}" name="action" value="all">${texts.people.retryAll} …</button>`;
}

/** The form with the button that counts the people who fit the selection. */
export function countForm(listQuery: ListQuery, pageContext: PageContext): Html {
  const label = pageContext.texts.people.countAll;
  const countButton = markup`<button name="act" value="${COUNT_ACT}">${label}</button>`;
  return selectionForm(listQuery, pageContext, countButton);
}

/** A form that sends the selection, and the query of the list to which the operator returns. */
function selectionForm(listQuery: ListQuery, { query }: PageContext, content: Html): Html {
  const fields = { ...valuesOf({ ...listQuery, after: undefined }), list: query.toString() };
  return postForm({ action: SELECTION_PATH, fields }, content);
}

/**
 * The button in the form with the filters, which downloads everybody who fits these filters without showing the list
 * first; `undefined` if the operator's role does not allow the download.
 */
export function downloadButton({ may, texts }: PageContext): Html | undefined {
  if (!may(ACTS.export.operation)) return undefined;
  const { people: { download } } = texts;
  return markup`<button formaction="${SELECTION_PATH}" name="act" value="export">${download}</button>`;
}

/**
 * Returns how many people fit the selection: the list's own count or, on the last page of the list, the people of this
 * page and of the pages before it. Returns `undefined` if neither is known.
 */
export function selectionCount(
  { people, count, next }: SignupPage,
  { after }: ListQuery,
): number | undefined {
  if (count !== undefined) return count;
  const countOnEarlierPages = after?.hits ?? 0;
  return next ? undefined : countOnEarlierPages + people.length;
}

/** Whether the operator's role allows an act, and whether the act can be done with everybody in the selection. */
export function canActOnSelection(
  name: SelectionAct,
  listQuery: ListQuery,
  { may, previewInvitation, texts }: PageContext,
): boolean {
  if (!may(ACTS[name].operation)) return false;
  const sendsLetters = previewInvitation !== undefined;
  // A job reminds or erases the people, so the operator's role must allow jobs as well.
  const mayStartJob = may("startJob");
  switch (name) {
    case "invite":
      return isInState("waiting", listQuery) && filtersNotForInvite(listQuery, texts).length === 0;
    case "remind":
      return mayStartJob && sendsLetters && mayHaveUnconfirmed(listQuery);
    case "export":
      return true;
    case "erase":
      // Without a filter, one wrong press could lead to the erasure of the whole waitlist.
      return mayStartJob && hasFilter(listQuery);
  }
}

/** Whether the filters leave people in a state in the selection. */
const isInState = (state: State, listQuery: ListQuery): boolean =>
  listQuery.state === undefined || listQuery.state === state;

/** Whether the selection can have people who are unconfirmed and whom another confirmation helps. */
function mayHaveUnconfirmed(listQuery: ListQuery): boolean {
  const { mark, wave, reached, refusedLetter } = listQuery;
  // An unconfirmed person has come to no later step than `taken`.
  const hasEarlyStep = reached === undefined || reached === "taken";
  // The rejected e-mail of an unconfirmed person is mostly the confirmation, of which a new try helps.
  const isOther = !mark && !wave && !refusedLetter;
  return isInState("unconfirmed", listQuery) && isOther && hasEarlyStep;
}

/** Gives the names of those filters of a selection that a wave does not have. A wave has the filters in `FILTERS`. */
function filtersNotForInvite(listQuery: ListQuery, texts: ConsoleTexts): string[] {
  const { state: _, ...filters } = selectionOf(listQuery);
  for (const name of FILTERS) delete filters[name];
  return filterFacts(filters, texts).map(([name]) => name);
}
