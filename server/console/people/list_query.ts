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
export interface Choice {
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

/** Reads a choice from the fields of a form, or of a query; a value that is not known counts as absent. */
export function choiceOf(fields: { get: (name: string) => string | null | undefined }): Choice {
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

/** The fields of a choice, of which those without a value are left out. */
export function choiceFields(
  { search, state, lang, source, oldest, after }: Choice,
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

/** Hands a choice on in a form. */
export function hiddenChoice(choice: Choice): Html[] {
  return choiceFields(choice).map(([name, value]) => hidden(name, value));
}

/** Hands a person on in a form, and the choice of the list that led to the person. */
export function hiddenPerson(form: Fields): Html[] {
  return [hidden("email", form.get("email") ?? ""), ...hiddenChoice(choiceOf(form))];
}

/** The address of the list with a choice that has no e-mail address in it: neither a search nor a further page. */
export function listPath(choice: Choice): string {
  const query = new URLSearchParams(choiceFields({ ...choice, search: "", after: undefined }));
  return query.size > 0 ? `${PATHS.people}?${query}` : PATHS.people;
}

/** The request that lists a choice. */
export function requestOf(choice: Choice, limit: number): ListRequest {
  const { search, state, lang, source, oldest, after } = choice;
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
