/**
 * The page "People": the form with the filters (`filter_form.ts`), the saved filters, and the list of people
 * with the links to its other pages. `chosen.ts` acts on people with a ticked checkbox, and `selection.ts` on everybody
 * who fits the filters. The other files of this folder have the pages of jobs, and the pages of one person. @module
 */
import type { ListedSignup, SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { answerColumnsOf, answerOf } from "../answer_columns.ts";
import {
  type Cell,
  failedView,
  makeRows,
  pager,
  personBadges,
  showAddress,
  showTime,
  statusNote,
  table,
} from "../components.ts";
import { chosenField, pathWith, postForm, toFields } from "../forms.ts";
import {
  correctLink,
  countOfWaiting,
  readRejectedWaiting,
  REJECTED_WAITING_PATH,
} from "../outbox/mod.ts";
import {
  type ConsolePage,
  IMPORT_PATH,
  MAX_COUNTED_AT_ONCE,
  type PageContext,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { actButtons, CHOSEN_PATH, chosenPeoplePage } from "./chosen.ts";
import { correctAddressPage } from "./correct_address_page.ts";
import { filterForm, type FilterSuggestions, readSuggestions } from "./filter_form.ts";
import { jobPage, JOBS_PATH, jobsPage } from "./jobs.ts";
import {
  hasFilter,
  type ListQuery,
  PEOPLE_ON_PAGE,
  readListQuery,
  requestOf,
  selectionOf,
  valuesOf,
} from "./list_query.ts";
import { personPage } from "./person.ts";
import { proofPage } from "./proof_page.ts";
import { filterLinks, filtersPage, saveFilterForm } from "./saved_filters.ts";
import { selectionPage } from "./selection.ts";
import {
  type CountedPage,
  countFieldsOf,
  countForm,
  type PeopleCount,
  readCount,
  selectionButtons,
  selectionCount,
} from "./selection_buttons.ts";

export { jobPath } from "./jobs.ts";

const peoplePage: ConsolePage = {
  path: PATHS.people,
  get: (pageContext) =>
    peopleView(pageContext, readListQuery(pageContext.encryptedFields ?? pageContext.query)),
  async post(pageContext, form) {
    const listQuery = readListQuery(form);
    if (!listQuery.search && !listQuery.after) {
      return seeOther(pathWith(PATHS.people, valuesOf(listQuery)));
    }
    // The query is encrypted, because a search and a position hold an address or a part of an address.
    const path = pageContext.encryptedPath(PATHS.people, toFields(valuesOf(listQuery)));
    return path ? seeOther(path) : await peopleView(pageContext, listQuery);
  },
};

async function peopleView(pageContext: PageContext, listQuery: ListQuery): Promise<View> {
  const { operations, texts, encryptedFields } = pageContext;
  const title = texts.pages.people;
  const listPage = await operations.listSignups(requestOf(listQuery));
  if ("failure" in listPage) {
    // After a refusal, the link leads to the list without filters, because the same filters would be refused again.
    const filters = listPage.failure === "invalid_request"
      ? {}
      : valuesOf({ ...listQuery, search: "", after: undefined });
    const back = pathWith(PATHS.people, filters);
    return failedView(listPage, texts, { title, back });
  }
  // The address of a person whom the operator has just erased. After the erasure, the page of the person leads here.
  const erased = encryptedFields?.get("erased");
  const suggestions = await readSuggestions(pageContext);
  const counted = await countPeople(listPage, listQuery, { suggestions, pageContext });
  const { next, ...page } = listPage;
  // If the count has found nobody, the search need not go on.
  const goesOn = page.people.length > 0 || counted?.count !== 0;
  const { hasUnconfirmed } = suggestions;
  const countedPage = { ...page, ...next && goesOn && { next }, counted, hasUnconfirmed };
  return {
    title,
    ...listPage.people.length > 0 && { script: "choose.js" },
    body: markup`${erased !== undefined && statusNote(texts.people.erased({ email: erased }))}
${listQuery.refusedLetter && await rejectedWaitingNote(pageContext)}
${await filterLinks(pageContext)}
${letterLinks(listQuery, suggestions, texts)}
${filterForm(listQuery, suggestions, pageContext)}
${saveFilterForm(listQuery, pageContext)}
${await peopleList(countedPage, listQuery, pageContext)}`,
  };
}

/** Says how many rejected e-mails wait for a new try, with a link to their table; `false` if there are none. */
async function rejectedWaitingNote(pageContext: PageContext): Promise<Html | false> {
  const { texts } = pageContext;
  const rejectedWaiting = await readRejectedWaiting(pageContext);
  if (rejectedWaiting.letters.length === 0) return false;
  const count = countOfWaiting(rejectedWaiting, texts);
  return markup`<p class="soft">${
    texts.people.rejectedWaiting({ count })
  } <a href="${REJECTED_WAITING_PATH}">${texts.pages.outbox}</a></p>`;
}

/**
 * Links to the lists of e-mails and events that wait or were rejected, as long as there are any. In place of those that
 * were rejected, links to the people with a rejected e-mail, unless these people are shown.
 */
function letterLinks(
  { refusedLetter }: ListQuery,
  { rejectedCount, waitingCount }: FilterSuggestions,
  { people: labels }: ConsoleTexts,
): Html | undefined {
  const rejectedLink: [path: string, label: string] = refusedLetter
    ? [pathWith(PATHS.outbox, { list: "refused" }), labels.rejected]
    : [pathWith(PATHS.people, { refusedLetter: true }), labels.withRejected];
  const waitingPath = pathWith(PATHS.outbox, { list: "waiting" });
  const links = [
    ...rejectedCount > 0 ? [rejectedLink] : [],
    ...waitingCount > 0 ? [[waitingPath, labels.waiting] as const] : [],
  ];
  if (links.length === 0) return undefined;
  return markup`<p class="actions">
${links.map(([path, label]) => markup`<a href="${path}">${label}</a>`)}
</p>`;
}

/**
 * Returns how many people fit the filters: a number that the list tells, or the number that the operator has asked for
 * before. Counts the people if there are few people to look at; otherwise the operator has to ask for the number, and
 * the function returns `undefined`.
 */
async function countPeople(
  listPage: SignupPage,
  listQuery: ListQuery,
  { suggestions, pageContext }: { suggestions: FilterSuggestions; pageContext: PageContext },
): Promise<PeopleCount | undefined> {
  const toldCount = selectionCount(listPage, listQuery);
  if (toldCount !== undefined) return { count: toldCount };
  const { operations, encryptedFields } = pageContext;
  const countBefore = readCount(encryptedFields);
  if (countBefore) return countBefore;
  if (suggestions.countLookedAt(listQuery) > MAX_COUNTED_AT_ONCE) return undefined;
  const part = await operations.countSignups(selectionOf(listQuery));
  return "failure" in part || part.next ? undefined : { count: part.count };
}

/** Shows one page of the list, with the buttons that act on people. */
async function peopleList(
  listPage: CountedPage,
  listQuery: ListQuery,
  pageContext: PageContext,
): Promise<Html> {
  const { people, next, counted } = listPage;
  const { texts } = pageContext;
  const progress = progressOf(listPage, listQuery, texts);
  return markup`${
    (progress || !counted) && markup`<div class="actions">
${progress && markup`<p role="status">${progress}</p>`}
${!counted && countForm(listQuery, pageContext)}
</div>`
  }
${
    people.length > 0
      ? await chooseForm(people, listQuery, pageContext)
      : emptyList(listPage, listQuery, pageContext)
  }
${pageLinks(listPage, listQuery, pageContext)}
${(people.length > 0 || next) && selectionButtons(listPage, listQuery, pageContext)}
<p><a href="${JOBS_PATH}">${texts.jobs.title}</a></p>`;
}

/**
 * The form with which the operator chooses people. All rows are in one form. The button that the operator presses says
 * what to do with all chosen people.
 */
async function chooseForm(
  people: ListedSignup[],
  listQuery: ListQuery,
  pageContext: PageContext,
): Promise<Html> {
  const { texts, query, yieldToCalls } = pageContext;
  const { isOldestFirst, refusedLetter } = listQuery;
  const { people: labels, words: { address, fields } } = texts;
  const order = isOldestFirst ? labels.oldest : labels.newest;
  const hasReferrals = people.some(({ referrals }) => referrals !== undefined);
  const answerColumns = answerColumnsOf(people);
  const peopleTable = table({
    caption: labels.caption({ count: people.length, order }),
    head: [
      labels.chosen,
      address,
      fields.state,
      ...refusedLetter ? [labels.rejectedLetter] : [],
      labels.createdAt,
      fields.lang,
      ...answerColumns.map((name) => fields[name]),
      ...hasReferrals ? [{ number: labels.referrals }] : [],
    ],
    rows: await makeRows(people, (person, index) => [
      ...rowOf(person, index, { pageContext, showsRejection: refusedLetter }),
      ...answerColumns.map((name) => answerOf(person, name, texts)),
      ...hasReferrals ? [{ number: referralsOf(person, texts) }] : [],
    ], { yieldToCalls }),
  });
  // The script `choose.js` reads its texts from these attributes, and puts the number of chosen rows in the place
  // of `{count}`. On a page that shows a result or says what was done, the script does not focus the search, because
  // screen readers would then begin behind the result.
  const focusesSearch = isWholeList(listQuery) && !pageContext.encryptedFields?.has("erased");
  const classes = refusedLetter ? "rows reasons" : "rows";
  const attributes =
    markup` class="${classes}" data-choose-all="${labels.chooseAll}" data-chosen="${
      labels.countChosen({ count: "{count}" })
    }"${focusesSearch && markup` data-focus="search"`}`;
  return postForm(
    { action: CHOSEN_PATH, fields: { list: query.toString() }, attributes },
    markup`${peopleTable}
${actButtons(people, pageContext)}`,
  );
}

function rowOf(
  person: ListedSignup,
  index: number,
  { pageContext, showsRejection }: { pageContext: PageContext; showsRejection: boolean },
): Cell[] {
  const { texts, personPath, query } = pageContext;
  const { words, people: labels } = texts;
  const { id = "", email, createdAt, lang } = person;
  const fieldName = chosenField(index);
  const label = labels.choose({ email });
  const path = pathWith(personPath(id), { list: query.toString() });
  return [
    markup`<input type="checkbox" name="${fieldName}" value="${email}" aria-label="${label}">`,
    { rowHeading: markup`<a href="${path}">${showAddress(email)}</a>` },
    personBadges(texts, person),
    ...showsRejection ? [rejectionOf(person, pageContext)] : [],
    showTime(createdAt, texts),
    words.langs[lang],
  ];
}

/**
 * Says of the rejected e-mail to a person what it was, when it was rejected, and what the mail server answered. A link
 * leads to the correction of the address, unless the operator may not correct it.
 */
function rejectionOf(
  { refusedLetter, refusal, id, email }: ListedSignup,
  { texts, may, personPath }: PageContext,
): Html | string {
  if (!refusedLetter) return "";
  return markup`${texts.outbox.letterNames[refusedLetter]}${
    refusal && markup`, ${showTime(refusal.at, texts)} <small>${refusal.answer}</small>`
  }${
    id !== undefined && may("correctSignup") &&
    markup` ${correctLink({ id, email }, { texts, personPath })}`
  }`;
}

const referralsOf = ({ referrals }: StoredSignup, { number }: ConsoleTexts): string =>
  referrals === undefined ? "" : number(referrals);

/** Says why a page of the list has no people. If the whole waitlist is empty, links to the import of people as well. */
function emptyList(
  { next }: SignupPage,
  listQuery: ListQuery,
  { texts, may }: PageContext,
): Html {
  const { people: labels, overview, imports } = texts;
  const reasonOnFirstPage = isWholeList(listQuery) ? overview.nobody : labels.none;
  const reason = listQuery.after ? labels.noOthers : reasonOnFirstPage;
  const isFiltered = !listQuery.after && !isWholeList(listQuery);
  const importLink = isWholeList(listQuery) && may("importSignups") &&
    markup`<p><a class="button" href="${IMPORT_PATH}">${imports.title}</a></p>`;
  return markup`${!next && markup`<p class="empty">${reason}</p>`}
${!next && isFiltered && adviceForNobody(listQuery, texts)}
${importLink}`;
}

/** Says what the operator can try if nobody fits the filters, with a link to the list without filters. */
const adviceForNobody = ({ search }: ListQuery, { people: labels }: ConsoleTexts): Html =>
  markup`<p>${search && labels.trySearch} <a href="${PATHS.people}">${labels.clearFilters}</a></p>`;

/** Whether a page is the first one of the list without filters. */
function isWholeList(listQuery: ListQuery): boolean {
  return !listQuery.after && !hasFilter(listQuery);
}

/** Links to the first page and to the next page of the list. */
function pageLinks(
  { people, next }: SignupPage,
  listQuery: ListQuery,
  { texts: { people: labels, words }, encryptedPath, encryptedFields }: PageContext,
): Html | undefined {
  const countFields = countFieldsOf(readCount(encryptedFields));
  const pathOfPage = (after: ListQuery["after"]) => {
    const fields = { ...valuesOf({ ...listQuery, after }), ...countFields };
    return encryptedPath(PATHS.people, toFields(fields));
  };
  // A search reads only a part of a long list for each page, so a page can have fewer people than `PEOPLE_ON_PAGE`
  // although more people follow. The link to the next page then says that the search goes on.
  const goesOn = next && people.length < PEOPLE_ON_PAGE;
  return pager([
    [words.firstPage, listQuery.after && pathOfPage(undefined)],
    [goesOn ? labels.goOn : words.nextPage, next && pathOfPage(next)],
  ]);
}

/**
 * Says how many people the list has or how many people fit the filters. As long as this is unknown, says how many people
 * a search has found and how far the search has come, if there is a search.
 */
function progressOf(
  { count, counted, searched, next }: CountedPage,
  { isOldestFirst }: ListQuery,
  { people: labels, number, date }: ConsoleTexts,
): string | undefined {
  if (count) return labels.count({ count: number(count) });
  if (counted) {
    const hits = number(counted.count);
    if (counted.at) return labels.hitsAt({ hits, moment: date(counted.at) });
    return counted.count > 0 ? labels.hits({ hits }) : undefined;
  }
  if (!searched || !next) return undefined;
  const day = date((searched.until ?? next.createdAt).slice(0, 10));
  const searchedTo = isOldestFirst ? labels.searchedUp({ day }) : labels.searchedBack({ day });
  return `${labels.hitsSoFar({ hits: number(searched.hits) })}. ${searchedTo}.`;
}

export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  chosenPeoplePage,
  selectionPage,
  jobPage,
  jobsPage,
  filtersPage,
  personPage,
  correctAddressPage,
  proofPage,
];
