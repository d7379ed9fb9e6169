import assert from "node:assert/strict";
import { LEASE_MS } from "../../../../server/letters/mod.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { createMailState } from "../../../../server/store/outbox/mod.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { follow, signIn, startConsole } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { refuseDue } from "../../../support/outbox.ts";
import { startWorker } from "../../../support/outbox_worker.ts";
import { signUp, START, WITH_MAIL } from "../../../support/service.ts";

const PAGE = "/operator/outbox/";

/** Pauses all letters for a minute. */
async function pauseLetters(kv: Kv, reason: string): Promise<void> {
  const pause = { at: START, reason, causedBy: [], delayOf: () => 60_000 };
  await createMailState(kv).pause(pause);
}

Deno.test("outboxPage explains a pause after three rejections, lists the rejected e-mails with their answers among the rejected ones, and ends the wait", async () => {
  await using service = await startConsole(WITH_MAIL);
  for (let n = 0; n < 4; n++) await signUp(service, `visitor${n}@example.com`);
  const reasons = ["550 5.1.1 no such user", "550 5.1.1 no such user", "550 5.7.1 policy"];
  const worker = startWorker(service.kv, service.clock, {
    perMinute: 60,
    send: () => {
      const reason = reasons.shift();
      return reason === undefined ? { kind: "taken" } : { kind: "refused_letter", reason };
    },
  });
  for (let round = 0; round < 3; round++) {
    await worker.round();
    service.clock.now += 1_000;
  }
  const { html } = await service.browser.open(PAGE);
  const text = textOf(html);
  assert.match(
    text,
    /3 e-mails in a row were rejected, [^’]+’ Rejected e‑mails that wait for a new try: 550 5\.1\.1 no such user : 2 550 5\.7\.1 policy : 1 Correct wrong addresses, or ask your mail provider\. Then test\. Test with one e‑mail now If the mail server accepts it, all e‑mails go out again\. /,
  );
  const rejected = await follow(service.browser, html, "550 5\\.7\\.1 policy");
  assert.match(html, /<a href="[^"]+\?list=refused#rejected-waiting">550 5\.7\.1 policy</);
  assert.match(rejected.html, /<div id="rejected-waiting">/);
  assert.match(
    textOf(rejected.html),
    /What was rejected \(0\) .+ Rejected e‑mails that wait for a new try, the newest first: 3 .+ Confirmation visitor\d@ example\.com .+ next try: after the pause 550 5\.\d\.1 [a-z ]+ Correct the address … Nothing was rejected for good\./,
  );
  const waiting = textOf((await service.browser.open(`${PAGE}?list=waiting`)).html);
  assert.match(waiting, /visitor\d@ example\.com after the pause 1 /);
  assert.equal(
    waiting.match(/ 550 5\.\d\.1 [a-z ]+ Correct the address …/g)?.length,
    3,
    "the fourth e-mail was not tried yet",
  );
  assert.doesNotMatch(waiting, /due now or soon/);
  const sent = await service.browser.send(PAGE, fieldsOf(html, "Test with one e‑mail now"));
  assert.match(sent.location, /\?ended=yes&at=\d+$/);
  const after = await service.browser.open(sent.location);
  assert.match(after.html, /role="status">The service tests now whether the mail server accepts/);
  assert.match(after.html, /<meta http-equiv="refresh" content="2">/);
  assert.match(after.html, /The next try is due now or under way\./);
  assert.doesNotMatch(after.html, />Test with one e‑mail now</);
  await worker.round();
  const ended = await service.browser.open(sent.location);
  assert.doesNotMatch(ended.html, /have been paused|http-equiv="refresh"/);
  assert.match(
    textOf(ended.html),
    /The mail server accepted the test e‑mail at 21 Nov 2026, 12:00 UTC\. E‑mails go out again, also those that were rejected and wait\. If three in a row are rejected, all e‑mails pause again\. The test e‑mail was for: visitor\d@ example\.com /,
  );
  service.clock.now += 11 * 60_000;
  const later = await (await signIn(service)).open(sent.location);
  assert.doesNotMatch(later.html, /The mail server accepted the test/);
});

Deno.test("outboxPage says since when and for which noted reason all letters are paused, and which one is the next test if only one can be it", async () => {
  await using service = await startConsole(WITH_MAIL);
  await pauseLetters(service.kv, "Greeting <never> received");
  await signUp(service, "ada@example.com");
  const { html } = await service.browser.open(PAGE);
  assert.match(textOf(html), / As it stands now, it goes to: ada@ example\.com /);
  await signUp(service, "bo@example.com");
  assert.doesNotMatch((await service.browser.open(PAGE)).html, /As it stands now/);
  service.clock.now += 60_000;
  const work = createOutboxStore(service.kv);
  const { letters: [test] = [] } = await work.permitLetters({
    limit: 1,
    perMinute: 300,
    now: () => service.clock.now,
  }) ?? {};
  const lease = { at: service.clock.now, until: service.clock.now + LEASE_MS };
  await work.claimLetter(test!, lease);
  const tested = await (await signIn(service)).open(PAGE);
  assert.match(tested.html, /The next try is due now or under way/);
  assert.doesNotMatch(tested.html, /As it stands now/, "the other e-mail is not the test");
  assert.match(
    html,
    /<div class="warning">\n<p>All e‑mails have been paused since 21 Nov 2026, 12:00 UTC\. The next try is at 21 Nov 2026, 12:01 UTC\. The service noted this reason: ‘Greeting &lt;never&gt; received’<\/p>/,
  );
});

Deno.test("outboxPage advises during a pause to correct addresses only if it shows answers", async () => {
  await using service = await startConsole(WITH_MAIL);
  await pauseLetters(service.kv, "connection refused");
  const { html } = await service.browser.open(PAGE);
  assert.match(textOf(html), /’ Mend what the reason names\. Then test\. Test with one e‑mail now/);
  assert.doesNotMatch(html, /Correct wrong addresses/);
});

Deno.test("outboxPage marks the number of an answer with a plus during a pause when more rejected e-mails wait than it reads", async () => {
  await using service = await startConsole(WITH_MAIL);
  const people = 51;
  for (let n = 0; n < people; n++) await signUp(service, `visitor${n}@example.com`);
  await refuseDue(service.kv, "letters", { limit: people, reason: "550 5.7.1 policy" });
  await service.browser.send(PAGE, { action: "all", confirmed: "yes" });
  await pauseLetters(service.kv, "connection refused");
  const { html } = await service.browser.open(PAGE);
  assert.match(textOf(html), /550 5\.7\.1 policy : 50\+ Correct wrong addresses/);
});
