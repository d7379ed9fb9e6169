/** The page of letters and events: what waits, what was refused and why, and how to try again. @module */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, describeAttention, type Html, markup } from "../../content/mod.ts";
import { doneNote, facts, failedView, faultNote, section, showTime } from "../components.ts";
import {
  button,
  field,
  type Fields,
  knownValue,
  pager,
  pathWith,
  postForm,
} from "../form_fields.ts";
import {
  type ConsolePage,
  linesOf,
  type PageContext,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { isSent, itemsTable, type List, toItem } from "./tables.ts";

const PAGE_SIZE = 100;

const LISTS: readonly List[] = ["waiting", "refused", "deliveries"];

export const outboxPage: ConsolePage = {
  path: PATHS.outbox,
  async get(pageContext) {
    const { operations, texts, query, now, sendsEvents, may, newToken } = pageContext;
    const { outbox: labels, words } = texts;
    const title = texts.pages.outbox;
    const list = knownValue(LISTS, query.get("list")) ?? "waiting";
    const refused = list === "refused";
    const [at, id] = [query.get("at"), query.get("id")];
    const after = at !== null && id !== null ? { at, id } : undefined;
    const [overview, listed, tried] = await Promise.all([
      operations.getOverview({}),
      operations.listOutbox({ refused, limit: PAGE_SIZE, ...after && { after } }),
      list === "deliveries" ? operations.listDeliveries({}) : undefined,
    ]);
    const back = PATHS.outbox;
    if ("failure" in overview) return failedView(overview, texts, { title });
    if ("failure" in listed) return failedView(listed, texts, { title, back });
    if (tried && "failure" in tried) return failedView(tried, texts, { title, back });
    const { items, next } = listed;
    const { pause } = overview.outbox;
    const sends = { letters: overview.sendsLetters, events: sendsEvents };
    /** What a button can send again. */
    const retried = may("retryOutbox") ? sends : { letters: false, events: false };
    const shown = tried ? tried.deliveries.map((each) => toItem(each, texts)) : items;
    const tabs = LISTS.filter((each) => each !== "deliveries" || sends.events || tried);
    const links = tabs.map((each) => {
      const path = pathWith(PATHS.outbox, { list: each });
      return markup`<a href="${path}"${each === list && current}>${labels.lists[each].tab}</a>`;
    });
    const found = shown.length > 0
      ? itemsTable(shown, { texts, now, list, sends: retried })
      : markup`<p class="empty">${labels.lists[list].nothing}</p>`;
    const pages = pager([
      [words.firstPage, after && pathWith(PATHS.outbox, { list })],
      [words.nextPage, !tried && next && pathWith(PATHS.outbox, { list, ...next })],
    ]);
    const all = refused && items.some((item) => isSent(item, retried)) &&
      actionForm({ action: "all", list }, labels.allHint, labels.all);
    const lists = markup`<nav class="tabs" aria-label="${labels.listsLabel}">
${links}
</nav>
${found}
${pages}
${all}`;
    const test = (what: "test" | "testLetter", typed?: Html) => {
      const fields = { action: "test", token: newToken() };
      const form = actionForm(fields, labels[`${what}Hint`], labels[`${what}Submit`], typed);
      return section(what, labels[what], form);
    };
    const address = markup` type="email" required maxlength="254"`;
    const testAddress = field("email", labels.testAddress, address);
    const paused = pause && describeAttention({ about: "paused", ...pause }, texts);
    return {
      title,
      body: markup`${retriedNote(query, labels)}
${paused && markup`<p class="warning">${paused}</p>`}
${!sends.letters && markup`<p class="soft">${labels.lettersOff}</p>`}
${!sends.events && markup`<p class="soft">${labels.eventsOff}</p>`}
${outboxFacts(overview, texts)}
<section aria-label="${labels.listsLabel}">${lists}</section>
<div class="columns">
${sends.letters && may("testLetter") && test("testLetter", testAddress)}
${sends.events && may("testWebhook") && test("test")}
</div>`,
    };
  },
  async post(pageContext, form) {
    return form.get("action") === "test"
      ? await sendTest(pageContext, form)
      : await retry(pageContext, form);
  },
};

type OutboxTexts = ConsoleTexts["outbox"];

const current = markup` aria-current="page"`;

async function retry(pageContext: PageContext, form: Fields): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const retried = await operations.retryOutbox(
    form.get("action") === "all" ? { all: true } : { ids: [form.get("id") ?? ""] },
  );
  if ("failure" in retried) {
    return failedView(retried, texts, { title: texts.pages.outbox, back: PATHS.outbox });
  }
  const lines = await linesOf(retried, pageContext);
  const end = lines.find((line) => "complete" in line);
  const list = knownValue(LISTS, form.get("list"));
  return seeOther(pathWith(PATHS.outbox, { list, retried: end?.retried, left: end?.left }));
}

async function sendTest({ operations, texts }: PageContext, form: Fields): Promise<View> {
  const { outbox: labels, lang } = texts;
  const email = form.get("email");
  const title = email === undefined ? labels.test : labels.testLetter;
  const tested = email === undefined
    ? await operations.testWebhook({})
    : await operations.testLetter({ email, lang });
  if ("failure" in tested) {
    const known = email === undefined ? { conflict: labels.eventsOff } : {};
    return failedView(tested, texts, { title, back: PATHS.outbox, known });
  }
  const { delivered, ms, answer, status } = { status: "", ...tested };
  const code = markup`<code>${status && `HTTP ${status}`} ${answer}</code>`;
  const said = markup`${delivered ? labels.taken({ ms }) : labels.notTaken} ${code}`;
  return {
    title,
    body: markup`${delivered ? doneNote(said) : faultNote(said)}
<p><a href="${PATHS.outbox}">${texts.pages.outbox}</a></p>`,
  };
}

function retriedNote(query: URLSearchParams, labels: OutboxTexts): Html | false {
  if (!query.has("retried")) return false;
  const [count, left] = [Number(query.get("retried")), Number(query.get("left"))];
  const done = labels.retried({ count });
  return doneNote(left > 0 ? `${done} ${labels.left({ count: left })}` : done);
}

/** How many letters and events wait and were refused, and how many letters were sent today. */
export function outboxFacts(
  { outbox, sendsLetters }: Overview,
  texts: ConsoleTexts,
): Html {
  const { outbox: labels, number } = texts;
  const { due, oldestDue, held, refused, sentToday } = outbox;
  return facts([
    [labels.due, number(due)],
    [labels.oldestDue, oldestDue && showTime(oldestDue, texts)],
    [labels.held, held > 0 && number(held)],
    [labels.refused, number(refused)],
    [labels.sentToday, sendsLetters && number(sentToday)],
  ], "figures");
}

function actionForm(
  fields: { action: string; list?: string; token?: string },
  hint: string,
  submit: string,
  typed?: Html,
): Html {
  return markup`<p class="soft">${hint}</p>
${postForm({ action: PATHS.outbox, fields }, markup`${typed}\n${button(submit)}`)}`;
}
