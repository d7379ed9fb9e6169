/** The page of letters and events: what waits, what was refused and why, and how to try again. @module */
import type { Overview, RetryEnd, RetryRequest } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { readToEnd } from "../answer_lines.ts";
import {
  button,
  doneNote,
  facts,
  faultNote,
  type Fields,
  pager,
  pathWith,
  postForm,
  section,
  showTime,
  withValues,
} from "../components.ts";
import { failedView } from "../failures.ts";
import { PATHS } from "../layout.ts";
import { type ConsolePage, type PageContext, seeOther, type View } from "../page_context.ts";
import { isSent, itemsTable } from "./list.ts";

const PAGE_SIZE = 100;

const REFUSED = { list: "refused" };

export const outboxPage: ConsolePage = {
  path: PATHS.outbox,
  async get(pageContext) {
    const { operations, texts, query, form, now, sendsEvents } = pageContext;
    const { outbox: labels, words } = texts;
    const title = texts.pages.outbox;
    const refused = query.get("list") === "refused";
    const [at, id] = [query.get("at"), query.get("id")];
    const after = at !== null && id !== null ? { at, id } : undefined;
    const body = { refused, limit: PAGE_SIZE, ...after && { after } };
    const [overview, listed] = await Promise.all([
      operations.GET("/operator/v1/overview"),
      operations.POST("/operator/v1/outbox/list", { body }),
    ]);
    if (!overview.data) return failedView(overview, texts, { title });
    if (!listed.data) return failedView(listed, texts, { title, back: PATHS.outbox });
    const { items, next } = listed.data;
    const sends = { letters: overview.data.sendsLetters, events: sendsEvents };
    const list = refused ? REFUSED : {};
    const lists = markup`<nav class="tabs" aria-label="${labels.lists}">
<a href="${PATHS.outbox}"${!refused && current}>${labels.waitingTab}</a>
<a href="${pathWith(PATHS.outbox, REFUSED)}"${refused && current}>${labels.refusedTab}</a>
</nav>
${
      items.length > 0
        ? itemsTable(items, { texts, now, refused, sends })
        : markup`<p class="empty">${refused ? labels.nothingRefused : labels.nothingWaits}</p>`
    }
${
      pager(PATHS.outbox, [
        [words.firstPage, after && list],
        [words.nextPage, next && { ...list, ...next }],
      ])
    }
${refused && items.some((item) => isSent(item, sends)) && allForm(labels)}`;
    return {
      title,
      body: markup`${form && retriedNote(form, labels)}
${!sends.letters && markup`<p class="soft">${labels.lettersOff}</p>`}
${!sends.events && markup`<p class="soft">${labels.eventsOff}</p>`}
${outboxFacts(overview.data, texts)}
${section("lists", labels.lists, lists)}
${sends.events && testSection(labels)}`,
    };
  },
  async post(pageContext, form) {
    if (form.get("action") === "test") return await sendTest(pageContext);
    const list = form.get("list") === "refused" ? REFUSED : {};
    const request: RetryRequest = form.get("action") === "all"
      ? { all: true }
      : { ids: [form.get("id") ?? ""] };
    return await retry(pageContext, request, list);
  },
};

type OutboxTexts = ConsoleTexts["outbox"];

const current = markup` aria-current="page"`;

async function retry(
  { operations, texts, redirectWith }: PageContext,
  body: RetryRequest,
  list: { list?: string },
): Promise<View | Response> {
  const retried = await operations.POST("/operator/v1/outbox/retry", { body, parseAs: "stream" });
  const end = (await readToEnd<RetryEnd>(retried))?.at(-1);
  const path = pathWith(PATHS.outbox, list);
  if (end) {
    // It is said once: later, what was tried may have failed again.
    const fields = withValues({ retried: end.retried, left: end.left });
    return await redirectWith(path, fields, { once: true }) ?? seeOther(path);
  }
  return failedView(retried, texts, { title: texts.pages.outbox, back: PATHS.outbox });
}

async function sendTest({ operations, texts }: PageContext): Promise<View> {
  const { outbox: labels } = texts;
  const tested = await operations.POST("/operator/v1/webhooks/test");
  if (!tested.data) {
    const known = { conflict: labels.eventsOff };
    return failedView(tested, texts, { title: labels.test, back: PATHS.outbox, known });
  }
  const { delivered, reason = "" } = tested.data;
  const fault = `${labels.notTaken} ${labels.reason} ${reason}`;
  return {
    title: labels.test,
    body: markup`${delivered ? doneNote(labels.taken) : faultNote(fault)}
<p><a href="${PATHS.outbox}">${texts.pages.outbox}</a></p>`,
  };
}

function retriedNote(form: Fields, labels: OutboxTexts): Html | false {
  if (!form.has("retried")) return false;
  const [count, left] = [Number(form.get("retried")), Number(form.get("left"))];
  const done = labels.retried({ count });
  return doneNote(left > 0 ? `${done} ${labels.left({ count: left })}` : done);
}

function outboxFacts({ outbox, sendsLetters }: Overview, texts: ConsoleTexts): Html {
  const { outbox: labels, words, number } = texts;
  const { due, oldestDue, refused, sentToday, pause } = outbox;
  const first = oldestDue !== undefined && markup`, ${labels.oldest} ${showTime(oldestDue)}`;
  return markup`${pause && markup`<p class="warning">${describePause(pause, texts)}</p>`}
${
    facts([
      [words.states.waiting, markup`${number(due)}${first}`],
      [labels.refused, number(refused)],
      [labels.sentToday, sendsLetters && number(sentToday)],
    ])
  }`;
}

/** Says that all letters are paused, until when, and the reason that the mail server gave. */
export function describePause(
  { until, reason }: NonNullable<Overview["outbox"]["pause"]>,
  { outbox: labels }: ConsoleTexts,
): Html {
  return markup`${labels.pause} ${showTime(until)}. ${labels.reason} <code>${reason}</code>`;
}

function testSection(labels: OutboxTexts): Html {
  return section(
    "test",
    labels.test,
    markup`<p class="soft">${labels.testHint}</p>
${postForm({ action: PATHS.outbox, fields: { action: "test" } }, button(labels.testSubmit))}`,
  );
}

function allForm(labels: OutboxTexts): Html {
  return markup`<p class="soft">${labels.allHint}</p>
${postForm({ action: PATHS.outbox, fields: { action: "all", ...REFUSED } }, button(labels.all))}`;
}
