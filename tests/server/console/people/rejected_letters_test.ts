import assert from "node:assert/strict";
import type { ServiceVariables } from "../../../../server/config/mod.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { createMailState } from "../../../../server/store/outbox/mod.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import {
  ADA,
  type ConsoleService,
  follow,
  openPerson,
  personPath,
  signIn,
  startConsole,
  startWithAda,
} from "../../../support/console.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { LINK } from "../../../support/invitations.ts";
import { OPERATOR_KEY } from "../../../support/operator.ts";
import { onlyItem } from "../../../support/outbox.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const REASON = "550 no such mailbox";

const RELOADING = /http-equiv="refresh" content="2"/;

/** Rejects the only e-mail to Ada because of its content or its recipient. */
async function reject(
  { kv, clock }: ConsoleService,
  cause: "letter" | "recipient",
  reason = REASON,
): Promise<void> {
  const entry = await onlyItem(kv, ADA.email);
  const store = createOutboxStore(kv);
  const at = clock.now;
  if (cause === "recipient") await store.refuseRecipient(entry, { at, reason });
  else {
    const refused = { queue: "refused", placedAt: at, dueAt: at, reason } as const;
    await store.postpone(entry, { ...entry.item, tries: 1, ...refused });
  }
}

/** Starts a console with a person whose confirmation letter was rejected. */
async function startRejected(
  cause: "letter" | "recipient",
  variables: ServiceVariables = {},
): Promise<ConsoleService> {
  const service = await startWithAda({ ...WITH_MAIL, ...variables });
  await reject(service, cause);
  return service;
}

/** Presses the button that tries the rejected letter again, and gives the page after this. */
async function retry({ browser }: ConsoleService) {
  const { html } = await openPerson(browser, ADA.email);
  const path = await personPath(browser, ADA.email);
  return await browser.submit(path, fieldsOf(html, "Try again now"));
}

/** Changes the only item of the person, as the worker of the outbox does. */
async function changeItem({ kv }: ConsoleService, change: Partial<OutboxItem>): Promise<void> {
  const entry = await onlyItem(kv, ADA.email);
  await createOutboxStore(kv).postpone(entry, { ...entry.item, ...change });
}

Deno.test("personPage gives one sentence and one button for the rejected confirmation of an unconfirmed person", async () => {
  await using service = await startRejected("letter");
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(
    textOf(html),
    /rejected the e‑mail that asks this person to confirm: 550 no such mailbox Rejected at 21 Nov 2026, 12:00\. Mend what the answer names, [^.]+, and try the e‑mail again\. Try again now Correct the address … Mark/,
  );
  assert.match(html, /<span class="badge bad">E‑mail rejected<\/span><\/h1>/);
  assert.equal(html.split(">Try again now<").length, 2);
  assert.equal(html.split("Correct the address …<").length, 2);
  assert.doesNotMatch(html, /cannot be sent again|>Send the confirmation again</);
  assert.doesNotMatch(html, /lifts the mark|Let e‑mails go there again/);
});

Deno.test("personPage says above the facts what became of the last confirmation e-mail of an unconfirmed person", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const { kv, browser, clock } = service;
  const shown = async () => textOf((await openPerson(browser, ADA.email)).html);
  assert.match(await shown(), / What is kept Latest confirmation e‑mail waiting, to be tried now /);
  await createOutboxStore(kv).complete(await onlyItem(kv, ADA.email), clock.now, {});
  assert.match(
    await shown(),
    / What is kept Latest confirmation e‑mail accepted by the mail server, 21 Nov 2026, 12:00 /,
  );
});

Deno.test("personPage gives the reason of a rejection in the warning and in the history only", async () => {
  await using service = await startRejected("letter");
  const { html } = await openPerson(service.browser, ADA.email);
  assert.equal(html.split(REASON).length, 3);
  assert.match(textOf(html), / Confirmation 21 Nov 2026, 12:00 rejected for good, 21 Nov/);
});

