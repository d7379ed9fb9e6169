/** What the list of people shows of e-mails, and what an operator can do there about rejected e-mails. */
import assert from "node:assert/strict";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { type ConsoleService, follow, signIn, startConsole } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { OPERATOR_KEY, readAudit } from "../../../support/operator.ts";
import { join, onlyItem } from "../../../support/outbox.ts";
import { OUTBOX } from "../../../support/records.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const PEOPLE = "/operator/people/";
const CHOSEN = "/operator/people/chosen/";
const REJECTED = `${PEOPLE}?refusedLetter=yes`;

const ADA = "ada@example.com";
const BO = "bo@example.com";
const CY = "cy@example.com";

/** Rejects the confirmation of a person, because of its content or of its recipient. */
async function reject(
  { kv, clock }: ConsoleService,
  email: string,
  cause: "letter" | "recipient" = "letter",
): Promise<void> {
  const entry = await onlyItem(kv, email);
  const store = createOutboxStore(kv);
  const at = clock.now;
  if (cause === "recipient") {
    await store.refuseRecipient(entry, { at, reason: "550 no such mailbox" });
    return;
  }
  const refused = { queue: "refused", placedAt: at, dueAt: at, reason: "550 spam" } as const;
  await store.postpone(entry, { ...entry.item, tries: 1, ...refused });
}

/** Starts a console with three people, each of whom has a confirmation in the outbox. */
async function startWithThree(variables = {}): Promise<ConsoleService> {
  const service = await startConsole({ ...WITH_MAIL, ...variables });
  await join(service.kv, [ADA, BO, CY], { ...OUTBOX, sendsEvents: false });
  return service;
}

Deno.test("peoplePage marks people to whom an e-mail waits, and links to the list of what waits", async () => {
  await using service = await startWithThree();
  const { kv, browser } = service;
  await createOutboxStore(kv).complete(await onlyItem(kv, BO), START, {});
  await reject(service, CY);
  const { html } = await browser.open(PEOPLE);
  const text = textOf(html);
  assert.match(text, /ada@ example\.com Unconfirmed E‑mail waits 21 Nov/);
  assert.match(text, /bo@ example\.com Unconfirmed 21 Nov/);
  assert.match(text, /cy@ example\.com Unconfirmed E‑mail rejected 21 Nov/);
  const waiting = await follow(browser, html, "Waiting e‑mails and events");
  assert.match(textOf(waiting.html), /E‑mail: confirmation ada@ example\.com/);
  await createOutboxStore(kv).complete(await onlyItem(kv, ADA), START, {});
  assert.doesNotMatch((await browser.open(PEOPLE)).html, /E‑mail waits|Waiting e‑mails/);
});

Deno.test("peoplePage says of each rejected e-mail what it was, when and why, only in the list of people with such an e-mail", async () => {
  await using service = await startWithThree();
  await reject(service, ADA);
  await reject(service, BO, "recipient");
  const all = await service.browser.open(PEOPLE);
  assert.doesNotMatch(all.html, /550|Rejected e‑mail</);
  const text = textOf((await service.browser.open(REJECTED)).html);
  assert.match(text, /Address State Rejected e‑mail First sign-up/);
  assert.match(
    text,
    /ada@ example\.com Unconfirmed E‑mail rejected Confirmation, 21 Nov 2026, 12:00 550 spam Correct the address … 21 Nov/,
  );
  assert.match(
    text,
    /bo@ [^@]+ Confirmation, 21 Nov 2026, 12:00 550 no such mailbox Correct the address … 21 Nov/,
  );
  assert.doesNotMatch(text, /not in this list/, "no rejected e-mail waits");
  const { id } = await onlyItem(service.kv, ADA);
  await service.browser.send("/operator/outbox/", { action: "retry", id });
  assert.match(
    (await service.browser.open(REJECTED)).html,
    /Rejected e‑mails that wait for a new try: 1\. Their people are not in this list: <a href="\/operator\/outbox\/\?list=refused#rejected-waiting">/,
  );
  assert.doesNotMatch((await service.browser.open(PEOPLE)).html, /not in this list/);
});

Deno.test("chosenPeoplePage tries the rejected e-mails to the chosen people again, and writes an audit entry for each person", async () => {
  await using service = await startWithThree();
  const { kv, browser } = service;
  await reject(service, ADA);
  await reject(service, BO, "recipient");
  const { html } = await browser.open(REJECTED);
  assert.match(html, /<button name="act" value="retry">Try the e‑mails again …</);
  assert.doesNotMatch(html, /value="remind"/, "another confirmation helps nobody of the list");
  assert.match((await browser.open(PEOPLE)).html, /value="remind"/, "it helps the third person");
  assert.match(
    textOf(html),
    /If you try an e‑mail again, its address is no longer marked as undeliverable/,
  );
  const sent = { chosen_0: ADA, chosen_1: BO, chosen_2: CY, act: "retry" };
  const question = await browser.send(CHOSEN, { ...sent, list: "refusedLetter=yes" });
  assert.match(
    textOf(question.html),
    /Try the e‑mails again: 3 people\? .+ If the mail server rejects three e‑mails in a row, all e‑mails are paused\./,
  );
  const confirmed = fieldsOf(question.html, "Try the e‑mails again: 3 people");
  const tried = textOf((await browser.send(CHOSEN, confirmed)).html);
  assert.match(tried, /The e‑mails to 2 people are tried again\./);
  assert.match(tried, /Not done for .*cy@ example\.com No rejected e‑mail to this person can be/);
  for (const email of [ADA, BO]) assert.equal((await onlyItem(kv, email)).item.queue, "letters");
  const entries = (await readAudit(service)).filter(({ action }) => action === "retryOutbox");
  assert.equal(entries.length, 2);
  assert.equal(new Set(entries.map(({ address }) => address)).size, 2);
  assert.doesNotMatch((await browser.open(PEOPLE)).html, /value="retry"/);
});

Deno.test("chosenPeoplePage leads to the page of the only person whose e-mail is tried again, which says what becomes of it", async () => {
  await using service = await startWithThree();
  const { browser } = service;
  await reject(service, ADA);
  const sent = { chosen_0: ADA, act: "retry", confirmed: "yes" };
  const { html } = await browser.send(CHOSEN, sent);
  const [, path = ""] = /<a href="([^"]+done=retried)">/.exec(html) ?? [];
  const person = await browser.open(path.replaceAll("&amp;", "&"));
  assert.match(person.html, /role="status">The e‑mail is tried again now\./);
});

Deno.test("peoplePage does not offer to try e-mails again to a viewer", async () => {
  const key = `viewer-${OPERATOR_KEY}`;
  await using service = await startWithThree({ OPERATOR_KEYS: `vera:viewer=${key}` });
  await reject(service, ADA);
  const viewer = await signIn(service, key);
  const { html } = await viewer.open(REJECTED);
  assert.match(html, /550 spam/);
  assert.doesNotMatch(html, /value="(?:retry|all)"/);
  assert.equal((await viewer.send(CHOSEN, { chosen_0: ADA, act: "retry" })).status, 403);
});
