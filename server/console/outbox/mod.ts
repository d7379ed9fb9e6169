/**
 * The page of letters and events: what waits, what was refused and why, and how to try again.
 *
 * @module
 */
import type { Overview, RetryEnd, RetryRequest } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { pageName, PATHS } from "../layout.ts";
import { failedView } from "../failures.ts";
import { doneNote, facts, faultNote, pagingTexts, showNumber, showTime } from "../components.ts";
import { readToEnd } from "../answer_lines.ts";
import { type ConsolePage, type PageContext, seeOther, type View } from "../page_context.ts";
import { isSent, itemsTable, type Sends } from "./list.ts";
import { describePause } from "./pause.ts";
import { OUTBOX_TEXTS, type OutboxTexts } from "./texts.ts";
export { describePause } from "./pause.ts";

/** How many letters and events a page shows. */
const LISTED = 100;

/** The path of the list of what is not tried any more. */
const REFUSED = `${PATHS.outbox}?list=refused`;

/** Letters and events. */
export const outboxPage: ConsolePage = {
  path: PATHS.outbox,
  async get(pageContext) {
    const { operations, lang, query } = pageContext;
    const texts = OUTBOX_TEXTS[lang];
    const title = pageName(lang, "outbox");
    const refused = query.get("list") === "refused";
    const [at, id] = [query.get("at"), query.get("id")];
    const after = at !== null && id !== null ? { at, id } : undefined;
    const body = { refused, limit: LISTED, ...after && { after } };
    const [overview, listed] = await Promise.all([
      operations.GET("/operator/v1/overview"),
      operations.POST("/operator/v1/outbox/list", { body }),
    ]);
    if (!overview.data) return failedView(overview, { lang, title });
    if (!listed.data) return failedView(listed, { lang, title, back: PATHS.outbox });
    const { items, next } = listed.data;
    const sends = { letters: overview.data.sendsLetters, events: pageContext.sendsEvents };
    return {
      title,
      body: markup`${retriedNote(pageContext, texts)}
${offNotes(sends, texts)}
${outboxFacts(overview.data, pageContext, texts)}
<section aria-labelledby="lists">
<h2 id="lists">${texts.lists}</h2>
<nav class="tabs" aria-label="${texts.lists}">
<a href="${PATHS.outbox}"${!refused && current}>${texts.waitingTab}</a>
<a href="${REFUSED}"${refused && current}>${texts.refusedTab}</a>
</nav>
${
        items.length > 0
          ? itemsTable(items, { ...pageContext, refused, sends })
          : markup`<p class="empty">${refused ? texts.nothingRefused : texts.nothingWaits}</p>`
      }
${paging({ refused, isFirst: after === undefined, next }, lang)}
${refused && items.some((item) => isSent(item, sends)) && allForm(texts)}
</section>
${sends.events && testSection(texts)}`,
    };
  },
  async post(pageContext, form) {
    if (form.get("action") === "test") return await sendTest(pageContext);
    const refused = form.get("list") === "refused";
    const request: RetryRequest = form.get("action") === "all"
      ? { all: true }
      : { ids: [form.get("id") ?? ""] };
    return await retry(pageContext, request, refused ? `${REFUSED}&` : `${PATHS.outbox}?`);
  },
};

const current = markup` aria-current="page"`;

/** Makes items due at once. @param back where to go on, with the beginning of a query */
async function retry(
  { operations, lang }: PageContext,
  body: RetryRequest,
  back: string,
): Promise<View | Response> {
  const title = OUTBOX_TEXTS[lang].back;
  const retried = await operations.POST("/operator/v1/outbox/retry", { body, parseAs: "stream" });
  const result = retried.data && (await readToEnd<RetryEnd>(retried.data))?.at(-1);
  if (!result) return failedView(retried, { lang, title, back: PATHS.outbox });
  return seeOther(`${back}retried=${result.retried}&left=${result.left}`);
}

async function sendTest({ operations, lang }: PageContext): Promise<View> {
  const texts = OUTBOX_TEXTS[lang];
  const tested = await operations.POST("/operator/v1/webhooks/test");
  if (!tested.data) {
    const known = { conflict: texts.eventsOff };
    return failedView(tested, { lang, title: texts.test, back: PATHS.outbox, known });
  }
  const { delivered, reason = "" } = tested.data;
  return {
    title: texts.test,
    body: markup`${
      delivered ? doneNote(texts.taken) : faultNote(`${texts.notTaken} ${texts.reason} ${reason}`)
    }
<p><a href="${PATHS.outbox}">${texts.back}</a></p>`,
  };
}

/** Says what the last form did, by the numbers in the query. */
function retriedNote({ query, lang }: PageContext, texts: OutboxTexts): Html | false {
  const [retried, left] = ["retried", "left"].map((name) => Number(query.get(name) ?? NaN));
  if (!Number.isSafeInteger(retried) || !Number.isSafeInteger(left)) return false;
  const done = texts.retried(showNumber(lang, retried!));
  return doneNote(left! > 0 ? `${done} ${texts.left(showNumber(lang, left!))}` : done);
}

function outboxFacts(
  { outbox, sendsLetters }: Overview,
  { lang }: PageContext,
  texts: OutboxTexts,
): Html {
  const { due, oldestDue, refused, sentToday, pause } = outbox;
  const first = oldestDue !== undefined && markup`, ${texts.oldest} ${showTime(oldestDue)}`;
  return markup`${pause && markup`<p class="warning">${describePause(pause, lang)}</p>`}
${
    facts([
      [texts.due, markup`${showNumber(lang, due)}${first}`],
      [texts.refused, showNumber(lang, refused)],
      [texts.sentToday, sendsLetters && showNumber(lang, sentToday)],
    ])
  }`;
}

function paging(
  { refused, isFirst, next }: {
    refused: boolean;
    isFirst: boolean;
    next: { at: string; id: string } | undefined;
  },
  lang: PageContext["lang"],
): Html | false {
  if (isFirst && !next) return false;
  const { firstPage, nextPage } = pagingTexts(lang);
  const list = refused ? { list: "refused" } : {};
  return markup`<p class="actions">
${
    !isFirst &&
    markup`<a class="button" href="${refused ? REFUSED : PATHS.outbox}">${firstPage}</a>`
  }
${
    next &&
    markup`<a class="button" href="${PATHS.outbox}?${
      new URLSearchParams({ ...list, ...next }).toString()
    }">${nextPage}</a>`
  }
</p>`;
}

/** Says which of letters and events the service does not send, and how to turn them on. */
function offNotes({ letters, events }: Sends, texts: OutboxTexts): Html {
  return markup`${!letters && markup`<p class="soft">${texts.lettersOff}</p>`}
${!events && markup`<p class="soft">${texts.eventsOff}</p>`}`;
}

function testSection(texts: OutboxTexts): Html {
  return markup`<section aria-labelledby="test">
<h2 id="test">${texts.test}</h2>
<p class="soft">${texts.testHint}</p>
${actionForm("test", texts.testSubmit)}
</section>`;
}

function allForm(texts: OutboxTexts): Html {
  return markup`<p class="soft">${texts.allHint}</p>
<form method="post" action="${PATHS.outbox}">
<input type="hidden" name="action" value="all">
<input type="hidden" name="list" value="refused">
<button type="submit">${texts.all}</button>
</form>`;
}

function actionForm(action: string, submit: string): Html {
  return markup`<form method="post" action="${PATHS.outbox}">
<input type="hidden" name="action" value="${action}">
<button type="submit">${submit}</button>
</form>`;
}
