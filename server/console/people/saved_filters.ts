/**
 * The saved filters of the list of people: the links to the operator's filters, the form that saves a filter, and the
 * page of all saved filters. @module
 */
import type { SavedFilter } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { failedView, failureNote, listLink, pathOfList, statusOf, table } from "../components.ts";
import { button, field, pathWith, postForm, type SentFields } from "../forms.ts";
import {
  type ConsolePage,
  type PageContext,
  type PageFailure,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { filterFacts } from "./filter_facts.ts";
import { hasFilter, type ListQuery, readListQuery, selectionOf, valuesOf } from "./list_query.ts";

const FILTERS_PATH = "/operator/people/filters/";

/**
 * The path of the list with a saved filter. The list filters by whole days. A filter that the API or the CLI has saved
 * can have times of day. For such a filter, the list has the whole first day and the whole last day, so that nobody
 * whom the filter finds is missing.
 */
function pathOfFilter({ selection, order = "oldest" }: SavedFilter): string {
  const { since, before, ...others } = selection;
  return pathWith(PATHS.people, {
    ...others,
    since: since?.slice(0, 10),
    until: before && lastDayBefore(before),
    // Without an order in its path, the list shows the newest sign-up first.
    order: order === "oldest" && "oldest",
  });
}

/** The last UTC day that begins before a moment. @param moment a date-time */
function lastDayBefore(moment: string): string {
  return new Date(Date.parse(moment) - 1).toISOString().slice(0, 10);
}

/**
 * Links to the saved filters of the operator; `undefined` if there are no filters. Filters that cannot be read are
 * ignored, because the list of people is useful without these links.
 */
export async function filterLinks(
  { operations, texts, may }: PageContext,
): Promise<Html | undefined> {
  const { savedFilters: labels } = texts;
  if (!may("listFilters")) return undefined;
  const filterList = await operations.listFilters({});
  if ("failure" in filterList || filterList.filters.length === 0) return undefined;
  return markup`<nav class="actions" aria-label="${labels.title}">
${
    filterList.filters.map((filter) =>
      markup`<a class="button" href="${pathOfFilter(filter)}">${filter.name}</a>`
    )
  }
<a href="${FILTERS_PATH}">${labels.change}</a>
</nav>`;
}

/**
 * The form that saves the filters and the order of the list; `undefined` if there is nothing to save. A list with a
 * search cannot be saved, because the text of the search can be a person's address.
 */
export function saveFilterForm(
  listQuery: ListQuery,
  { texts, may, query }: PageContext,
): Html | undefined {
  if (!hasFilter(listQuery) || listQuery.search || !may("saveFilter")) return undefined;
  return markup`<details><summary>${texts.savedFilters.save}</summary>
${nameForm(listQuery, texts, { name: "", listUrlQuery: query.toString() })}
</details>`;
}

/**
 * The form that asks for the name of a filter.
 * @param listQuery the filters and the order that are saved
 * @param options.listUrlQuery the query in the URL of the list to which the operator returns. Unlike `listQuery`, this
 * query can have a position.
 */
function nameForm(
  listQuery: ListQuery,
  { savedFilters: labels }: ConsoleTexts,
  { name, listUrlQuery }: { name: string; listUrlQuery: string },
): Html {
  const fields = { ...valuesOf({ ...listQuery, after: undefined }), list: listUrlQuery };
  // The operation `saveFilter` has the same rules for the name.
  const attributes =
    markup` value="${name}" required maxlength="60" pattern="[^@]*" autocomplete="off"`;
  return postForm(
    { action: FILTERS_PATH, fields },
    markup`${field("name", { label: labels.name, attributes })}
${button(labels.saveNow)}`,
  );
}

export const filtersPage: ConsolePage = {
  path: FILTERS_PATH,
  get: (pageContext) => filtersView(pageContext),
  post(pageContext, form) {
    const name = form.get("remove");
    return name === undefined ? saveFilter(pageContext, form) : removeFilter(pageContext, name);
  },
};

async function removeFilter(pageContext: PageContext, name: string): Promise<View | Response> {
  const outcome = await pageContext.operations.removeFilter({ name });
  return "failure" in outcome ? filtersView(pageContext, outcome) : seeOther(FILTERS_PATH);
}

async function saveFilter(
  { operations, texts }: PageContext,
  form: SentFields,
): Promise<View | Response> {
  const listQuery = readListQuery(form);
  // The text of a search is not saved, because it can be a person's address.
  const { search: _, ...selection } = selectionOf(listQuery);
  const order = listQuery.isOldestFirst ? "oldest" : "newest";
  const name = form.get("name")?.trim() ?? "";
  const outcome = await operations.saveFilter({ name, selection, order });
  const listUrlQuery = form.get("list") ?? "";
  if (!("failure" in outcome)) return seeOther(pathOfList(listUrlQuery));
  const { title, badName, tooMany, change } = texts.savedFilters;
  const isBadName = name === "" || name.includes("@");
  const messages = { conflict: tooMany, ...isBadName && { invalid_request: badName } };
  return {
    title,
    status: statusOf(outcome),
    body: markup`${failureNote(outcome, texts, messages)}
${outcome.failure === "conflict" && markup`<p><a href="${FILTERS_PATH}">${change}</a></p>`}
${nameForm(listQuery, texts, { name, listUrlQuery })}
${listLink(listUrlQuery, texts.words.back)}`,
  };
}

/** The page of the saved filters. @param removeFailure why a filter was not removed */
async function filtersView(
  pageContext: PageContext,
  removeFailure?: PageFailure,
): Promise<View> {
  const { operations, texts } = pageContext;
  const { savedFilters: labels } = texts;
  const { title } = labels;
  const filterList = await operations.listFilters({});
  if ("failure" in filterList) return failedView(filterList, texts, { title, back: PATHS.people });
  const rows = filterList.filters.map((filter) => [
    { rowHeading: markup`<a href="${pathOfFilter(filter)}">${filter.name}</a>` },
    markup`${
      filterFacts(filter.selection, texts).map(([name, value]) => markup`${name}: ${value}<br>`)
    }`,
    postForm(
      { action: FILTERS_PATH, fields: { remove: filter.name } },
      button(labels.remove({ name: filter.name })),
    ),
  ]);
  return {
    title,
    ...removeFailure && { status: statusOf(removeFailure) },
    body: markup`${listLink(undefined, texts.person.backToList)}
${removeFailure && failureNote(removeFailure, texts)}
${
      rows.length > 0
        ? table({ caption: title, head: [labels.name, labels.chosen, labels.removal], rows })
        : markup`<p class="empty">${labels.none}</p>`
    }`,
  };
}
