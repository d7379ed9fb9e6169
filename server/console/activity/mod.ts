/** The page "Activity": the entries of the audit log, such as what operators did. @module */
import { dayAfter } from "../../../shared/moments.ts";
import { SLUG } from "../../../shared/name_patterns.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { ownMember } from "../../../shared/own_member.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import type { InputOf } from "../../operator/mod.ts";
import { clientPath } from "../clients/mod.ts";
import {
  type Cell,
  failedView,
  nameIn,
  type Names,
  pager,
  showDuration,
  showTime,
  table,
} from "../components.ts";
import { checkbox, field, knownValue, pathWith } from "../forms.ts";
import { type ConsolePage, linesOf, type PageContext, PATHS } from "../page_context.ts";

/** The largest number of entries on a page. */
const PAGE_SIZE = 50;

/**
 * The action of the entries that products cause when they redeem invitation codes. The page hides these entries until
 * the operator chooses an action or an operator, or ticks `redeemed`, because there are many of them.
 */
const PRODUCT_ACTION = "redeemInvitation";

/** The filter in the query of the page's URL. A text that is empty leaves no entry out. */
interface ActivityFilter {
  operator: string;
  action: string;
  /** Whether to show the entries about invitations that products redeemed, even without a chosen action or operator. */
  redeemed: boolean;
  /** The first UTC day whose entries are shown. `until` is the last day. */
  since: string;
  until: string;
}

