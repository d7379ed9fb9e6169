import assert from "node:assert/strict";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import type { WavePeople } from "../../../../shared/operator_schemas.ts";
import { startConsole } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { inviteAll, LINK, nth, storeWaiting } from "../../../support/invitations.ts";
import { reportLetter, SECRET } from "../../../support/mail_hooks.ts";
import { call } from "../../../support/operator.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const WAVE = "/operator/invite/wave/";

Deno.test("wavePage offers to send refused letters again only if it would send some, and otherwise says why not", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 2);
  await call(service, "/waves", { wave: "first", next: 2, link: LINK, letters: true });
  for (const letter of await readFirstItems(kv, "invitations", { limit: 2 })) {
    const refusedItem = { queue: "refused", placedAt: START, dueAt: START } as const;
    await createOutboxStore(kv).postpone(letter, { ...letter.item, ...refusedItem });
  }
  await call(service, "/signups/undeliverable", { emails: [nth(0), nth(1)] });
  const sendAgain = async () => {
    const { html } = await browser.open(`${WAVE}?id=first`);
    assert.doesNotMatch(html, /role="status"/);
    const fields = fieldsOf(html, "Send 1 rejected e‑mail again …");
    const { location } = await browser.send(WAVE, { ...fields, confirmed: "yes" });
    await service.repeatOnce();
    return await browser.open(location);
  };
  const blocked = await browser.open(`${WAVE}?id=first`);
  assert.doesNotMatch(blocked.html, />Send the rejected e‑mails again …</);
  assert.match(
    textOf(blocked.html),
    /2 rejected e‑mails cannot be sent again as they are \(marked as undeliverable\)\. Show people with a rejected e‑mail On the page of the person, correct the address/,
  );
  assert.match(
    blocked.html,
    /<a href="\/operator\/people\/\?wave=first&amp;refusedLetter=yes&amp;mark=undeliverable">Show people with a rejected e‑mail</,
  );
  assert.match(
    blocked.html,
    /<a href="\/operator\/people\/\?wave=first&amp;refusedLetter=yes">Only those with a rejected e‑mail</,
  );
  const none = await browser.send(WAVE, {
    id: "first",
    change: "resume",
    again: "yes",
    confirmed: "yes",
  });
  await service.repeatOnce();
  assert.match(
    (await browser.open(none.location)).html,
    /role="status">E‑mails put into the outbox again: 0\. Addresses that are undeliverable, or that reported spam, get no e‑mails\./,
  );
  await call(service, "/signups/deliverable", { emails: [nth(0)] });
  const some = await browser.open(`${WAVE}?id=first`);
  const notSentAgain =
    /1 other rejected e‑mail cannot be sent again as it is \(marked as undeliverable\)\./;
  assert.match(textOf(some.html), notSentAgain);
  const question = await browser.send(
    WAVE,
    fieldsOf(some.html, "Send 1 rejected e‑mail again …"),
  );
  assert.match(textOf(question.html), notSentAgain);
  const { html } = await sendAgain();
  assert.match(html, /role="status">E‑mails put into the outbox again: 1\.</);
  await call(service, "/waves/first/cancel", {});
  const cancelled = await browser.open(`${WAVE}?id=first&again=yes`);
  assert.doesNotMatch(cancelled.html, /E‑mails put into the outbox again/);
});

Deno.test("wavePage says for each reason how many rejected e‑mails are not sent again", async () => {
  await using service = await startConsole({ ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` });
  const { browser, kv } = service;
  await storeWaiting(kv, 5);
  await call(service, "/waves", { wave: "first", next: 5, link: LINK, letters: true });
  for (const letter of await readFirstItems(kv, "invitations", { limit: 5 })) {
    const refusedItem = { queue: "refused", placedAt: START, dueAt: START } as const;
    await createOutboxStore(kv).postpone(letter, { ...letter.item, ...refusedItem });
  }
  await call(service, "/signups/undeliverable", { emails: [nth(0)] });
  await reportLetter(service, "mail.complained", nth(1));
  await call(service, "/signups/erase", { email: nth(2) });
  const { people } = await call<WavePeople>(service, "/waves/first/people");
  const { invitationCode: code } = people.find(({ email }) => email === nth(3))!;
  await call(service, "/invitations/redeem", { code, reference: "user-3" });
  const { html } = await browser.open(`${WAVE}?id=first`);
  assert.match(
    textOf(html),
    /Send 1 rejected e‑mail again … .*4 other rejected e‑mails cannot be sent again as they are \(marked as undeliverable: 1, reported spam: 1, accepted or left the list: 2\)\. Show people with a rejected e‑mail/,
  );
});

Deno.test("wavePage names the reasons why rejected e‑mails of a large wave are not sent again, without numbers", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 801);
  await inviteAll(kv, { wave: "large", next: 801 });
  const [letter] = await readFirstItems(kv, "invitations", { limit: 1 });
  const refusedItem = { queue: "refused", placedAt: START, dueAt: START } as const;
  await createOutboxStore(kv).postpone(letter!, { ...letter!.item, ...refusedItem });
  await call(service, "/signups/undeliverable", { emails: [letter!.item.email] });
  assert.match(
    textOf((await browser.open(`${WAVE}?id=large`)).html),
    /1 rejected e‑mail cannot be sent again as it is \(marked as undeliverable, reported spam, accepted or left the list\)\./,
  );
});
