/**
 * Which people the page of people lists: what its form, its further pages and the pages of persons hand on.
 *
 * @module
 */
import type { ListRequest } from "../../../shared/operator_schemas.ts";
import type { Html } from "../../content/mod.ts";
import { type Lang, type Source, type State, STATES } from "../../waitlist/mod.ts";
import { type Fields, hidden, knownValue, LANGS, SOURCES } from "../fields.ts";
import { PATHS } from "../layout.ts";

/** What is listed. */
export interface ListQuery {
  /** The beginning of an address; empty to list in the order of the sign-ups. */
  search: string;
  state: State | undefined;
  lang: Lang | undefined;
  source: Source | undefined;
  /** Whether the oldest people come first. */
  oldest: boolean;
  /** Behind whom the page begins. */
  after: NonNullable<ListRequest["after"]> | undefined;
}

/** Reads a list query from the fields of a form, or of a query; a value that is not known counts as absent. */
export function readListQuery(
  fields: { get: (name: string) => string | null | undefined },
): ListQuery {
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

/** The fields of a list query, of which those without a value are left out. */
export function listQueryFields(
  { search, state, lang, source, oldest, after }: ListQuery,
): [string, string][] {
  const fields = {
    search,
    state,
    lang,
    source,
    order: oldest ? "oldest" : undefined,
    after_at: after?.createdAt,
    after_email: after?.email,
  };
  return Object.entries(fields).flatMap(([name, value]) => value ? [[name, value]] : []);
}

/** Hands a list query on in a form. */
export function hiddenListQuery(listQuery: ListQuery): Html[] {
  return listQueryFields(listQuery).map(([name, value]) => hidden(name, value));
}

/** Hands a person on in a form, and the query of the list that led to the person. */
export function hiddenPerson(form: Fields): Html[] {
  return [hidden("email", form.get("email") ?? ""), ...hiddenListQuery(readListQuery(form))];
}

/** The address of the list for a list query without an e-mail address: neither a search nor a further page. */
export function listPath(listQuery: ListQuery): string {
  const query = new URLSearchParams(
    listQueryFields({ ...listQuery, search: "", after: undefined }),
  );
  return query.size > 0 ? `${PATHS.people}?${query}` : PATHS.people;
}

/** The request for the people of a list query. */
export function requestOf(listQuery: ListQuery, limit: number): ListRequest {
  const { search, state, lang, source, oldest, after } = listQuery;
  return {
    limit,
    // The list shows no links, and making them would take a fifth of its time.
    withPlaceUrl: false,
    // Found addresses have an order of their own.
    ...search ? { search } : { newest: !oldest },
    ...state && { state },
    ...lang && { lang },
    ...source && { source },
    ...after && { after },
  };
}
