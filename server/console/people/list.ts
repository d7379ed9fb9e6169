import type { ListRequest, SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LANGS, SOURCES, STATES } from "../../waitlist/mod.ts";
import {
  type Cell,
  doneNote,
  failedView,
  faultNote,
  showTime,
  stateBadge,
  table,
} from "../components.ts";
import {
  button,
  field,
  filter,
  type HandedOn,
  knownValue,
  pager,
  pathWith,
  postForm,
  select,
  withValues,
} from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";

const PAGE_SIZE = 50;

/** The page of a person, whose path has no address in it; the form brings it. */
export const PERSON_PATH = "/operator/people/person/";

/** What is listed: people whose address begins as `search` says, or all; `after` is behind whom the page begins. */
type ListQuery = ReturnType<typeof readListQuery>;

/** People, chosen by the beginning of an address, by state, language and form. */
export const peoplePage: ConsolePage = {
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

/** Reads a list query from the fields of a form or a query; a value that is not known counts as absent. */
function readListQuery(fields: { get: (name: string) => string | null | undefined }) {
  const email = fields.get("after_email"), createdAt = fields.get("after_at");
  return {
    search: fields.get("search")?.trim() ?? "",
    state: knownValue(STATES, fields.get("state")),
    lang: knownValue(LANGS, fields.get("lang")),
    source: knownValue(SOURCES, fields.get("source")),
    oldest: fields.get("order") === "oldest",
    after: email && createdAt ? { email, createdAt } : undefined,
  };
}

function handOn({ oldest, after, ...filters }: ListQuery): HandedOn {
  const position = { after_at: after?.createdAt, after_email: after?.email };
  return { ...filters, order: oldest && "oldest", ...position };
}

/** The query of the list that led to a page, as the forms of the page hand it on. */
export function listFields(form: { get: (name: string) => string | undefined }): HandedOn {
  return handOn(readListQuery(form));
}

/** The address of the list for a list query without an e-mail address: neither a search nor a further page. */
function listPath(listQuery: ListQuery): string {
  return pathWith(PATHS.people, handOn({ ...listQuery, search: "", after: undefined }));
}

async function listView(pageContext: PageContext, listQuery: ListQuery): Promise<View> {
  const { operations, texts, query, form, hasExpired } = pageContext;
  const { search, state, lang, source, oldest, after } = listQuery;
  const title = texts.pages.people;
  const erased = form?.get("erased");
  const body: ListRequest = {
    limit: PAGE_SIZE,
    // The list shows no links, and making them would take a fifth of its time.
    withPlaceUrl: false,
    // Found addresses have an order of their own.
    ...search ? { search } : { newest: !oldest },
    ...state && { state },
    ...lang && { lang },
    ...source && { source },
    ...after && { after },
  };
  const listed = await operations.POST("/operator/v1/signups/list", { body });
  if (!listed.data) return failedView(listed, texts, { title, back: listPath(listQuery) });
  return {
    title,
    body: markup`${erased !== undefined && doneNote(texts.people.erased({ email: erased }))}
${hasExpired && !query.has("erased") && faultNote(texts.failures.expired)}
${filters(listQuery, texts)}
${result(listed.data, listQuery, texts)}`,
  };
}

function filters({ search, state, lang, source, oldest }: ListQuery, texts: ConsoleTexts): Html {
  const { people: labels, words } = texts;
  const orders = [["newest", labels.newest], ["oldest", labels.oldest]] as const;
  const order = { name: "order", label: labels.order, chosen: oldest ? "oldest" : "newest" };
  const searchInput = markup` type="search" maxlength="254" value="${search}"
 autocapitalize="none" spellcheck="false"`;
  // The browser would show what was chosen later where somebody goes back to an earlier list.
  const attributes = markup` class="filters" autocomplete="off"`;
  return postForm(
    { action: PATHS.people, attributes },
    markup`${field("search", labels.search, searchInput)}
${filter(words, "state", { names: words.states, chosen: state })}
${filter(words, "lang", { names: words.langs, chosen: lang })}
${filter(words, "source", { names: words.sources, chosen: source })}
${select(order, orders)}
${button(words.show, "primary")}`,
  );
}

function result({ people, next }: SignupPage, listQuery: ListQuery, texts: ConsoleTexts): Html {
  const { people: labels, words } = texts;
  const { search, after, oldest, ...filters } = listQuery;
  const { state, lang, source, role, building } = words.fields;
  const order = search ? labels.byAddress : oldest ? labels.oldest : labels.newest;
  // One form for all rows: the button that is pressed says whose page is asked for.
  const list = postForm(
    { action: PERSON_PATH, fields: handOn(listQuery), attributes: markup` class="rows"` },
    table({
      caption: labels.caption({ count: people.length, order }),
      head: [words.address, state, labels.createdAt, lang, source, role, building],
      rows: people.map((person) => toRow(person, texts)),
    }),
  );
  const isChosen = search !== "" || Object.values(filters).some(Boolean);
  const none = isChosen ? labels.none : texts.overview.nobody;
  const empty = next ? labels.noneYet : after ? labels.noOthers : none;
  return markup`${people.length > 0 ? list : markup`<p class="empty">${empty}</p>`}
${next && people.length > 0 && people.length < PAGE_SIZE && markup`<p>${labels.readMuch}</p>`}
${
    pager(PATHS.people, [
      [words.firstPage, after && handOn({ ...listQuery, after: undefined })],
      [words.nextPage, next && handOn({ ...listQuery, after: next })],
    ], { posts: true })
  }`;
}

function toRow(person: StoredSignup, texts: ConsoleTexts): Cell[] {
  const { words, invite } = texts;
  const { email, state = "waiting", createdAt, lang, source, role = "", building = "" } = person;
  const at = email.lastIndexOf("@") + 1;
  return [
    // A narrow column breaks an address behind its @.
    {
      row: markup`<button class="link" name="email" value="${email}">${email.slice(0, at)}<wbr>${
        email.slice(at)
      }</button>`,
    },
    markup`${stateBadge(texts, state)}${
      (person.complainedAt || person.undeliverableAt) &&
      markup` <span class="badge bad">${
        person.complainedAt ? words.complained : invite.reasons.undeliverable
      }</span>`
    }`,
    showTime(createdAt),
    words.langs[lang],
    source ? words.sources[source] : "",
    role,
    building,
  ];
}
