/** What the list of people is asked for: the fields of its form, and the form itself. @module */
import { MARKS, STEPS } from "../../../shared/counters.ts";
import type { ListRequest } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { LANGS, SOURCES, STATES } from "../../waitlist/mod.ts";
import {
  answerField,
  button,
  dayAfter,
  field,
  filter,
  type HandedOn,
  knownValue,
  pathWith,
  postForm,
} from "../form_fields.ts";
import { PATHS } from "../page_context.ts";

export const PEOPLE_ON_PAGE = 50;

/** What is listed. */
export type ListQuery = ReturnType<typeof readListQuery>;

/** Reads a list query from the fields of a form or a query; a value that is not known counts as absent. */
export function readListQuery(fields: { get: (name: string) => string | null | undefined }) {
  const text = (name: string) => fields.get(name)?.trim() ?? "";
  const [email, createdAt] = [text("after_email"), text("after_at")];
  const hits = Number(text("after_hits"));
  const after: ListRequest["after"] = email && createdAt ? { email, createdAt, hits } : undefined;
  return {
    search: text("search"),
    state: knownValue(STATES, fields.get("state")),
    lang: knownValue(LANGS, fields.get("lang")),
    source: knownValue(SOURCES, fields.get("source")),
    role: text("role"),
    building: text("building"),
    wave: text("wave"),
    mark: knownValue(MARKS, fields.get("mark")),
    reached: knownValue(STEPS, fields.get("reached")),
    since: text("since"),
    until: text("until"),
    oldest: fields.get("order") === "oldest",
    /** Behind whom the page begins. */
    after,
  };
}

export function handOn({ oldest, after, ...filters }: ListQuery): HandedOn {
  const position = { after_at: after?.createdAt, after_email: after?.email };
  return { ...filters, order: oldest && "oldest", ...position, after_hits: after?.hits };
}

/** The path of the list with the query that a page keeps of it, for a link back. */
export function pathOfList(query: string | null | undefined): string {
  return query ? `${PATHS.people}?${query}` : PATHS.people;
}

export function listLink(query: string | null | undefined, label: string): Html {
  return markup`<p><a href="${pathOfList(query)}">${label}</a></p>`;
}

/** The address of the list for a list query without an e-mail address: neither a search nor a further page. */
export function listPath(listQuery: ListQuery): string {
  return pathWith(PATHS.people, handOn({ ...listQuery, search: "", after: undefined }));
}

export function requestOf(listQuery: ListQuery): ListRequest {
  const { oldest, until, ...chosen } = listQuery;
  const wanted = { ...chosen, order: !oldest && "newest", before: until && dayAfter(until) };
  // The list shows no links, and making them would take a fifth of its time.
  const request: ListRequest = { limit: PEOPLE_ON_PAGE, withPlaceUrl: false };
  const given = Object.entries(wanted).filter(([, value]) => value);
  return Object.assign(request, Object.fromEntries(given));
}

export function filters(listQuery: ListQuery, texts: ConsoleTexts): Html {
  const { search, state, lang, source, role, building, wave, mark } = listQuery;
  const { reached, since, until, oldest } = listQuery;
  const { people: labels, words, activity } = texts;
  const orders = [["newest", labels.newest], ["oldest", labels.oldest]] as const;
  const steps = [["", words.all], ...Object.entries(words.steps)] as const;
  const order = { name: "order", label: labels.order, chosen: oldest ? "oldest" : "newest" };
  const searchInput = markup` type="search" minlength="3" maxlength="254" value="${search}"
 autocapitalize="none" spellcheck="false"`;
  const { undeliverable, complained } = texts.invite.reasons;
  const marks = [["", words.all], ...Object.entries({ undeliverable, complained })] as const;
  const isOpen = role || building || wave || mark || reached || since || until;
  // The browser would show what was chosen later where somebody goes back to an earlier list.
  const attributes = markup` class="filters" autocomplete="off"`;
  return postForm(
    { action: PATHS.people, attributes },
    markup`${field("search", labels.search, searchInput)}
${filter(words, "state", state)}
${filter(words, "lang", lang)}
${filter(words, "source", source)}
${select(order, orders)}
<details${isOpen && markup` open`}><summary>${labels.moreFilters}</summary>
<div class="filters">
${answerField(texts, "role", { value: role, none: words.all })}
${answerField(texts, "building", { value: building, none: words.all })}
${field("wave", texts.invite.wave, markup` value="${wave}" maxlength="64"`)}
${field("since", activity.since, markup` type="date" value="${since}"`)}
${field("until", activity.until, markup` type="date" value="${until}"`)}
${select({ name: "reached", label: labels.reached, chosen: reached }, steps)}
${select({ name: "mark", label: labels.mark, chosen: mark }, marks)}
</div></details>
${button(words.show, "primary")}`,
  );
}