Deno.test("personPage says that a new try lifts the mark only when the person has the mark as undeliverable", async () => {
  await using service = await startRejected("recipient");
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(
    html,
    /‘Try again now’ also lifts the mark as undeliverable\. ‘Let e‑mails go there again’ only lifts the mark, and this e‑mail is not sent again\./,
  );
  assert.match(
    textOf(html),
    /Correct the address if it is wrong\. If the reason is gone, try [^]+ Correct the address … Try again now /,
  );
  assert.match(html, /Let e‑mails go there again/);
  const retried = await retry(service);
  assert.doesNotMatch(retried.html, /lifts the mark|Let e‑mails go there again/);
});

Deno.test("personPage advises to correct the address after the answer that there is no such mailbox, also without the mark", async (t) => {
  const cases: [string, "recipient" | "letter", RegExp][] = [
    [
      "550 5.1.1 no such mailbox",
      "recipient",
      /Correct the address if it is wrong\. If the reason/,
    ],
    ["550 5.2.1 disabled", "letter", /Correct the address if it is wrong\. If the reason is gone/],
    ["550 5.7.1 not wanted", "letter", /12:00\. Mend what the answer names, /],
  ];
  for (const [answer, cause, advice] of cases) {
    await t.step(answer, async () => {
      await using service = await startWithAda(WITH_MAIL);
      await reject(service, cause, answer);
      const { email } = ADA;
      const correctsFirst = advice.source.startsWith("Correct");
      for (const isMarked of [true, false]) {
        const path = isMarked ? "/signups/undeliverable" : "/signups/deliverable";
        await service.operate(path, { emails: [email] });
        const { html } = await openPerson(service.browser, email);
        assert.match(textOf(html), advice, `marked: ${isMarked}`);
        assert.equal(html.includes('<a class="button primary"'), correctsFirst);
      }
    });
  }
});

Deno.test("personPage shows a viewer the rejection without buttons", async () => {
  const key = `viewer-${OPERATOR_KEY}`;
  await using service = await startRejected("letter", { OPERATOR_KEYS: `vera:viewer=${key}` });
  const { html } = await openPerson(await signIn(service, key), ADA.email);
  assert.match(
    textOf(html),
    /to confirm: 550 no such mailbox Rejected at 21 Nov 2026, 12:00\. What is kept/,
  );
  assert.doesNotMatch(html, /try the e‑mail again|>Try again now|Correct the address/);
});

Deno.test("personPage loads again after a new try until the mail server has taken the e-mail", async () => {
  await using service = await startRejected("letter");
  const { kv, clock } = service;
  const path = await personPath(service.browser, ADA.email);
  const retried = await retry(service);
  assert.match(retried.html, /role="status">The e‑mail is tried again now\./);
  assert.match(retried.html, RELOADING);
  assert.match(
    textOf(retried.html),
    / Confirmation 21 Nov 2026, 12:00 waiting, to be tried now Last answer: 550 no such/,
  );
  assert.doesNotMatch(retried.html, /rejected the e‑mail that asks|cannot be sent again yet/);
  assert.doesNotMatch(
    retried.html,
    /rejected( for good|, with a new try| before a new try), /,
    "the row says what becomes of the e-mail",
  );
  const [, still = ""] = /<a href="([^"]+)">Stop loading it again</.exec(retried.html) ?? [];
  assert.doesNotMatch((await service.browser.open(still.replaceAll("&amp;", "&"))).html, RELOADING);

  const entry = await onlyItem(kv, ADA.email);
  const store = createOutboxStore(kv);
  const claimed = await store.claim(entry, { at: clock.now, until: clock.now + 300_000 });
  const reload = () => service.browser.open(`${path}?done=retried`);
  assert.match((await reload()).html, RELOADING, "while a process sends the e-mail");
  clock.now += 1_000;
  await store.complete(claimed!, clock.now, { mailAnswer: { answer: "250 OK" } });
  const { html } = await reload();
  assert.match(textOf(html), /E‑mail: confirmation – accepted by the mail server, 21 Nov 2026/);
  assert.doesNotMatch(html, /http-equiv="refresh"|tried again now/);
});

