import assert from "node:assert/strict";
import type { SendOutcome } from "../../../../server/letters/letter.ts";
import { signIn, startConsole } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { startWorker } from "../../../support/outbox_worker.ts";
import { signUp, WITH_MAIL } from "../../../support/service.ts";

const PAGE = "/operator/outbox/";

Deno.test("outboxPage says that the test of a pause has failed, with the answer and the end of the wait, and leaves the tries of other e-mails as they are", async () => {
  await using service = await startConsole(WITH_MAIL);
  for (let n = 0; n < 3; n++) await signUp(service, `visitor${n}@example.com`);
  const worker = startWorker(service.kv, service.clock, {
    send: () => ({ kind: "refused_letter", reason: "550 5.7.1 policy" }),
  });
  await worker.round();
  service.clock.now += 1_000;
  const { html } = await service.browser.open(PAGE);
  const sent = await service.browser.send(PAGE, fieldsOf(html, "Test with one e‑mail now"));
  await worker.round();
  const failed = textOf((await service.browser.open(sent.location)).html);
  assert.match(
    failed,
    /The mail server did not accept the test e‑mail at 21 Nov 2026, 12:00 UTC \(550 5\.7\.1 policy\)\. The pause goes on until 21 Nov 2026, 12:01 UTC\. The test e‑mail was for: visitor\d@ example\.com /,
  );
  assert.match(
    failed,
    /visitor\d@ example\.com after the pause 1 .+ after the pause 1 .+ 12:05 2 /,
  );
  assert.match(
    textOf((await service.browser.open("/operator/activity/")).html),
    /Tested whether e‑mails go out again the pause of all e‑mails operator tested with one e‑mail/,
  );
  assert.equal(
    (await service.browser.send(PAGE, { action: "end_wait" })).location.includes("ended"),
    true,
  );
});

Deno.test("outboxPage says that the test of a pause has no outcome yet when the mail server has put the test e-mail off", async () => {
  await using service = await startConsole(WITH_MAIL);
  for (let n = 0; n < 3; n++) await signUp(service, `visitor${n}@example.com`);
  let outcome: SendOutcome = { kind: "refused_letter", reason: "550 5.7.1 policy" };
  const worker = startWorker(service.kv, service.clock, { send: () => outcome });
  await worker.round();
  service.clock.now += 1_000;
  const sent = await service.browser.send(PAGE, { action: "end_wait" });
  outcome = { kind: "try_later", reason: "452 4.2.2 mailbox full" };
  await worker.round();
  assert.match((await service.browser.open(sent.location)).html, /The service tests now whether/);
  service.clock.now += 76_000;
  const { html } = await (await signIn(service)).open(sent.location);
  assert.match(html, /The test has no outcome yet: the mail server has put the test e‑mail off/);
  assert.doesNotMatch(html, /http-equiv="refresh"/);
});
