/**
 * The list of people on the page "People": a table with a checkbox for each person, and the links to other pages of the
 * list. `chosen.ts` acts on people with a ticked checkbox, and `selection.ts` on everybody who fits the filters.
 * @module
 */
import type { SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import {
  type Cell,
  makeRows,
  nameIn,
  pager,
  showAddress,
  showTime,
  stateBadge,
  table,
} from "../components.ts";
import { chosenField, pathWith, postForm, toFields } from "../forms.ts";
import { IMPORT_PATH, type PageContext, PATHS } from "../page_context.ts";
import { actButtons, CHOSEN_PATH } from "./chosen.ts";
import { JOBS_PATH } from "./jobs.ts";
import { type ListQuery, PEOPLE_ON_PAGE, valuesOf } from "./list_query.ts";
import { selectionButtons } from "./selection_buttons.ts";

/** Shows one page of the list, with the buttons that act on people. */
export async function peopleList(
  listPage: SignupPage,
  listQuery: ListQuery,
  pageContext: PageContext,
): Promise<Html> {
  const { people, next } = listPage;
  const { texts } = pageContext;
  const progress = progressOf(listPage, listQuery, texts);
  return markup`${progress && markup`<p role="status">${progress}</p>`}
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
  people: StoredSignup[],
  { isOldestFirst }: ListQuery,
  pageContext: PageContext,
): Promise<Html> {
  const { texts, query, yieldToCalls } = pageContext;
  const { people: labels, words } = texts;
  const { state, lang, source, role, building } = words.fields;
  const order = isOldestFirst ? labels.oldest : labels.newest;
  const hasReferrals = people.some(({ referrals }) => referrals !== undefined);
  const peopleTable = table({
    caption: labels.caption({ count: people.length, order }),
    head: [
      labels.chosen,
      words.address,
      state,
      labels.createdAt,
      lang,
      source,
      role,
      building,
      ...hasReferrals ? [{ number: labels.referrals }] : [],
    ],
    rows: await makeRows(people, (person, index) => [
      ...rowOf(person, index, pageContext),
      ...hasReferrals ? [{ number: referralsOf(person, texts) }] : [],
    ], { yieldToCalls }),
  });
  // The script `choose.js` reads its texts from these attributes, and puts the number of chosen rows in the place
  // of `{count}`.
  const attributes = markup` class="rows" data-choose-all="${labels.chooseAll}" data-chosen="${
    labels.countChosen({ count: "{count}" })
  }"`;
  return postForm(
    { action: CHOSEN_PATH, fields: { list: query.toString() }, attributes },
    markup`${peopleTable}
${actButtons(pageContext)}`,
  );
}

function rowOf(person: StoredSignup, index: number, pageContext: PageContext): Cell[] {
  const { texts, personPath, query } = pageContext;
  const { words, invite, people: labels } = texts;
  const { id = "", email, state = "waiting", createdAt, lang, source, role = "", building = "" } =
    person;
  const fieldName = chosenField(index);
  const label = labels.choose({ email });
  const path = pathWith(personPath(id), { list: query.toString() });
  const mark = person.complainedAt
    ? words.complained
    : person.undeliverableAt && invite.reasons.undeliverable;
  return [
    markup`<input type="checkbox" name="${fieldName}" value="${email}" aria-label="${label}">`,
    { row: markup`<a href="${path}">${showAddress(email)}</a>` },
    markup`${stateBadge(texts, state)}${mark && markup` <span class="badge bad">${mark}</span>`}`,
    showTime(createdAt, texts),
    words.langs[lang],
    source && words.sources[source],
    nameIn(texts.answers.role, role),
    nameIn(texts.answers.building, building),
  ];
}

const referralsOf = ({ referrals }: StoredSignup, { number }: ConsoleTexts): string =>
  referrals === undefined ? "" : number(referrals);

/** Says why a page of the list has no people. If the whole waitlist is empty, links to the import of people as well. */
function emptyList(
  { next }: SignupPage,
  { isOldestFirst: _, after, ...filters }: ListQuery,
  { texts, may }: PageContext,
): Html {
  const { people: labels, overview, imports } = texts;
  const hasFilter = Object.values(filters).some(Boolean);
  const reasonOnFirstPage = hasFilter ? labels.none : overview.nobody;
  const reason = after ? labels.noOthers : reasonOnFirstPage;
  const isWholeList = !hasFilter && !after;
  const importLink = isWholeList && may("importSignups") &&
    markup`<p><a class="button" href="${IMPORT_PATH}">${imports.title}</a></p>`;
  return markup`${!next && markup`<p class="empty">${reason}</p>`}
${importLink}`;
}

/** Links to the first page and to the next page of the list. */
function pageLinks(
  { people, next }: SignupPage,
  listQuery: ListQuery,
  { texts: { people: labels, words }, encryptedPath }: PageContext,
): Html | undefined {
  const pathOfPage = (after: ListQuery["after"]) =>
    encryptedPath(PATHS.people, toFields(valuesOf({ ...listQuery, after })));
  // A search reads only a part of a long list for each page, so a page can have fewer people than `PEOPLE_ON_PAGE`
  // although more people follow. The link to the next page then says that the search goes on.
  const goesOn = next && people.length < PEOPLE_ON_PAGE;
  return pager([
    [words.firstPage, listQuery.after && pathOfPage(undefined)],
    [goesOn ? labels.goOn : words.nextPage, next && pathOfPage(next)],
  ]);
}

/**
 * Says how many people the list has, or how many people a search has found and how far the search has come. Returns
 * `undefined` if neither is known.
 */
function progressOf(
  { people, count, searched, next }: SignupPage,
  { isOldestFirst }: ListQuery,
  { people: labels, number, date }: ConsoleTexts,
): string | undefined {
  if (count) return labels.count({ count: number(count) });
  if (!searched) return undefined;
  const hits = number(searched.hits);
  if (!next) return people.length > 0 ? labels.hits({ hits }) : undefined;
  const day = date((searched.until ?? next.createdAt).slice(0, 10));
  const searchedTo = isOldestFirst ? labels.searchedUp({ day }) : labels.searchedBack({ day });
  return `${labels.hitsSoFar({ hits })}. ${searchedTo}.`;
}