Deno.test("personPage shows the warning again when the new try was rejected, and the next try when it failed for now", async (t) => {
  const cases: [string, Partial<OutboxItem>, RegExp][] = [
    [
      "rejected",
      { queue: "refused", reason: "554 spam", placedAt: START + 120_000 },
      /confirm: 554 spam Rejected at 21 Nov 2026, 12:02, after operator tried it again at 21 Nov 2026, 12:01\. Correct/,
    ],
    [
      "failed for now",
      { tries: 1, dueAt: START + 120_000 + 20_000, reason: "451 later" },
      /confirm: 451 later It was not accepted either when operator tried it again at 21 Nov 2026, 12:01\. The next try comes by itself in 80 seconds, and the last one at /,
    ],
  ];
  for (const [name, change, text] of cases) {
    await t.step(name, async () => {
      await using service = await startRejected("letter");
      service.clock.now += 60_000;
      await retry(service);
      const path = await personPath(service.browser, ADA.email);
      await changeItem(service, change);
      const { html } = await service.browser.open(`${path}?done=retried`);
      assert.match(textOf(html), text);
      assert.doesNotMatch(html, /http-equiv="refresh"|tried again now/);
    });
  }
});

Deno.test("personPage loads again every minute once an e-mail has been due for a minute, and not after an hour", async () => {
  await using service = await startRejected("letter");
  const path = await personPath(service.browser, ADA.email);
  await retry(service);
  const reload = () => service.browser.open(`${path}?done=retried`);
  service.clock.now += 61_000;
  assert.match((await reload()).html, /http-equiv="refresh" content="60"/);
  service.clock.now += 3_600_000;
  const { html } = await reload();
  assert.match(html, /The e‑mail is tried again now\./);
  assert.doesNotMatch(html, /http-equiv="refresh"/);
});

Deno.test("personPage says of an e-mail that waits that it goes out after the pause, and how long the pause lasts, when all e-mails are paused", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const pause = { at: START, reason: "421 busy", causedBy: [], delayOf: () => 60_000 };
  await createMailState(service.kv).pause(pause);
  service.clock.now += 21_000;
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(
    html,
    /class="warning">The e‑mail that asks this person to confirm waits\. It goes out after the pause of all e‑mails\. The pause lasts at least until 21 Nov 2026, 12:01; for the reason, see <a href="\/operator\/outbox\/">/,
  );
  assert.doesNotMatch(html, /421 busy|have been paused since/);
  assert.match(textOf(html), / waiting, to be tried after the pause of all e‑mails /);
  assert.doesNotMatch(html, /to be tried now/);
  await createMailState(service.kv).endWait(service.clock.now);
  const tested = await openPerson(service.browser, ADA.email);
  assert.match(
    textOf(tested.html),
    / The next test of the pause is due now or under way; for the /,
  );
  const outbox = await service.browser.open("/operator/outbox/");
  assert.doesNotMatch(outbox.html, /first is to be sent at/);
});

