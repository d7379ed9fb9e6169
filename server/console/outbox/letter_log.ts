/**
 * The log of e-mails on the page "E-mails and events": the form with its filters, a page of the log, how many e-mails a
 * filter has found, and what an operator can do about them. @module
 */
import { LETTER_KINDS, LETTER_STATE_FILTERS } from "../../../shared/letter_kinds.ts";
import { dayAfter } from "../../../shared/moments.ts";
import type { ListedLetter } from "../../../shared/operator_schemas.ts";
import { type Html, markup, select } from "../../content/mod.ts";
import type { InputOf } from "../../operator/mod.ts";
import { personLink } from "../components.ts";
import { button, field, knownValue, pathWith } from "../forms.ts";
import { letterTable } from "../letter_table.ts";
import { type PageContext, type PageFailure, PATHS } from "../page_context.ts";
import { waveField } from "../person_fields.ts";

/**
 * Which letters the log shows. Each member has the name of its parameter in the query. A filter that is absent leaves no
 * letter out.
 */
interface LetterFilter extends Pick<InputOf<"listLetters">, "letter" | "state" | "wave"> {
  /** The first UTC day whose letters are shown. */
  since?: string;
  /** The last UTC day whose letters are shown. */
  until?: string;
}

/** A page of the log. */
export interface LetterLogPage {
  filter: LetterFilter;
  letters: ListedLetter[];
  /** How many letters were found up to the end of this page. */
  found: number;
  /** The ids of the newest waves, which the field for the wave suggests. */
  waveIds: string[];
  /** The position of the next page; absent on the last page. */
  next: string | undefined;
}

/** Whether a filter leaves letters out. */
export const isFiltered = (filter: LetterFilter): boolean => Object.keys(filter).length > 0;

/** Reads the filter from a query. An unknown kind or state is ignored. */
export function readLetterFilter(query: URLSearchParams): LetterFilter {
  const letter = knownValue(LETTER_KINDS, query.get("letter"));
  const state = knownValue(LETTER_STATE_FILTERS, query.get("state"));
  const [wave, since, until] = ["wave", "since", "until"].map((name) => query.get(name)?.trim());
  return {
    ...letter && { letter },
    ...state && { state },
    ...wave && { wave },
    ...since && { since },
    ...until && { until },
  };
}

/** Reads the page of the log that the query asks for. @param limit how many letters the page has at most */
export async function readLetterLogPage(
  { operations, query }: Pick<PageContext, "operations" | "query">,
  limit: number,
): Promise<LetterLogPage | PageFailure> {
  const filter = readLetterFilter(query);
  const { until, ...conditions } = filter;
  const before = query.get("before") ?? (until && dayAfter(until));
  const [letterList, waveList] = await Promise.all([
    operations.listLetters({ ...conditions, limit, ...before && { before } }),
    operations.listWaves({}),
  ]);
  if ("failure" in letterList) return letterList;
  const { letters, next } = letterList;
  // The link to this page has put the number of letters on the pages before it into the query.
  const found = (Number(query.get("found")) || 0) + letters.length;
  const waveIds = "failure" in waveList ? [] : waveList.waves.map(({ wave }) => wave);
  return { filter, letters, found, waveIds, next };
}

/**
 * Shows a page of the log below the form with the filters. The log without any letter has no form.
 * @param options.isFirst whether the page is the first one of the log
 * @param options.isAfterPause whether a next try at this date-time comes after a pause of all letters
 */
export function letterLogView(
  logPage: LetterLogPage,
  { isFirst, isAfterPause }: { isFirst: boolean; isAfterPause: (moment: string) => boolean },
  { texts, personPath }: Pick<PageContext, "texts" | "personPath">,
): Html {
  const { filter, letters, next } = logPage;
  const { outbox: { lists: { log: labels } }, people, overview } = texts;
  if (letters.length === 0 && isFirst && !isFiltered(filter)) {
    return markup`<p class="empty">${labels.nothing}</p>`;
  }
  // A letter without an address is to a person who is no longer on the list and has no page.
  const recipientOf = ({ id, email }: ListedLetter) =>
    email !== undefined && personLink({ id, email }, personPath);
  const emptyNote = isFirst ? labels.noMatch : people.noOthers;
  const progress = isFiltered(filter) && progressOf(logPage, texts);
  return markup`<p class="soft">${labels.ofPerson} <a href="${PATHS.people}">${overview.people}</a></p>
${filterForm(logPage, texts)}
${progress && markup`<p class="soft" role="status">${progress}</p>`}
${letters.length > 0 && letterTable(letters, { texts, recipientOf, isAfterPause })}
${letters.length === 0 && next === undefined && markup`<p class="empty">${emptyNote}</p>`}
${adviceList(letters, texts)}`;
}

/**
 * Says how many tries of letters fit the filter. As long as the log goes on, says how many letters were found so far,
 * and how far back the log was searched. Returns `undefined` if no letter fits.
 */
function progressOf(
  { found, next }: LetterLogPage,
  { outbox: { lists: { log: labels } }, number, date }: PageContext["texts"],
): string | undefined {
  const hits = number(found);
  if (next === undefined) return found > 0 ? labels.found({ hits }) : undefined;
  // The position is the moment and the id of the last letter that was read.
  const searchedBack = labels.searchedBack({ day: date(next.slice(0, 10)) });
  return `${labels.foundSoFar({ hits })}. ${searchedBack}`;
}

/** Says what to do about the letters of a page that were refused or came back. */
function adviceList(letters: ListedLetter[], texts: PageContext["texts"]): Html | false {
  const { lists, letterStates } = texts.outbox;
  const shownStates = new Set(letters.map(({ state }) => state));
  const advised = (["refused", "bounced", "complained"] as const)
    .filter((state) => shownStates.has(state));
  if (advised.length === 0) return false;
  const refusedPath = pathWith(PATHS.outbox, { list: "refused" });
  const items = advised.map((state) =>
    markup`<li><b>${letterStates[state]}:</b> ${lists.log.advice[state]}${
      state === "refused" && markup` <a href="${refusedPath}">${lists.refused.tab}</a>`
    }</li>`
  );
  return markup`<ul class="bullets soft">${items}</ul>`;
}

/** The form with the filters. If a filter is set, a link shows the whole log again. */
function filterForm(
  { filter, waveIds }: LetterLogPage,
  texts: PageContext["texts"],
): Html {
  const { outbox: labels, words, activity } = texts;
  const { letter, state, wave = "", since = "", until = "" } = filter;
  const kinds = LETTER_KINDS.map((kind) => [kind, labels.letterNames[kind]] as const);
  const { letterStates, rejected, reported, rejectedBefore } = labels;
  const names = { ...letterStates, retried: rejectedBefore, rejected, reported };
  const states = LETTER_STATE_FILTERS.map((name) => [name, names[name]] as const);
  const wholeLog = pathWith(PATHS.outbox, { list: "log" });
  return markup`<form class="filters" method="get" action="${PATHS.outbox}">
<input type="hidden" name="list" value="log">
${select({ name: "letter", label: words.what, chosen: letter }, [["", words.all], ...kinds])}
${select({ name: "state", label: words.fields.state, chosen: state }, [["", words.all], ...states])}
${waveField(wave, waveIds, texts)}
${field("since", { label: activity.since, attributes: markup` type="date" value="${since}"` })}
${field("until", { label: activity.until, attributes: markup` type="date" value="${until}"` })}
${button(words.show)}
${isFiltered(filter) && markup`<a href="${wholeLog}">${activity.all}</a>`}
</form>`;
}
