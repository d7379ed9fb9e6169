import assert from "node:assert/strict";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { readConsoleTexts } from "../../../../server/content/mod.ts";
import {
  type ConsoleService,
  follow,
  signIn,
  startConsole,
  startWithRefusedLetters,
  test,
} from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { call, OPERATOR_KEY, readAudit } from "../../../support/operator.ts";
import { LINK, storeWaiting } from "../../../support/invitations.ts";
import { idsOf, refuseDue } from "../../../support/outbox.ts";
import { listenTo } from "../../../support/receiver.ts";
import { signUp, START, WITH_MAIL, withEvents } from "../../../support/service.ts";

const PAGE = "/operator/outbox/",
  REFUSED = `${PAGE}?list=refused`,
  DELIVERIES = `${PAGE}?list=deliveries`;

/** A service with so many people, and an event about each of them, some of which are refused. */
async function startWithEvents(people: number, refused = 0): Promise<ConsoleService> {
  const service = await startConsole(withEvents());
  for (let n = 0; n < people; n++) {
    assert.equal(await signUp(service, `visitor${n}@example.com`), 200);
  }
  const reason = "HTTP <500>";
  if (refused > 0) await refuseDue(service.kv, "events", { limit: refused, reason });
  return service;
}

Deno.test("outboxPage lists the last deliveries of events, and sends an event again", async () => {
  let status = 500;
  await using receiver = listenTo(() =>
    new Response(status === 500 ? "<no> room for visitor0@example.com" : null, { status })
  );
  await using service = await startConsole(withEvents(receiver.url));
  const empty = await service.browser.open(DELIVERIES);
  assert.match(empty.html, /No event was sent yet\./);
  assert.equal(await signUp(service, "visitor0@example.com"), 200);
  await service.workOutbox();
  const failed = (await service.browser.open(DELIVERIES)).html;
  assert.match(failed, /aria-current="page">Deliveries of events</);
  assert.match(failed, /<td>HTTP 500, \d+ ms: &lt;no&gt; room for …<\/td>/);
  status = 204;
  service.clock.now += 60_000;
  await service.workOutbox();
  const { html } = await service.browser.open(DELIVERIES);
  assert.match(html, /<td>HTTP 204, \d+ ms<\/td>/);
  const [id] = idsOf(html);
  const fields = { action: "retry", list: "deliveries", id: id! };
  const again = await service.browser.submit(PAGE, fields);
  assert.match(again.html, /role="status">Tried again now: 1\./);
  await service.workOutbox();
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual(ids, [id, id, id]);
});

Deno.test("outboxPage lists the waiting letters and events, without buttons when all of them are due soon", async () => {
  await using service = await startWithEvents(2);
  const { status, html } = await service.browser.open(PAGE);
  assert.equal(status, 200);
  assert.match(
    html,
    /<dt>Waiting<\/dt><dd><a href="\/operator\/outbox\/\?list=waiting">2<\/a><\/dd>[^]+first is to be sent at[^]+"2026-11-21T12:00:20/,
  );
  assert.match(html, /<td><a [^>]+>visitor1@<wbr>example\.com<\/a><\/td>/);
  assert.match(html, />Event: joined<\/th>/);
  assert.deepEqual(idsOf(html), []);
  assert.doesNotMatch(html, />Action</);
  assert.match((await service.browser.open(REFUSED)).html, /Nothing was rejected for good\./);
});

