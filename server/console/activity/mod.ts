/**
 * The page of what operators did, from the audit log.
 *
 * @module
 */
import type { AuditEnd, AuditEntry, ExportUnreadable } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { pageName, PATHS } from "../layout.ts";
import { failedView } from "../failures.ts";
import { showNumber, showTime, table } from "../components.ts";
import { readToEnd } from "../answer_lines.ts";
import type { ConsolePage, PageContext } from "../page_context.ts";
import { clientPath } from "../clients/mod.ts";
import { describeDetails } from "./details.ts";
import { ACTIVITY_TEXTS, type ActivityTexts } from "./texts.ts";

/** How many entries a page shows. */
const LISTED = 50;

/** The fields of the filter, as they stand in the address of the page. */
interface Filter {
  operator: string;
  /** UTC days, the last one included. */
  since: string;
  until: string;
}

/** What operators did. */
export const activityPage: ConsolePage = {
  path: PATHS.activity,
  async get(pageContext) {
    const { operations, lang, query } = pageContext;
    const texts = ACTIVITY_TEXTS[lang];
    const title = pageName(lang, "activity");
    const [operator = "", since = "", until = ""] = ["operator", "since", "until"]
      .map((name) => query.get(name)?.trim() ?? "");
    const filter = { operator, since, until };
    const position = query.get("before");
    const before = position ?? dayAfter(until);
    const read = await operations.GET("/operator/v1/audit", {
      params: {
        query: {
          newest: LISTED,
          ...operator && { operator },
          ...since && { since },
          ...before && { before },
        },
      },
      parseAs: "stream",
    });
    const log = read.data && await readLog(read.data);
    if (!log) {
      // With a position to go on from, that can be what is wrong.
      const known = position === null
        ? { invalid_request: texts.badFilter(operator, since, until) }
        : {};
      return failedView(read, { lang, title, back: PATHS.activity, known });
    }
    return {
      title,
      body: markup`<p class="soft">${texts.about}</p>
${filterForm(filter, texts)}
${
        log.unreadable > 0 &&
        markup`<p class="warning">${texts.unreadable(showNumber(lang, log.unreadable))}</p>`
      }
${
        log.entries.length > 0
          ? entriesTable(log.entries, pageContext)
          : markup`<p class="empty">${log.next ? texts.nothingYet : texts.nothing}</p>`
      }
${paging(filter, { isFirst: position === null, next: log.next }, texts)}`,
    };
  },
};

/** The day after a UTC day, where the entries of that day end; text that is no day stays as it is. */
function dayAfter(day: string): string {
  const start = Date.parse(day);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(start)) return day;
  return new Date(start + 24 * 60 * 60_000).toISOString().slice(0, 10);
}

type AuditLine = AuditEntry | ExportUnreadable | AuditEnd;

async function readLog(body: ReadableStream<Uint8Array>) {
  const lines = await readToEnd<AuditLine>(body);
  return lines && {
    entries: lines.filter((line) => "action" in line),
    unreadable: lines.filter((line) => "unreadable" in line).length,
    next: lines.flatMap((line) => "complete" in line ? [line.next] : []).at(-1),
  };
}

function filterForm({ operator, since, until }: Filter, texts: ActivityTexts): Html {
  return markup`<form class="filters" method="get" action="${PATHS.activity}">
<div class="field">
<label for="operator">${texts.operator}</label>
<input id="operator" name="operator" value="${operator}" maxlength="40" pattern="[a-z0-9_\\-]+"
 title="${texts.operatorHint}" autocapitalize="none" autocomplete="off" spellcheck="false">
</div>
<div class="field">
<label for="since">${texts.since}</label>
<input id="since" name="since" type="date" value="${since}">
</div>
<div class="field">
<label for="until">${texts.until}</label>
<input id="until" name="until" type="date" value="${until}">
</div>
<button type="submit">${texts.show}</button>
${operator + since + until !== "" && markup`<a href="${PATHS.activity}">${texts.all}</a>`}
</form>`;
}

function entriesTable(entries: AuditEntry[], { lang }: PageContext): Html {
  const texts = ACTIVITY_TEXTS[lang];
  const rows = entries.map((entry) => [
    showTime(entry.at),
    markup`<th scope="row">${actionName(entry, texts)}</th>`,
    subject(entry, texts),
    entry.operator ?? texts.nobody,
    describeDetails(entry.details, lang),
  ]);
  const head = [texts.time, texts.action, texts.on, texts.operator, texts.details];
  return table({ caption: texts.caption, head, rows });
}

function actionName({ action }: AuditEntry, { actions }: ActivityTexts): string {
  return action in actions ? actions[action as keyof typeof actions] : action;
}

/** Shows on whom or what an operator acted; of an address, the log has only a hash. */
function subject({ client_id, address }: AuditEntry, texts: ActivityTexts): Html | string {
  if (client_id === undefined) return address === undefined ? "" : texts.address;
  return markup`<a href="${clientPath(client_id)}"><code>${client_id}</code></a>`;
}

function paging(
  filter: Filter,
  { isFirst, next }: { isFirst: boolean; next: string | undefined },
  texts: ActivityTexts,
): Html | false {
  if (isFirst && next === undefined) return false;
  const link = (label: string, further: Record<string, string>) => {
    const given = Object.entries({ ...filter, ...further }).filter(([, value]) => value !== "");
    const query = new URLSearchParams(given).toString();
    return markup`<a class="button" href="${PATHS.activity}${query && `?${query}`}">${label}</a>`;
  };
  return markup`<p class="actions">
${!isFirst && link(texts.newest, {})}
${next !== undefined && link(texts.older, { before: next })}
</p>`;
}
