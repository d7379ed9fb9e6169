/**
 * The page "Activity": the audit log with a filter. The audit log says what operators, products and mail providers have
 * done. `entry_groups.ts` reads its entries, and `entries_table.ts` shows them. @module
 */
import { dayAfter } from "../../../shared/moments.ts";
import { SLUG } from "../../../shared/name_patterns.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { type Html, markup, select } from "../../content/mod.ts";
import type { InputOf } from "../../operator/mod.ts";
import { failedView, type Names, pager } from "../components.ts";
import { checkbox, field, knownValue, pathWith } from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS } from "../page_context.ts";
import { entriesTable } from "./entries_table.ts";
import { PRODUCT_ACTION, readLogPage } from "./entry_groups.ts";

/**
 * The filter in the query of the page's URL. Each member has the name of its parameter. An empty text leaves no entry
 * out.
 */
interface ActivityFilter {
  operator: string;
  action: string;
  /**
   * Whether to show the entries about invitations that products redeemed. The page hides these entries until the
   * operator chooses an action or an operator, or sets this filter, because there are many of them.
   */
  redeemed: boolean;
  /** The first UTC day whose entries are shown. */
  since: string;
  /** The last UTC day whose entries are shown. */
  until: string;
}

export const activityPage: ConsolePage = {
  path: PATHS.activity,
  async get(pageContext) {
    const { operations, texts, query } = pageContext;
    const { activity, overview } = texts;
    const title = texts.pages.activity;
    const filter = readFilter(query, activity.actions);
    // The position in the audit log at which the page begins; `null` for the first page, which has the newest entries.
    const position = query.get("before");
    const logPage = await readLogPage(pageContext, requestOf(filter, position));
    if ("failure" in logPage) {
      // If the query has a position, the error message does not name the filter, because the operation may have refused
      // the position.
      const messages = position === null ? { invalid_request: activity.badFilter(filter) } : {};
      return failedView(logPage, texts, { title, back: PATHS.activity, messages });
    }
    const { groups, unreadableCount, nextPosition, isCut } = logPage;
    const entries = groups.flat();
    const [clientNames, jobIds] = await Promise.all([
      readClientNames(entries, operations),
      readJobIds(entries, operations),
    ]);
    const unreadableNote = unreadableCount > 0 &&
      markup`<p class="warning">${activity.unreadable({ count: unreadableCount })}</p>`;
    const entriesOrNote = groups.length > 0
      ? entriesTable(logPage, { clientNames, jobIds }, texts)
      : markup`<p class="empty">${nextPosition ? activity.nothingYet : activity.nothing}</p>`;
    // The position is the moment and the id of the last entry that was read.
    const [readBackTo = ""] = nextPosition?.split(" ") ?? [];
    const cutNote = isCut && groups.length > 0 &&
      markup`<p class="soft">${activity.readBack({ moment: texts.date(readBackTo) })}</p>`;
    const pathFrom = (position?: string) =>
      pathWith(PATHS.activity, { ...filter, before: position });
    const pageLinks = pager([
      [activity.newest, position !== null && pathFrom()],
      [
        isCut ? activity.goOn : activity.older,
        nextPosition !== undefined && pathFrom(nextPosition),
      ],
    ]);
    return {
      title,
      body: markup`<p class="soft">${activity.about} ${activity.noAddresses}
<a href="${PATHS.people}">${overview.people}</a></p>
${filterForm(filter, pageContext)}
${unreadableNote}
${entriesOrNote}
${cutNote}
${pageLinks}`,
    };
  },
};

/** Reads the filter from a query. An action without a name in `actions` is ignored. */
function readFilter(query: URLSearchParams, actions: Names): ActivityFilter {
  const textOf = (name: string) => query.get(name)?.trim() ?? "";
  return {
    operator: textOf("operator"),
    action: knownValue(Object.keys(actions), query.get("action")) ?? "",
    redeemed: query.has("redeemed"),
    since: textOf("since"),
    until: textOf("until"),
  };
}

/**
 * Returns the request for a page of the audit log.
 * @param position where the page begins; `null` for the first page, which has the newest entries
 */
function requestOf(
  { operator, action, redeemed, since, until }: ActivityFilter,
  position: string | null,
): Omit<InputOf<"readAuditLog">, "newest"> {
  const before = position ?? dayAfter(until);
  return {
    ...operator && { operator },
    ...action && { action },
    ...!action && !operator && !redeemed && { without: PRODUCT_ACTION },
    ...since && { since },
    ...before && { before },
  };
}

/** Reads the names of all clients, by client id. Reads nothing if no entry is about a client. */
async function readClientNames(
  entries: AuditEntry[],
  operations: PageContext["operations"],
): Promise<Names> {
  if (!entries.some(({ client_id }) => client_id)) return {};
  const clientList = await operations.listClients({});
  const clients = "clients" in clientList ? clientList.clients : [];
  return Object.fromEntries(clients.map(({ client_id, name }) => [client_id, name]));
}

/** Reads the ids of the last 100 jobs. Reads nothing if no entry is about a job. */
async function readJobIds(
  entries: AuditEntry[],
  operations: PageContext["operations"],
): Promise<Set<string>> {
  if (!entries.some(({ details }) => details?.job)) return new Set();
  const jobList = await operations.listJobs({});
  return new Set("jobs" in jobList ? jobList.jobs.map(({ job }) => job) : []);
}

function filterForm(
  { operator, action, redeemed, since, until }: ActivityFilter,
  { texts: { activity, words, lang }, operatorNames }: PageContext,
): Html {
  // The field for the operator is not a menu, because the log also has operators whose keys are gone.
  const operatorAttributes = markup` value="${operator}" maxlength="40" pattern="${SLUG.source}"
 title="${activity.operatorHint}" list="operators" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const actions = Object.entries(activity.actions)
    .toSorted(([, a], [, b]) => a.localeCompare(b, lang));
  const isFiltered = redeemed || [operator, action, since, until].some((text) => text !== "");
  return markup`<form class="filters" method="get" action="${PATHS.activity}">
${field("operator", { label: activity.operator, attributes: operatorAttributes })}
<datalist id="operators">${operatorNames.map((name) => markup`<option value="${name}">`)}</datalist>
${select({ name: "action", label: activity.action, chosen: action }, [["", words.all], ...actions])}
${field("since", { label: activity.since, attributes: markup` type="date" value="${since}"` })}
${field("until", { label: activity.until, attributes: markup` type="date" value="${until}"` })}
${checkbox("redeemed", { label: activity.redeemed, checked: redeemed })}
<button type="submit">${words.show}</button>
${isFiltered && markup`<a href="${PATHS.activity}">${activity.all}</a>`}
</form>`;
}