Deno.test("personPage says after a new try and after a correction that the e-mail goes out after the pause, and does not load again, while all e-mails are paused", async () => {
  await using service = await startRejected("letter");
  const { kv, browser, clock } = service;
  const delayOf = () => 600_000;
  await createMailState(kv).pause({ at: START, reason: "421 busy", causedBy: [], delayOf });
  clock.now += 1_000;
  const retried = await retry(service);
  assert.match(
    textOf(retried.html),
    /The service tests now whether the mail server accepts e‑mails again\. The e‑mail to this person goes out after the pause of all e‑mails\. .+ The next test of the pause is due now or under way;/,
  );
  assert.doesNotMatch(retried.html, /http-equiv="refresh"|tried again now/);
  const { pause } = await createMailState(kv).read() ?? {};
  assert.equal(pause?.until, clock.now, "the retry ends the wait of the pause");

  clock.now += 1_000;
  const path = await personPath(browser, ADA.email);
  const corrected = await browser.submit(`${path}/correct`, { new_email: "bo@example.com" });
  assert.match(
    textOf(corrected.html),
    /The address is corrected\. The e‑mail to this person goes out after the pause of all e‑mails\. /,
  );
  assert.doesNotMatch(corrected.html, /http-equiv="refresh"/);

  // The worker has begun to send this e-mail as the test of the pause.
  const store = createOutboxStore(kv);
  const request = { limit: 1, perMinute: 300, now: () => clock.now };
  const { letters: [test] = [] } = await store.permitLetters(request) ?? {};
  await store.claimLetter(test!, { at: clock.now, until: clock.now + 300_000 });
  const reloaded = await browser.open(`${path}?done=retried`);
  assert.match(reloaded.html, RELOADING);
  assert.match(reloaded.html, /The e‑mail is tried again now\./);
});

Deno.test("personPage gives no next try for a rejected e-mail to an earlier address", async () => {
  await using service = await startRejected("letter");
  service.clock.now += 60_000;
  const newEmail = "bo@example.com";
  await service.operate("/signups/correct", { email: ADA.email, newEmail });
  const text = textOf((await openPerson(service.browser, newEmail)).html);
  assert.match(
    text,
    /Confirmation \(to an earlier address\) 21 Nov 2026, 12:00 rejected for good[^;]+$/,
  );
});

Deno.test("peoplePage marks a person whose e-mail was rejected, links to a list of only such people, and from there to the rejected e-mails", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const { browser } = service;
  const before = await browser.open("/operator/people/");
  assert.doesNotMatch(before.html, /People with a rejected|badge bad/);
  await reject(service, "letter");
  await storeBulk(service.kv, [bulkSignUp("bo")]);
  const { html } = await browser.open("/operator/people/");
  assert.match(textOf(html), /ada@ example\.com Unconfirmed E‑mail rejected 21 Nov/);
  const people = await follow(browser, html, "People with a rejected e‑mail");
  assert.match(textOf(people.html), /Found: 1 .*ada@ example\.com Unconfirmed E‑mail rejected/);
  assert.doesNotMatch(people.html, /bo@/);
  assert.match(people.html, /<details open>.* name="refusedLetter" value="yes" checked>/s);
  const saved = await browser.submit("/operator/people/filters/", {
    ...fieldsOf(people.html, "Save"),
    name: "Mend",
  });
  const again = await follow(browser, saved.html, "Mend");
  assert.match(textOf(again.html), /Found: 1 /);
  const filters = await follow(browser, again.html, "Remove saved filters");
  assert.match(textOf(filters.html), /E‑mail rejected: yes/);
  const rejected = await follow(
    browser,
    people.html,
    "Open the rejected e‑mails on the page ‘E‑mails and events’",
  );
  assert.match(textOf(rejected.html), /E‑mail: confirmation ada@ example\.com/);
});

Deno.test("wavePage marks a person whose invitation was rejected", async () => {
  await using service = await startConsole(WITH_MAIL);
  await storeBulk(service.kv, [bulkSignUp("ada"), bulkSignUp("bo")]);
  const emails = [ADA.email, "bo@example.com"];
  await service.operate("/waves", { wave: "first", emails, link: LINK });
  await reject(service, "recipient");
  const { html } = await service.browser.open("/operator/invite/wave/?id=first");
  assert.match(textOf(html), /ada@ example\.com Invited Undeliverable E‑mail rejected 21 Nov/);
  assert.match(textOf(html), /bo@ example\.com Invited E‑mail waits 21 Nov/);
});
