/**
 * The log of e-mails on the page "E-mails and events": the form with its filters, a page of the log, and how far a
 * filtered page was searched. @module
 */
import { LETTER_KINDS, LETTER_STATES } from "../../../shared/letter_kinds.ts";
import type { ListedLetter } from "../../../shared/operator_schemas.ts";
import { type Html, markup, select } from "../../content/mod.ts";
import type { InputOf } from "../../operator/mod.ts";
import { personLink } from "../components.ts";
import { button, knownValue, pathWith } from "../forms.ts";
import { letterTable } from "../letter_table.ts";
import { type PageContext, type PageFailure, PATHS } from "../page_context.ts";

/** Which letters the log shows. A filter that is absent leaves no letter out. */
type LetterFilter = Pick<InputOf<"listLetters">, "letter" | "state">;

/** A page of the log. */
export interface LetterLogPage {
  filter: LetterFilter;
  letters: ListedLetter[];
  /** The position of the next page; absent on the last page. */
  next: string | undefined;
}

/** Whether a filter leaves letters out. */
export const isFiltered = ({ letter, state }: LetterFilter): boolean =>
  letter !== undefined || state !== undefined;

/** Reads the page of the log that the query asks for. @param limit how many letters the page has at most */
export async function readLetterLogPage(
  { operations, query }: Pick<PageContext, "operations" | "query">,
  limit: number,
): Promise<LetterLogPage | PageFailure> {
  const letter = knownValue(LETTER_KINDS, query.get("letter"));
  const state = knownValue(LETTER_STATES, query.get("state"));
  const filter = { ...letter && { letter }, ...state && { state } };
  const before = query.get("before");
  const letterList = await operations.listLetters({
    ...filter,
    limit,
    ...before !== null && { before },
  });
  if ("failure" in letterList) return letterList;
  const { letters, next } = letterList;
  return { filter, letters, next };
}

/**
 * Shows a page of the log below the form with the filters. The log without any letter has no form.
 * @param isFirst whether the page is the first one of the log
 */
export function letterLogView(
  { filter, letters, next }: LetterLogPage,
  isFirst: boolean,
  { texts, personPath }: Pick<PageContext, "texts" | "personPath">,
): Html {
  const { outbox: { lists: { log: labels } }, people, overview, date } = texts;
  if (letters.length === 0 && isFirst && !isFiltered(filter)) {
    return markup`<p class="empty">${labels.nothing}</p>`;
  }
  // A letter without an address is to a person who is no longer on the list and has no page.
  const recipientOf = ({ id, email }: ListedLetter) =>
    email !== undefined && personLink({ id, email }, personPath);
  const emptyNote = isFirst ? labels.noMatch : people.noOthers;
  // The position is the moment and the id of the last letter that was read.
  const searchedBack = isFiltered(filter) && next !== undefined &&
    labels.searchedBack({ day: date(next.slice(0, 10)) });
  return markup`<p class="soft">${labels.ofPerson} <a href="${PATHS.people}">${overview.people}</a></p>
${filterForm(filter, texts)}
${letters.length > 0 && letterTable(letters, { texts, recipientOf })}
${letters.length === 0 && !searchedBack && markup`<p class="empty">${emptyNote}</p>`}
${searchedBack && markup`<p class="soft" role="status">${searchedBack}</p>`}`;
}

/** The form with the filters. If a filter is set, a link shows the whole log again. */
function filterForm(
  filter: LetterFilter,
  { outbox: labels, words, activity }: PageContext["texts"],
): Html {
  const { letter, state } = filter;
  const kinds = LETTER_KINDS.map((kind) => [kind, labels.letterKinds[kind]] as const);
  const states = LETTER_STATES.map((name) => [name, labels.letterStates[name]] as const);
  const wholeLog = pathWith(PATHS.outbox, { list: "log" });
  return markup`<form class="filters" method="get" action="${PATHS.outbox}">
<input type="hidden" name="list" value="log">
${select({ name: "letter", label: words.what, chosen: letter }, [["", words.all], ...kinds])}
${select({ name: "state", label: words.fields.state, chosen: state }, [["", words.all], ...states])}
${button(words.show)}
${isFiltered(filter) && markup`<a href="${wholeLog}">${activity.all}</a>`}
</form>`;
}
