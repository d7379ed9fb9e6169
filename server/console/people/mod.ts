/** The pages of people: the list, and what can be done with a person in a step or two. @module */
import type { SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { Cell } from "../components.ts";
import { breakable, doneNote, failedView, faultNote, nameIn, showTime } from "../components.ts";
import { stateBadge, table } from "../components.ts";
import { FORM_ID } from "../cookies.ts";
import { type HandedOn, pager, pathWith, postForm, withValues } from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, PERSON_PATH } from "../page_context.ts";
import { seeOther, type View } from "../page_context.ts";
import { answersPage, correctPersonPage, renewPersonPage } from "./change_person.ts";
import { actButtons, chosenPage } from "./chosen.ts";
import { filters, handOn, listPath, type ListQuery, PEOPLE_ON_PAGE } from "./list_query.ts";
import { readListQuery, requestOf } from "./list_query.ts";
import { CHOSEN_PATH } from "./page_about_person.ts";
import { personPage } from "./person.ts";

/** People, chosen by a part of the address and by what is known of them. */
const peoplePage: ConsolePage = {
  path: PATHS.people,
  get: (pageContext) => listView(pageContext, readListQuery(pageContext.form ?? pageContext.query)),
  async post(pageContext, form) {
    const listQuery = readListQuery(form);
    if (!listQuery.search && !listQuery.after) return seeOther(listPath(listQuery));
    const fields = withValues(handOn(listQuery));
    return await pageContext.redirectWith(PATHS.people, fields) ??
      await listView(pageContext, listQuery);
  },
};

async function listView(pageContext: PageContext, given: ListQuery): Promise<View> {
  const { operations, texts, query, form, hasExpired } = pageContext;
  const title = texts.pages.people;
  const erased = form?.get("erased");
  const call = (listQuery: ListQuery) =>
    operations.POST("/operator/v1/signups/list", { body: requestOf(listQuery) });
  let listQuery = given;
  let listed = await call(listQuery);
  const { search, inside, after } = given;
  // A beginning is found at once, so it is tried first.
  if (search && !inside && !after && listed.data?.people.length === 0 && !listed.data.next) {
    listQuery = { ...given, inside: true };
    listed = await call(listQuery);
  }
  if (!listed.data) return failedView(listed, texts, { title, back: listPath(listQuery) });
  return {
    title,
    body: markup`${erased !== undefined && doneNote(texts.people.erased({ email: erased }))}
${hasExpired && !query.has("erased") && faultNote(texts.failures.expired)}
${filters(listQuery, texts)}
${result(listed.data, listQuery, pageContext)}`,
  };
}

function result(page: SignupPage, listQuery: ListQuery, pageContext: PageContext): Html {
  const { people, next, searched } = page;
  const { texts, query } = pageContext;
  const { people: labels, words, number } = texts;
  const { search, inside, after, oldest } = listQuery;
  const { state, lang, source, role, building } = words.fields;
  const order = search && !inside ? labels.byAddress : oldest ? labels.oldest : labels.newest;
  // No URL may have a search or a position; the form that they came with has all of the query.
  const formId = query.get(FORM_ID);
  const further = formId
    ? { [FORM_ID]: formId }
    : handOn({ ...listQuery, search: "", after: undefined });
  const rows = table({
    caption: labels.caption({ count: people.length, order }),
    head: [labels.chosen, words.address, state, labels.createdAt, lang, source, role, building],
    rows: people.map((person, at) => toRow(person, { at, further, texts })),
  });
  // One form for all rows: the button that is pressed says what becomes of those who are chosen.
  const list = postForm(
    { action: CHOSEN_PATH, fields: handOn(listQuery), attributes: markup` class="rows"` },
    markup`${rows}
${actButtons(pageContext)}`,
  );
  const none = searched ? labels.none : texts.overview.nobody;
  const read = number(searched?.read ?? 0);
  const empty = next ? labels.noneYet({ read }) : after ? labels.noOthers : none;
  const onward = people.length === PEOPLE_ON_PAGE || !next ? words.nextPage : labels.goOn;
  const searchesMore = search !== "" && !inside;
  const pages = pager(PATHS.people, [
    [words.firstPage, after && handOn({ ...listQuery, after: undefined })],
    [onward, next && handOn({ ...listQuery, after: next })],
    [labels.inside, searchesMore && handOn({ ...listQuery, inside: true, after: undefined })],
  ], { posts: true });
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

function toRow(
  person: StoredSignup,
  { at, further, texts }: { at: number; further: HandedOn; texts: ConsoleTexts },
): Cell[] {
  const { words, invite, people: labels } = texts;
  const { email, state = "waiting", createdAt, lang, source, role = "", building = "" } = person;
  const label = labels.choose({ email });
  const fault = person.complainedAt
    ? words.complained
    : person.undeliverableAt && invite.reasons.undeliverable;
  return [
    markup`<input type="checkbox" name="chosen_${at}" value="${email}" aria-label="${label}">`,
    { row: markup`<a href="${personPath(person, further)}">${breakable(email)}</a>` },
    markup`${stateBadge(texts, state)}${fault && markup` <span class="badge bad">${fault}</span>`}`,
    showTime(createdAt, texts),
    words.langs[lang],
    source ? words.sources[source] : "",
    nameIn(texts.answers.role, role),
    nameIn(texts.answers.building, building),
  ];
}

/** Leads to a person's page by the record's id and the sign-up's moment, without an address, for another tab, too. */
const personPath = ({ id, createdAt }: StoredSignup, further: HandedOn): string =>
  pathWith(PERSON_PATH, { ...further, id, at: createdAt });

export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  personPage,
  chosenPage,
  correctPersonPage,
  answersPage,
  renewPersonPage,
];
