/**
 * The page of people: a search, filters, and the list a page at a time.
 *
 * @module
 */
import type { SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { STATES } from "../../waitlist/mod.ts";
import { LANGS, named, select, SOURCES } from "../fields.ts";
import { pageName, PATHS } from "../layout.ts";
import { expiredNote, failedView } from "../failures.ts";
import {
  doneNote,
  pagingTexts,
  showNumber,
  showTime,
  stateBadge,
  stateName,
  table,
} from "../components.ts";
import { type ConsolePage, type PageContext, seeOther, type View } from "../page_context.ts";
import {
  hiddenListQuery,
  listPath,
  type ListQuery,
  listQueryFields,
  readListQuery,
  requestOf,
} from "./list_query.ts";
import { PERSON_PATHS } from "./paths.ts";
import { PEOPLE_TEXTS, type PeopleTexts } from "../people_texts.ts";

/** People on a page. */
const PAGE_SIZE = 50;

/** People, chosen by the beginning of an address, by state, language and form. */
export const peoplePage: ConsolePage = {
  path: PATHS.people,
  get: (pageContext) => listView(pageContext, readListQuery(pageContext.form ?? pageContext.query)),
  async post(pageContext, form) {
    const listQuery = readListQuery(form);
    if (!listQuery.search && !listQuery.after) return seeOther(listPath(listQuery));
    const fields = new Map(listQueryFields(listQuery));
    return await pageContext.redirectWith(PATHS.people, fields) ??
      await listView(pageContext, listQuery);
  },
};

async function listView(pageContext: PageContext, listQuery: ListQuery): Promise<View> {
  const { operations, lang, query } = pageContext;
  const title = pageName(lang, "people");
  const texts = PEOPLE_TEXTS[lang];
  const body = requestOf(listQuery, PAGE_SIZE);
  const listed = await operations.POST("/operator/v1/signups/list", { body });
  if (!listed.data) return failedView(listed, { lang, title, back: listPath(listQuery) });
  return {
    title,
    body: markup`${query.has("erased") && doneNote(texts.erased)}
${expiredNote(pageContext)}
${filters(listQuery, texts)}
${result(listed.data, listQuery, texts)}`,
  };
}

function filters(listQuery: ListQuery, texts: PeopleTexts): Html {
  const { search, state, lang, source, oldest } = listQuery;
  const states = STATES.map((value) => [value, stateName(texts.lang, value)] as const);
  const orders = [["newest", texts.newest], ["oldest", texts.oldest]] as const;
  // The browser would show what was chosen later where somebody goes back to an earlier list.
  return markup`<form class="filters" method="post" action="${PATHS.people}" autocomplete="off">
<div class="field wide">
<label for="search">${texts.search}</label>
<input id="search" name="search" type="search" maxlength="254" value="${search}"
 autocapitalize="none" spellcheck="false">
</div>
${select("state", texts.state, [["", texts.all], ...states], state)}
${select("lang", texts.language, [["", texts.all], ...named(LANGS, texts.langs)], lang)}
${select("source", texts.form, [["", texts.all], ...named(SOURCES, texts.sources)], source)}
${select("order", texts.order, orders, oldest ? "oldest" : "newest")}
<button class="primary" type="submit">${texts.show}</button>
</form>`;
}

function result({ people, next }: SignupPage, listQuery: ListQuery, texts: PeopleTexts): Html {
  const { search, after, oldest } = listQuery;
  const { firstPage, nextPage } = pagingTexts(texts.lang);
  const order = search ? texts.byAddress : oldest ? texts.oldest : texts.newest;
  const count = showNumber(texts.lang, people.length);
  const rows = people.map((person) => toRow(person, texts));
  const head = [
    texts.address,
    texts.state,
    texts.createdAt,
    texts.language,
    texts.form,
    texts.role,
    texts.building,
  ];
  // One form for all rows: the button that is pressed says whose page is asked for.
  const list = markup`<form class="rows" method="post" action="${PERSON_PATHS.person}">
${hiddenListQuery(listQuery)}
${table({ caption: texts.caption(count, order), head, rows })}
</form>`;
  return markup`${
    people.length > 0
      ? list
      : markup`<p class="empty">${next ? texts.noneYet : after ? texts.noOthers : texts.none}</p>`
  }
${next && people.length > 0 && people.length < PAGE_SIZE && markup`<p>${texts.readMuch}</p>`}
<div class="actions">
${
    after && markup`<form method="post" action="${PATHS.people}">
${hiddenListQuery({ ...listQuery, after: undefined })}
<button type="submit">${firstPage}</button>
</form>`
  }
${
    next && markup`<form method="post" action="${PATHS.people}">
${hiddenListQuery({ ...listQuery, after: next })}
<button type="submit">${nextPage}</button>
</form>`
  }
</div>`;
}

function toRow(person: StoredSignup, texts: PeopleTexts): (string | Html)[] {
  const { email, state = "waiting", createdAt, lang, source, role = "", building = "" } = person;
  const at = email.lastIndexOf("@") + 1;
  return [
    // A narrow column breaks an address behind its @.
    markup`<th scope="row"><button class="link" name="email" value="${email}">${
      email.slice(0, at)
    }<wbr>${email.slice(at)}</button></th>`,
    markup`${stateBadge(texts.lang, state)}${
      person.undeliverableAt && markup` <span class="badge bad">${texts.undeliverable}</span>`
    }`,
    showTime(createdAt),
    texts.langs[lang],
    source ? texts.sources[source] : "",
    role,
    building,
  ];
}