Deno.test("outboxPage shows why letters and events were refused, and makes a refused letter due again", async () => {
  await using service = await startWithEvents(3, 2);
  const { html } = await service.browser.open(REFUSED);
  assert.match(
    html,
    /<dt>Rejected<\/dt><dd><a href="\/operator\/outbox\/\?list=refused">2<\/a><\/dd>/,
  );
  assert.match(html, /<td>HTTP &lt;500&gt;<\/td>/);
  assert.match(html, />Action</);
  const [id] = idsOf(html);
  const fields = { action: "retry", list: "refused", id: id! };
  const sent = await service.browser.send(PAGE, fields);
  assert.equal(sent.status, 303);
  assert.match(sent.location, /^\/operator\/outbox\/\?list=refused&retried=1&left=0&at=\d+$/);
  const after = await service.browser.open(sent.location);
  assert.match(after.html, /role="status">Tried again now: 1\.</);
  assert.match(after.html, /http-equiv="refresh"/);
  service.clock.now += 20_000;
  const settled = await service.browser.open(sent.location);
  assert.doesNotMatch(settled.html, /http-equiv="refresh"/);
  assert.equal(idsOf(after.html).length, 1);
  const again = await service.browser.submit(PAGE, fields);
  assert.match(again.html, /role="status">Tried again now: 0\. Left as they are: 1,/);
  const actions = (await readAudit(service)).map(({ action, details }) => ({ action, details }));
  assert.deepEqual(actions, [
    {
      action: "retryOutbox",
      details: { message: "signup.joined", retried: 1, left: 0, complete: true },
    },
  ]);
});

