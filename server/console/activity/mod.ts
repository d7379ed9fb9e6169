/**
 * The page "Activity": the audit log with a filter. The audit log says what operators, products and mail providers have
 * done. `entry_groups.ts` reads its entries, `entries_table.ts` shows them, and `filter_form.ts` has the filter. @module
 */
import { dayAfter } from "../../../shared/moments.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { markup } from "../../content/mod.ts";
import type { InputOf } from "../../operator/mod.ts";
import { failedView, type Names, pager } from "../components.ts";
import { pathWith } from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS } from "../page_context.ts";
import { entriesTable } from "./entries_table.ts";
import { PRODUCT_ACTION, readLogPage } from "./entry_groups.ts";
import {
  type ActivityFilter,
  activityFilterForm,
  readFilter,
  showsRedeemed,
} from "./filter_form.ts";

export const activityPage: ConsolePage = {
  path: PATHS.activity,
  async get(pageContext) {
    const { operations, texts, query } = pageContext;
    const { activity, overview } = texts;
    const title = texts.pages.activity;
    const filter = readFilter(query, texts);
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
    const { since, until } = filter;
    const operatorPath = (operator: string) =>
      operator === filter.operator
        ? undefined
        : pathWith(PATHS.activity, { operator, since, until });
    const unreadableNote = unreadableCount > 0 &&
      markup`<p class="warning">${activity.unreadable({ count: unreadableCount })}</p>`;
    const entriesOrNote = groups.length > 0
      ? entriesTable(logPage, { clientNames, jobIds, operatorPath }, texts)
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
      body: markup`<p class="soft">${activity.about} ${activity.ofPerson}
<a href="${PATHS.people}">${overview.people}</a></p>
<details class="soft"><summary>${activity.more.title}</summary>
<p>${activity.more.text}</p></details>
${activityFilterForm(filter, entries, pageContext)}
${unreadableNote}
${entriesOrNote}
${cutNote}
${pageLinks}`,
    };
  },
};

/**
 * Returns the request for a page of the audit log.
 * @param position where the page begins; `null` for the first page, which has the newest entries
 */
function requestOf(
  filter: ActivityFilter,
  position: string | null,
): Omit<InputOf<"readAuditLog">, "newest"> {
  const { operator, action, since, until } = filter;
  const before = position ?? dayAfter(until);
  return {
    ...operator && { operator },
    ...action && { action },
    ...!showsRedeemed(filter) && { without: PRODUCT_ACTION },
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