export const activityPage: ConsolePage = {
  path: PATHS.activity,
  async get(pageContext) {
    const { operations, texts, query } = pageContext;
    const { activity } = texts;
    const title = texts.pages.activity;
    const filter = readFilter(query, activity.actions);
    // The position in the audit log at which the page begins; `null` for the first page, which has the newest entries.
    const position = query.get("before");
    const log = await operations.readAuditLog(requestOf(filter, position));
    if ("failure" in log) {
      // If the query has a position, the error message does not name the filter, because the operation may have refused
      // the position.
      const messages = position === null ? { invalid_request: activity.badFilter(filter) } : {};
      return failedView(log, texts, { title, back: PATHS.activity, messages });
    }
    const lines = await linesOf(log, pageContext);
    const entries = lines.filter((line) => "action" in line);
    const unreadable = lines.filter((line) => "unreadable" in line).length;
    const next = lines.flatMap((line) => "complete" in line ? [line.next] : []).at(-1);
    const clients = await readClientNames(entries, operations);
    const damageNote = unreadable > 0 && activity.unreadable({ count: unreadable });
    const entriesOrNote = entries.length > 0
      ? entriesTable(entries, clients, texts)
      : markup`<p class="empty">${next ? activity.nothingYet : activity.nothing}</p>`;
    const pathFrom = (position?: string) =>
      pathWith(PATHS.activity, { ...filter, before: position });
    const pages = pager([
      [activity.newest, position !== null && pathFrom()],
      [activity.older, next !== undefined && pathFrom(next)],
    ]);
    return {
      title,
      body: markup`<p class="soft">${activity.about}</p>
${filterForm(filter, pageContext)}
${damageNote && markup`<p class="warning">${damageNote}</p>`}
${entriesOrNote}
${pages}`,
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
): InputOf<"readAuditLog"> {
  const before = position ?? dayAfter(until);
  return {
    newest: PAGE_SIZE,
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
  const listed = await operations.listClients({});
  const clients = "clients" in listed ? listed.clients : [];
  return Object.fromEntries(clients.map(({ client_id, name }) => [client_id, name]));
}

function filterForm(
  { operator, action, redeemed, since, until }: ActivityFilter,
  { texts: { activity, words, lang }, operatorNames }: PageContext,
): Html {
  // The field for the operator is not a menu, because the log also has operators whose keys are gone.
  const operatorInput = markup` value="${operator}" maxlength="40" pattern="${SLUG.source}"
 title="${activity.operatorHint}" list="operators" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const actions = Object.entries(activity.actions)
    .toSorted(([, a], [, b]) => a.localeCompare(b, lang));
  const isFiltered = redeemed || operator + action + since + until !== "";
  return markup`<form class="filters" method="get" action="${PATHS.activity}">
${field("operator", { label: activity.operator, attributes: operatorInput })}
<datalist id="operators">${operatorNames.map((name) => markup`<option value="${name}">`)}</datalist>
${select({ name: "action", label: activity.action, chosen: action }, [["", words.all], ...actions])}
${field("since", { label: activity.since, attributes: markup` type="date" value="${since}"` })}
${field("until", { label: activity.until, attributes: markup` type="date" value="${until}"` })}
${checkbox("redeemed", { label: activity.redeemed, checked: redeemed })}
<button type="submit">${words.show}</button>
${isFiltered && markup`<a href="${PATHS.activity}">${activity.all}</a>`}
</form>`;
}

/**
 * Groups neighbouring entries with the same action and operator. A group has the entries of one call, such as a call
 * for several people, or the entries about invitations that one product redeemed.
 */
function groupEntries(entries: AuditEntry[]): [newest: AuditEntry, ...older: AuditEntry[]][] {
  const groups: [AuditEntry, ...AuditEntry[]][] = [];
  for (const entry of entries) {
    const { action, operator, requestId } = entry;
    const group = groups.at(-1);
    const belongs = group && group[0].action === action && group[0].operator === operator &&
      (action === PRODUCT_ACTION || requestId !== undefined && group[0].requestId === requestId);
    if (belongs) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function entriesTable(entries: AuditEntry[], clients: Names, texts: ConsoleTexts): Html {
  const { activity, words } = texts;
  const rows = groupEntries(entries).map(([entry, ...older]): Cell[] => {
    const oldest = older.at(-1);
    return [
      oldest && oldest.at !== entry.at
        ? markup`${showTime(oldest.at, texts)} – ${showTime(entry.at, texts)}`
        : showTime(entry.at, texts),
      { row: nameIn(activity.actions, entry.action) },
      oldest ? activity.addresses({ count: 1 + older.length }) : showSubject(entry, clients, texts),
      entry.operator ?? activity.nobody,
      describeDetails(older.length > 0 ? sharedDetails([entry, ...older]) : entry.details, texts),
    ];
  });
  const head = [words.time, activity.action, activity.on, activity.operator, activity.details];
  return table({ caption: activity.caption, head, rows });
}

/**
 * Shows the client or the person that the entry is about, or the number of addresses in an import. The log has only a
 * hash of the person's address.
 */
function showSubject(
  { action, client_id, address, details }: AuditEntry,
  clients: Names,
  { activity }: ConsoleTexts,
): Html | string {
  // An import that was cut before the first lines were counted has an entry without details.
  if (action === "importSignups" && details) {
    const { new: added, merged, unchanged } = details;
    return activity.addresses({ count: Number(added) + Number(merged) + Number(unchanged) });
  }
  if (client_id === undefined) return address === undefined ? "" : activity.address;
  const name = ownMember(clients, client_id);
  // A client that was not found is shown without a link. A deleted client, for example, has no page.
  if (name === undefined) return markup`<code>${client_id}</code>`;
  return markup`<a href="${clientPath(client_id)}">${name}</a>`;
}

type Details = NonNullable<AuditEntry["details"]>;

/** The details with numbers of people. A group does not show them, because a group shows the number of its entries. */
const COUNTS = ["named", "reminded", "notReminded"];

/** Returns the details that have the same value in all entries of a group, without the numbers of people. */
function sharedDetails([newest, ...older]: [AuditEntry, ...AuditEntry[]]): Details {
  const shared = Object.entries(newest.details ?? {}).filter(([name, value]) =>
    !COUNTS.includes(name) && older.every(({ details }) => details?.[name] === value)
  );
  return Object.fromEntries(shared);
}

/** Lists the details of an entry. */
function describeDetails(details: Details = {}, texts: ConsoleTexts): Html {
  // A detail that is `false` is left out, because it says only that an option was not used.
  const shown = Object.entries(details).filter(([, value]) => value !== false);
  const lines = shown.map(([name, value]) => {
    const label = nameIn(texts.activity.names, name);
    return typeof value === "boolean"
      ? markup`<li>${label}</li>`
      : markup`<li>${label}: ${showValue(name, value, texts)}</li>`;
  });
  return markup`${lines.length > 0 && markup`<ul class="details">${lines}</ul>`}`;
}

/** The names of the details that are dates or date-times. */
const TIMES = ["before", "expires", "since"];

/** The names of the details that are shown as code. */
const CODES = ["job", "wave", "keyId", "checksum", "formerAddress"];

/** Shows the value of a detail. */
function showValue(name: string, value: string | number, texts: ConsoleTexts): string | Html {
  const { words: { states, langs, sources, steps }, people: { acts }, answers, lang } = texts;
  if (name === "overlapSeconds") return showDuration(lang, Number(value), { isExact: true });
  if (typeof value === "number") return texts.number(value);
  const valueNames: Record<string, Names> = {
    state: states,
    lang: langs,
    source: sources,
    act: acts,
    mark: texts.invite.reasons,
    reached: steps,
    ...answers,
  };
  if (TIMES.includes(name)) return showTime(value, texts);
  if (CODES.includes(name)) return markup`<code>${value}</code>`;
  return nameIn(ownMember(valueNames, name) ?? {}, value);
}