Deno.test("outboxPage links the addresses of waiting, refused and delivered events to the pages of the people", async () => {
  await using receiver = listenTo(() => new Response(null, { status: 204 }));
  await using service = await startConsole(withEvents(receiver.url));
  const linkedPerson = async (path: string) => {
    const { html } = await service.browser.open(path);
    const [href] = html.match(/(?<=<td><a href=")[^"]+(?=">visitor0@<wbr>example\.com<)/) ??
      assert.fail(html);
    assert.doesNotMatch(href, /@|%40/);
    return (await service.browser.open(href)).html;
  };
  assert.equal(await signUp(service, "visitor0@example.com"), 200);
  assert.match(await linkedPerson(PAGE), /<h1[^>]*>visitor0@/);
  await refuseDue(service.kv, "events", { limit: 1, reason: "HTTP 500" });
  assert.match(await linkedPerson(REFUSED), /<h1[^>]*>visitor0@/);
  const [id] = idsOf((await service.browser.open(REFUSED)).html);
  await service.browser.submit(PAGE, { action: "retry", list: "refused", id: id! });
  await service.workOutbox();
  assert.match(await linkedPerson(DELIVERIES), /<h1[^>]*>visitor0@/);
});

Deno.test("outboxPage shows the address as text when the event says that the person has left the list", async () => {
  await using service = await startWithEvents(1);
  await service.operate("/signups/erase", { email: "visitor0@example.com" });
  const { html } = await service.browser.open(PAGE);
  assert.match(html, />Event: left<\/th>\n<td>visitor0@<wbr>example\.com<\/td>/);
});

Deno.test("outboxPage makes all refused events due again for the confirmed action 'all', and answers 400 to the action 'retry' without ids", async () => {
  await using service = await startWithEvents(3, 3);
  const refused = await service.browser.send(PAGE, { action: "retry" });
  assert.equal(refused.status, 400);
  assert.match(refused.html, /role="alert">Field &#39;ids\.0&#39; is/);
  const confirmed = { action: "all", list: "refused", confirmed: "yes" };
  const { html } = await service.browser.submit(PAGE, confirmed);
  assert.match(html, /role="status">Tried again now: 3\.</);
});

Deno.test("outboxPage leads from a refused letter to the question whether to mark its address as undeliverable, unless the address is marked", async () => {
  await using service = await startWithRefusedLetters(2);
  const pathsIn = (html: string) =>
    [...html.matchAll(/formaction="([^"]+)" name="act" value="undeliverable"/g)]
      .map(([, path]) => path!);
  const [path = ""] = pathsIn((await service.browser.open(REFUSED)).html);
  const fields = { action: "retry", list: "refused", act: "undeliverable" };
  const question = await service.browser.send(path, fields);
  assert.match(question.html, /<h1[^>]*>Mark as undeliverable\?</);
  await service.browser.submit(path, fieldsOf(question.html, "Mark as undeliverable"));
  const { html } = await service.browser.open(REFUSED);
  assert.match(html, /What was rejected \(2\)/);
  assert.equal(pathsIn(html).length, 1);
  assert.ok(!pathsIn(html).includes(path));
});

Deno.test("outboxPage says once above the refused letters, and not above refused events, that a letter that is tried again lifts the mark of its address", async () => {
  await using letters = await startWithRefusedLetters(2);
  const { html } = await letters.browser.open(REFUSED);
  assert.equal(html.split("its address is no longer marked as undeliverable").length, 2);
  await using events = await startWithEvents(1, 1);
  assert.doesNotMatch((await events.browser.open(REFUSED)).html, /marked as undeliverable/);
});

Deno.test("outboxPage makes no letter and no event due when the form has no action or an unknown action", async () => {
  await using service = await startWithEvents(1, 1);
  const [id] = idsOf((await service.browser.open(REFUSED)).html);
  for (const fields of [{}, { action: "retries" }]) {
    const { status, html } = await service.browser.send(PAGE, { ...fields, id: id! });
    assert.equal(status, 400);
    assert.match(html, /role="alert">Field &#39;action&#39; is missing or unknown; give retry, /);
  }
  assert.deepEqual(await readAudit(service), []);
});

Deno.test("outboxPage and listOutbox list only the waiting or refused invitations of a wave, and the page keeps to this wave after a new try", async () => {
  await using service = await startConsole(WITH_MAIL);
  await storeWaiting(service.kv, 3);
  for (const [wave, next] of [["first", 2], ["second", 1]] as const) {
    await call(service, "/waves", { wave, next, link: LINK });
  }
  await signUp(service, "visitor0@example.com");
  const listed = async (query: string) => {
    const { html } = await service.browser.open(`${PAGE}?${query}`);
    return [textOf(html), html.match(/<th scope="row">/g)?.length ?? 0] as const;
  };
  const [text, count] = await listed("list=waiting&wave=first");
  assert.equal(count, 2);
  assert.match(
    text,
    /What waits \(4\) .+ Only the invitations of the wave ‘first’\. Show everything/,
  );
  assert.equal((await listed("list=waiting&wave=second"))[1], 1);
  assert.equal((await listed("list=waiting"))[1], 4);
  assert.match((await listed("list=refused&wave=first"))[0], /Nothing in this list fits\./);

  const outbox = createOutboxStore(service.kv);
  for (const entry of await readFirstItems(service.kv, "invitations", { limit: 3 })) {
    await outbox.postpone(entry, { ...entry.item, queue: "refused", dueAt: START });
  }
  const refused = { refused: true, wave: "first" };
  const first = await call(service, "/outbox/list", { ...refused, limit: 1 });
  const second = await call(service, "/outbox/list", { ...refused, limit: 1, after: first.next });
  assert.deepEqual([first.items.length, second.items.length, second.next], [1, 1, undefined]);
  assert.equal((await call(service, "/outbox/list", refused)).items.length, 2);

  const query = "?list=refused&wave=first";
  const { html } = await service.browser.open(PAGE + query);
  const fields = { ...fieldsOf(html, "Try again now"), id: idsOf(html)[0]! };
  const retried = await service.browser.send(PAGE, fields);
  assert.equal(retried.location, `${PAGE}${query}&retried=1&left=0&at=${service.clock.now}`);
});

Deno.test("outboxPage shows at most 100 letters and events on a page, and puts no e-mail address into the link to the next page", async () => {
  await using service = await startWithEvents(102, 102);
  const { html } = await service.browser.open(REFUSED);
  const first = idsOf(html);
  assert.equal(first.length, 100);
  const link = /<a class="button" href="([^"]+)">Next page/.exec(html)![1]!.replaceAll(
    "&amp;",
    "&",
  );
  assert.doesNotMatch(decodeURIComponent(link), /@/);
  const next = await service.browser.open(link);
  assert.equal(new Set([...first, ...idsOf(next.html)]).size, 102);
  assert.doesNotMatch(next.html, /Next page/);
  assert.match(next.html, />First page</);
  const wrong = await service.browser.open(`${PAGE}?at=May&id=a`);
  assert.equal(wrong.status, 400);
});

Deno.test("outboxPage sends a test event, and shows the receiver's answer", async () => {
  let status = 200;
  await using receiver = listenTo(() => new Response(null, { status }));
  await using service = await startConsole(withEvents(receiver.url));
  const taken = await service.browser.send(PAGE, { action: "test" });
  assert.equal(taken.status, 200);
  assert.match(
    taken.html,
    /role="status">The test was accepted after \d+ ms\. The answer: <code>HTTP 200 </,
  );
  assert.match(receiver.received[0]!.body, /"type":"webhook\.test"/);
  status = 500;
  const refused = await service.browser.send(PAGE, { action: "test" });
  assert.match(
    refused.html,
    /role="alert">The test was not accepted\. The answer, or the reason: <code>HTTP 500 </,
  );
});

Deno.test("outboxPage sends a test letter in the operator's language, and shows the answer of the mail server", async () => {
  await using api = listenTo(() => new Response("<queued>"));
  await using service = await startConsole({
    MAIL_URL: api.url,
    MAIL_FROM: "hello@example.com",
    MAIL_TOKEN: "token",
  });
  const { html } = await service.browser.open(PAGE);
  assert.match(html, /<input id="email" name="email" type="email" required/);
  const fields = { action: "test", email: "ops@example.com" };
  const taken = await service.browser.send(PAGE, fields, { headers: { "Accept-Language": "de" } });
  assert.match(
    taken.html,
    /role="status">An ops@example\.com: Der Test wurde nach \d+ ms angenommen\. Die Antwort: <code>/,
  );
  assert.match(taken.html, /HTTP 200 &lt;queued&gt;<\/code>/);
  assert.match(JSON.parse(api.received[0]!.body).subject, /^Test-E-Mail von /);
  // A double click sends one.
  const [token] = html.match(/(?<=name="token" value=")[\w-]{8}/) ?? assert.fail();
  const twice = { ...fields, token };
  await Promise.all([service.browser.send(PAGE, twice), service.browser.send(PAGE, twice)]);
  assert.equal(api.received.length, 2);
  const wrong = await service.browser.send(PAGE, { ...fields, email: "nobody" });
  assert.equal(wrong.status, 400);
});

Deno.test("outboxPage opens on what waits, then on what was rejected, and otherwise on the log of e-mails or on the deliveries of events", async () => {
  await using receiver = listenTo(() => new Response(null, { status: 204 }));
  await using service = await startConsole(withEvents(receiver.url));
  const shownTab = async (query = "") => {
    const { html } = await service.browser.open(PAGE + query);
    return /class="tabs"[^]+?aria-current="page">([^<]+)</.exec(html)?.[1];
  };
  assert.equal(await shownTab(), "Deliveries of events");
  assert.equal(await signUp(service, "visitor0@example.com"), 200);
  assert.equal(await shownTab(), "What waits (1)");
  assert.equal(await shownTab("?list=refused"), "What was rejected (0)");
  await refuseDue(service.kv, "events", { limit: 1, reason: "HTTP 500" });
  assert.equal(await shownTab(), "What was rejected (1)");
  assert.equal(await shownTab("?list=waiting"), "What waits (0)");
  assert.equal(await shownTab("?list=unknown"), "What was rejected (1)");
});

test("outboxPage opens on the log of e-mails when nothing waits and nothing was rejected, and shows no filters as long as the log is empty", async ({ browser }) => {
  const { html } = await browser.open(PAGE);
  assert.match(html, /aria-current="page">E‑mails of 90 days</);
  assert.match(html, /No e‑mail was sent in the last 90 days\./);
  assert.doesNotMatch(html, /<select/);
});

Deno.test("outboxPage says how many rejected events have which code in the answer, and lists those with one code", async () => {
  await using service = await startWithEvents(103);
  await refuseDue(service.kv, "events", { limit: 1, reason: "HTTP 404: <gone>" });
  await refuseDue(service.kv, "events", { limit: 102, reason: "HTTP 500" });
  const { html } = await service.browser.open(REFUSED);
  assert.match(
    textOf(html),
    /By the code of the answer: HTTP 500 \(102\) for example: HTTP 500 HTTP 404 \(1\) for example: HTTP 404: &lt;gone&gt;/,
  );
  const gone = await follow(service.browser, html, "HTTP 404 \\(1\\)");
  assert.equal(idsOf(gone.html).length, 1);
  assert.match(
    textOf(gone.html),
    /Only with this code in the answer: HTTP 404\. Show everything/,
  );
  assert.doesNotMatch(gone.html, /Try all again/);
  const none = textOf((await service.browser.open(`${REFUSED}&reason=5.7.1`)).html);
  assert.match(none, /Only with this code in the answer: 5\.7\.1\. .+ Nothing in this list fits\./);
  assert.doesNotMatch(none, /Nothing was rejected/);
  const withoutCode = await service.browser.open(`${REFUSED}&reason=none`);
  assert.match(textOf(withoutCode.html), /Only with an answer without a code\. Show everything/);
  const others = await follow(service.browser, html, "HTTP 500 \\(102\\)");
  const next = await follow(service.browser, others.html, "Next page");
  const ids = new Set([...idsOf(others.html), ...idsOf(next.html)]);
  assert.equal(ids.size, 102);
  assert.ok(!ids.has(idsOf(gone.html)[0]!));
});

test("outboxPage names MAIL_URL and WEBHOOK_URL in place of the test forms when these variables are not set", async (service) => {
  const { html } = await service.browser.open(PAGE);
  assert.doesNotMatch(html, /test event|E‑mails accepted by the mail server today/);
  assert.match(html, /The service sends no e‑mails\. To turn them on, set MAIL_URL\./);
  assert.match(
    html,
    /<\/nav>[^]+The service sends no events\. To turn them on, set WEBHOOK_URL\./,
    "below the lists, because most services never send events",
  );
  const { status, html: refused } = await service.browser.send(PAGE, { action: "test" }, {
    headers: { "Accept-Language": "de" },
  });
  assert.equal(status, 409);
  assert.match(
    refused,
    /role="alert">Der Dienst sendet keine Ereignisse\. Die Einstellung WEBHOOK_URL/,
  );
});

Deno.test("outboxPage names MAIL_URL and WEBHOOK_URL to nobody who only looks", async () => {
  const key = `viewer-${OPERATOR_KEY}`;
  await using service = await startConsole({ OPERATOR_KEYS: `vera:viewer=${key}` });
  const { html } = await (await signIn(service, key)).open(PAGE);
  assert.match(html, /The service sends no e‑mails\. <[^]+The service sends no events\. </);
});

Deno.test("readConsoleTexts() gives the console one word for e-mails, and its page of e-mails and the overview one for rejections, when the texts are those of the project", async () => {
  const { en, de } = await readConsoleTexts();
  // Texts with placeholders are functions, whose source has no text, so the files themselves are read.
  for (const { lang } of [en, de]) {
    const path = new URL(`../../../../content/${lang}/console.yaml`, import.meta.url);
    const file = await Deno.readTextFile(path);
    // The names of keys and placeholders are not shown.
    const shownIn = (text: string) => text.replaceAll(/^ *[\w.]+:(?= |$)|\{\w+\}/gm, "");
    assert.doesNotMatch(shownIn(file), /\bletters?\b|Brief/i, lang);
    const sections = file.split(/^(?=\w+:$)/m).filter((text) => /^(overview|outbox):/.test(text));
    assert.equal(sections.length, 2);
    assert.doesNotMatch(shownIn(sections.join("")), /\brefus|abgewiesen|abweis/i, lang);
  }
});
