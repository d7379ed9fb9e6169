import assert from "node:assert/strict";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import type { ShownSignup } from "../../../../shared/operator_schemas.ts";
import { startConsole, startWithRefusedLetters } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { LINK, storeWaiting } from "../../../support/invitations.ts";
import { call, readAudit } from "../../../support/operator.ts";
import { idsOf } from "../../../support/outbox.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const PAGE = "/operator/outbox/",
  REFUSED = `${PAGE}?list=refused`,
  DELIVERIES = `${PAGE}?list=deliveries`;

Deno.test("outboxPage asks before it makes the chosen refused letters due again, with their number, and has the script of the checkboxes only in a list with checkboxes", async () => {
  await using service = await startWithRefusedLetters(3);
  const { html } = await service.browser.open(REFUSED);
  assert.match(html, /src="[^"]+\/choose\.js/);
  const boxes = [...html.matchAll(/name="(chosen_\d)" value="([\w-]+)"/g)];
  assert.deepEqual(boxes.map(([, , id]) => id), idsOf(html));
  const chosen = Object.fromEntries(boxes.slice(1).map(([, name, id]) => [name!, id!]));
  const fields = { ...fieldsOf(html, "Try the chosen again …"), ...chosen };
  const question = await service.browser.send(PAGE, fields);
  assert.match(question.html, /<h1[^>]*>Try the chosen again\?<[^]+that are tried again: 2\.</);
  assert.match(question.html, /<li>If the mail server rejects three e‑mails in a row, /);
  assert.match(question.html, /<a class="button" href="\/operator\/outbox\/\?list=refused">Back</);
  assert.deepEqual(await readAudit(service), []);
  const after = await service.browser.submit(PAGE, fieldsOf(question.html, "Try 2 again"));
  assert.match(after.html, /role="status">Tried again now: 2\.</);
  assert.match(after.html, /What was rejected \(1\)/);
  assert.deepEqual(idsOf(after.html), [boxes[0]![2]]);
  assert.doesNotMatch((await service.browser.open(DELIVERIES)).html, /choose\.js/);
});

Deno.test("outboxPage says that nothing is chosen, and links back to the list, when no checkbox is ticked", async () => {
  await using service = await startWithRefusedLetters(1);
  const { html: list } = await service.browser.open(REFUSED);
  const fields = fieldsOf(list, "Try the chosen again …");
  const { status, html } = await service.browser.send(PAGE, fields);
  assert.equal(status, 400);
  assert.match(html, /role="alert">Nothing is chosen\. Tick the boxes of the rows first\.</);
  assert.match(html, /<a href="\/operator\/outbox\/\?list=refused">Back</);
  assert.deepEqual(await readAudit(service), []);
});

Deno.test("outboxPage asks before it tries all refused letters again, and says what leads to a pause", async () => {
  await using service = await startWithRefusedLetters(2);
  const { html: list } = await service.browser.open(REFUSED);
  assert.match(list, /<button type="submit">Try all again …<\/button>/);
  const { status, html } = await service.browser.send(PAGE, { action: "all", list: "refused" });
  assert.equal(status, 200);
  assert.match(html, /<h1[^>]*>Try everything again that was rejected\?</);
  assert.match(html, /<li>E‑mails and events that are tried again: 2\.</);
  assert.doesNotMatch(html, /type="checkbox"/, "nobody is marked as undeliverable");
  assert.match(
    html,
    /<li>If the mail server rejects three e‑mails in a row, all e‑mails are paused\.</,
  );
  assert.match(html, /<a class="button" href="\/operator\/outbox\/\?list=refused">Back</);
  for (const [name, value] of [["action", "all"], ["list", "refused"], ["confirmed", "yes"]]) {
    assert.match(html, new RegExp(`name="${name}" value="${value}"`));
  }
  assert.deepEqual(await readAudit(service), []);
  assert.match((await service.browser.open(REFUSED)).html, /What was rejected \(2\)/);
  const inGerman = { headers: { "Accept-Language": "de" } };
  const german = await service.browser.send(PAGE, { action: "all", list: "refused" }, inGerman);
  assert.match(german.html, /<li>E‑Mails und Ereignisse, die erneut versucht werden: 2\.</);
});

Deno.test("outboxPage leaves letters to people marked as undeliverable out of 'all' unless the operator chooses them", async () => {
  await using service = await startWithRefusedLetters(3);
  await call(service, "/signups/undeliverable", { emails: ["visitor0@example.com"] });
  const ask = () => service.browser.send(PAGE, { action: "all", list: "refused" });
  const { html } = await ask();
  assert.match(html, /<li>E‑mails and events that are tried again: 2\.</);
  assert.match(
    textOf(html),
    /Also try e‑mails to addresses that are marked as undeliverable: 1 The marks are then/,
  );
  const fields = fieldsOf(html, "Try all again");
  const first = await service.browser.submit(PAGE, fields);
  assert.match(first.html, /role="status">Tried again now: 2\.</);
  assert.match((await service.browser.open(REFUSED)).html, /What was rejected \(1\)/);
  const second = await service.browser.submit(PAGE, { ...fields, marked: "yes" });
  assert.match(second.html, /role="status">Tried again now: 1\.</);
});

Deno.test("outboxPage shows why a refused invitation is not sent any more, and removes it when all are tried again", async () => {
  await using service = await startConsole(WITH_MAIL);
  await storeWaiting(service.kv, 2);
  await call(service, "/waves", { wave: "first", next: 2, link: LINK });
  const outbox = createOutboxStore(service.kv);
  const [first, second] = await readFirstItems(service.kv, "invitations", { limit: 2 });
  await outbox.refuseRecipient(first!, { at: START, reason: "550 no" });
  await outbox.postpone(second!, { ...second!.item, queue: "refused", dueAt: START });
  const { email } = first!.item;
  const { invitationCode } = await call<ShownSignup>(service, "/signups/show", { email });
  const redeemed = { code: invitationCode, reference: "account-1" };
  await call(service, "/invitations/redeem", redeemed);
  const { html } = await service.browser.open(REFUSED);
  assert.match(textOf(html), /550 no not needed any more: the person has accepted/);
  assert.deepEqual(idsOf(html), [second!.id]);
  const { html: question } = await service.browser.send(PAGE, { action: "all", list: "refused" });
  assert.match(question, /tried again: 1\.<[^]+not sent any more, and that leave the list: 1\.</);
  const retried = await service.browser.submit(PAGE, fieldsOf(question, "Try all again"));
  assert.match(retried.html, /role="status">Tried again now: 1\.<[^]+Nothing was rejected/);
  const log = await service.browser.open(`${PAGE}?list=log`);
  assert.match(textOf(log.html), /rejected, no new try follows, 21 Nov 2026, 12:00 /);
});
