import type { SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import {
  type Cell,
  doneNote,
  failedView,
  faultNote,
  showTime,
  stateBadge,
  table,
} from "../components.ts";
import { pager, postForm, withValues } from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import {
  filters,
  handOn,
  listPath,
  type ListQuery,
  PEOPLE_ON_PAGE,
  readListQuery,
  requestOf,
} from "./list_query.ts";

/** The page of a person, whose path has no address in it; the form brings it. */
export const PERSON_PATH = "/operator/people/person/";

/** People, chosen by a part of the address and by what is known of them. */
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
${result(listed.data, listQuery, texts)}`,
  };
}

function result(page: SignupPage, listQuery: ListQuery, texts: ConsoleTexts): Html {
  const { people, next, searched } = page;
  const { people: labels, words, number } = texts;
  const { search, inside, after, oldest } = listQuery;
  const { state, lang, source, role, building } = words.fields;
  const order = search && !inside ? labels.byAddress : oldest ? labels.oldest : labels.newest;
  // One form for all rows: the button that is pressed says whose page is asked for.
  const list = postForm(
    { action: PERSON_PATH, fields: handOn(listQuery), attributes: markup` class="rows"` },
    table({
      caption: labels.caption({ count: people.length, order }),
      head: [words.address, state, labels.createdAt, lang, source, role, building],
      rows: people.map((person) => toRow(person, texts)),
    }),
  );
  const none = searched ? labels.none : texts.overview.nobody;
  const read = number(searched?.read ?? 0);
  const empty = next ? labels.noneYet({ read }) : after ? labels.noOthers : none;
  const isFull = people.length === PEOPLE_ON_PAGE;
  return markup`${
    searched && people.length > 0 && markup`<p role="status">${hitsOf(searched, texts, inside)}</p>`
  }
${people.length > 0 ? list : markup`<p class="empty">${empty}</p>`}
${
    pager(PATHS.people, [
      [words.firstPage, after && handOn({ ...listQuery, after: undefined })],
      [
        isFull || !next ? words.nextPage : labels.goOn,
        next && handOn({ ...listQuery, after: afterOf(next) }),
      ],
      [
        labels.inside,
        search !== "" && !inside && handOn({ ...listQuery, inside: true, after: undefined }),
      ],
    ], { posts: true })
  }`;
}

const afterOf = ({ email, createdAt, read = 0, hits = 0 }: NonNullable<SignupPage["next"]>) => ({
  email,
  createdAt,
  read,
  hits,
});

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

/** An address that a narrow column breaks behind its @. */
export function breakable(email: string): Html {
  const at = email.lastIndexOf("@") + 1;
  return markup`${email.slice(0, at)}<wbr>${email.slice(at)}`;
}

function toRow(person: StoredSignup, texts: ConsoleTexts): Cell[] {
  const { words, invite } = texts;
  const { email, state = "waiting", createdAt, lang, source, role = "", building = "" } = person;
  return [
    {
      row: markup`<button class="link" name="email" value="${email}">${breakable(email)}</button>`,
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
