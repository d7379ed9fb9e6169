/** The pages of people: the list, and what can be done with a person in a step or two. @module */
import type { SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import {
  breakable,
  type Cell,
  doneNote,
  failedView,
  nameIn,
  showTime,
  stateBadge,
  table,
} from "../components.ts";
import { pager, pathWith, postForm, withValues } from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { actButtons, CHOSEN_PATH, chosenPage } from "./chosen.ts";
import { correctPersonPage } from "./correct.ts";
import {
  filters,
  handOn,
  listPath,
  type ListQuery,
  PEOPLE_ON_PAGE,
  readListQuery,
  requestOf,
} from "./list_query.ts";
import { personPage } from "./person.ts";

/** People, chosen by a part of the address and by what is known of them. */
const peoplePage: ConsolePage = {
  path: PATHS.people,
  get: (pageContext) =>
    listView(pageContext, readListQuery(pageContext.sealed ?? pageContext.query)),
  async post(pageContext, form) {
    const listQuery = readListQuery(form);
    if (!listQuery.search && !listQuery.after) return seeOther(listPath(listQuery));
    const path = pageContext.sealedPath(PATHS.people, withValues(handOn(listQuery)));
    return path ? seeOther(path) : await listView(pageContext, listQuery);
  },
};

async function listView(pageContext: PageContext, listQuery: ListQuery): Promise<View> {
  const { operations, texts, sealed } = pageContext;
  const title = texts.pages.people;
  const erased = sealed?.get("erased");
  const listed = await operations.listSignups(requestOf(listQuery));
  if ("failure" in listed) return failedView(listed, texts, { title, back: listPath(listQuery) });
  return {
    title,
    body: markup`${erased !== undefined && doneNote(texts.people.erased({ email: erased }))}
${filters(listQuery, texts)}
${result(listed, listQuery, pageContext)}`,
  };
}

function result(page: SignupPage, listQuery: ListQuery, pageContext: PageContext): Html {
  const { people, next } = page;
  const { texts, query, sealedPath } = pageContext;
  const { people: labels, words } = texts;
  const { after, oldest } = listQuery;
  const { state, lang, source, role, building } = words.fields;
  const order = oldest ? labels.oldest : labels.newest;
  const rows = table({
    caption: labels.caption({ count: people.length, order }),
    head: [labels.chosen, words.address, state, labels.createdAt, lang, source, role, building],
    rows: people.map((person, at) => toRow(person, at, pageContext)),
  });
  // One form for all rows: the button that is pressed says what becomes of those who are chosen.
  const list = postForm(
    {
      action: CHOSEN_PATH,
      fields: { list: query.toString() },
      attributes: markup` class="rows"`,
    },
    markup`${rows}
${actButtons(pageContext)}`,
  );
  const { after: _, oldest: _order, ...chosen } = listQuery;
  const none = Object.values(chosen).some(Boolean) ? labels.none : texts.overview.nobody;
  const empty = after ? labels.noOthers : none;
  const onward = people.length === PEOPLE_ON_PAGE || !next ? words.nextPage : labels.goOn;
  const path = (after: ListQuery["after"]) =>
    sealedPath(PATHS.people, withValues(handOn({ ...listQuery, after })));
  const pages = pager([
    [words.firstPage, after && path(undefined)],
    [onward, next && path(next)],
  ]);
  const known = knownOf(page, oldest, texts);
  return markup`${known && markup`<p role="status">${known}</p>`}
${people.length > 0 ? list : !next && markup`<p class="empty">${empty}</p>`}
${pages}`;
}

/** Says how many people there are, or how many were found and how far they were searched. */
function knownOf(
  { people, count, searched, next }: SignupPage,
  oldest: boolean,
  { people: labels, number, date }: ConsoleTexts,
): string | undefined {
  if (count) return labels.count({ count: number(count) });
  if (!searched) return undefined;
  const hits = number(searched.hits);
  if (!next) return people.length > 0 ? labels.hits({ hits }) : undefined;
  const day = date((searched.until ?? next.createdAt).slice(0, 10));
  const searchedTo = oldest ? labels.searchedUp({ day }) : labels.searchedBack({ day });
  return `${labels.hitsSoFar({ hits })}. ${searchedTo}.`;
}

function toRow(person: StoredSignup, at: number, pageContext: PageContext): Cell[] {
  const { texts, personPath, query } = pageContext;
  const { words, invite, people: labels } = texts;
  const { id = "", email, state = "waiting", createdAt, lang, source, role = "", building = "" } =
    person;
  const label = labels.choose({ email });
  const path = pathWith(personPath(id), { list: query.toString() });
  const fault = person.complainedAt
    ? words.complained
    : person.undeliverableAt && invite.reasons.undeliverable;
  return [
    markup`<input type="checkbox" name="chosen_${at}" value="${email}" aria-label="${label}">`,
    { row: markup`<a href="${path}">${breakable(email)}</a>` },
    markup`${stateBadge(texts, state)}${fault && markup` <span class="badge bad">${fault}</span>`}`,
    showTime(createdAt, texts),
    words.langs[lang],
    source ? words.sources[source] : "",
    nameIn(texts.answers.role, role),
    nameIn(texts.answers.building, building),
  ];
}

export const PEOPLE_PAGES: ConsolePage[] = [peoplePage, chosenPage, personPage, correctPersonPage];
