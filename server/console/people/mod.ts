/** The pages of people: the list, and what can be done with a person in a step or two. @module */
import type { SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { Cell } from "../components.ts";
import { breakable, doneNote, failedView, nameIn, showTime } from "../components.ts";
import { stateBadge, table } from "../components.ts";
import { pager, pathWith, postForm, withValues } from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS } from "../page_context.ts";
import { seeOther, type View } from "../page_context.ts";
import { actButtons, CHOSEN_PATH, chosenPage } from "./chosen.ts";
import { correctPersonPage } from "./correct.ts";
import { filters, handOn, listPath, type ListQuery, PEOPLE_ON_PAGE } from "./list_query.ts";
import { readListQuery, requestOf } from "./list_query.ts";
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

async function listView(pageContext: PageContext, given: ListQuery): Promise<View> {
  const { operations, texts, sealed } = pageContext;
  const title = texts.pages.people;
  const erased = sealed?.get("erased");
  const call = (listQuery: ListQuery) => operations.listSignups(requestOf(listQuery));
  let listQuery = given;
  let listed = await call(listQuery);
  const { search, inside, after } = given;
  // A beginning is found at once, so it is tried first.
  if (search && !inside && !after && !("failure" in listed) && !listed.people[0] && !listed.next) {
    listQuery = { ...given, inside: true };
    listed = await call(listQuery);
  }
  if ("failure" in listed) return failedView(listed, texts, { title, back: listPath(listQuery) });
  return {
    title,
    body: markup`${erased !== undefined && doneNote(texts.people.erased({ email: erased }))}
${filters(listQuery, texts)}
${result(listed, listQuery, pageContext)}`,
  };
}

function result(page: SignupPage, listQuery: ListQuery, pageContext: PageContext): Html {
  const { people, next, searched } = page;
  const { texts, query, sealedPath } = pageContext;
  const { people: labels, words, number } = texts;
  const { search, inside, after, oldest } = listQuery;
  const { state, lang, source, role, building } = words.fields;
  const order = search && !inside ? labels.byAddress : oldest ? labels.oldest : labels.newest;
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
  const none = searched ? labels.none : texts.overview.nobody;
  const read = number(searched?.read ?? 0);
  const empty = next ? labels.noneYet({ read }) : after ? labels.noOthers : none;
  const onward = people.length === PEOPLE_ON_PAGE || !next ? words.nextPage : labels.goOn;
  const searchesMore = search !== "" && !inside;
  const path = (changed: Partial<ListQuery>) =>
    sealedPath(PATHS.people, withValues(handOn({ ...listQuery, ...changed })));
  const pages = pager([
    [words.firstPage, after && path({ after: undefined })],
    [onward, next && path({ after: next })],
    [labels.inside, searchesMore && path({ inside: true, after: undefined })],
  ]);
  const hits = people.length > 0 && searched && hitsOf(searched, texts, inside);
  return markup`${hits && markup`<p role="status">${hits}</p>`}
${people.length > 0 ? list : markup`<p class="empty">${empty}</p>`}
${pages}`;
}

/** Says how many people fit, and how far the list was read where that is not to its end. */
function hitsOf(
  { read, hits, total, complete }: NonNullable<SignupPage["searched"]>,
  { people: labels, number }: ConsoleTexts,
  isInside: boolean,
): string {
  if (complete) return labels.hits({ hits: number(hits) });
  if (!isInside) return labels.hitsAndMore({ hits: number(hits) });
  return labels.hitsSoFar({ hits: number(hits), read: number(read), total: number(total ?? read) });
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
