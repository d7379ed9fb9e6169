import assert from "node:assert/strict";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import {
  ADA,
  openPerson,
  personPath,
  startConsole,
  startWithAda,
  test,
} from "../../../support/console.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import { fieldsOf, textOf, urlsOf } from "../../../support/console_forms.ts";
import { onlyItem } from "../../../support/outbox.ts";
import { importPeople } from "../../../support/operator.ts";
import { storedSignUps } from "../../../support/records.ts";
import { json, START, WITH_MAIL } from "../../../support/service.ts";

const NEW = "ada@example.org";
const AT = new Date(START).toISOString();

Deno.test("correctAddressPage shows the consequences of a correction before it corrects the address", async () => {
  await using service = await startConsole(WITH_MAIL);
  const proof = { requestedAt: AT, consentText: "c", confirmedAt: AT };
  await storeBulk(service.kv, [bulkSignUp("ada", { state: "waiting", proof })]);
  const { browser } = service;
  const path = await personPath(browser, ADA.email);
  const page = await browser.open(path);
  const correct = `${path}/correct`;
  assert.ok(page.html.includes(`href="${correct}">Correct the address …</a>`));
  const form = await browser.open(correct);
  assert.match(textOf(form.html), /Correct the address ada@example\.com/);
  assert.match(form.html, /kept as history.+asked to confirm.+keyed hash/s);
  assert.doesNotMatch(form.html, /The code of the invitation/);
  assert.match(form.html, /name="new_email"[^>]* value="ada@example\.com"/);

  const given = { ...fieldsOf(form.html, "Correct the address now"), new_email: ` ${NEW} ` };
  const done = await browser.submit(correct, given);
  assert.equal(done.status, 200);
  assert.match(done.html, /role="status">The address is corrected\./);
  assert.match(done.html, /http-equiv="refresh"/, "until the e-mail to the new address is sent");
  assert.match(textOf(done.html), /Without a confirmation, erased after 5 Dec 2026, 12:00/);
  assert.match(textOf(done.html), /Address corrected operator/);
  for (const url of urlsOf(done.html)) assert.doesNotMatch(url, /@|%40/i);
  const { [NEW]: record, ...others } = await storedSignUps(service.kv);
  assert.deepEqual([record?.state, Object.keys(others)], ["unconfirmed", []]);
});

Deno.test("correctAddressPage keeps the e-mails to the earlier address in the history and in the table of e-mails, and marks them", async () => {
  await using service = await startConsole(WITH_MAIL);
  await service.request("/api/v1/waitlist", json({ email: ADA.email, consent: true }));
  const item = await onlyItem(service.kv, ADA.email);
  const refusal = { at: START, reason: "550 no such mailbox" };
  await createOutboxStore(service.kv).refuseRecipient(item, refusal);
  service.clock.now += 60_000;
  const path = await personPath(service.browser, ADA.email);
  const rejected = await service.browser.open(path);
  const reason = /rejected the e‑mail that asks this person to confirm: 550 no such mailbox/;
  assert.match(textOf(rejected.html), reason);
  const done = await service.browser.submit(`${path}/correct`, { new_email: NEW });
  assert.doesNotMatch(textOf(done.html), reason);
  const text = textOf(done.html);
  assert.match(text, /rejected for good \(to an earlier address\) 550 no such mailbox/);
  assert.match(
    text,
    /(?<!: )Confirmation \(to an earlier address\) 21 Nov 2026, [\d:]+ rejected for good/,
  );
  const log = await service.browser.open("/operator/outbox/?list=log");
  assert.match(textOf(log.html), / Confirmation \(to an earlier address\) /);
});

test(
  "correctAddressPage keeps the typed address and shows the reason when it refuses the address",
  async (service, t) => {
    await storeBulk(service.kv, [bulkSignUp("ada", {}), bulkSignUp("bo", {})]);
    const correct = `${await personPath(service.browser, ADA.email)}/correct`;
    for (
      const [new_email, status, sentence] of [
        ["nothing", 400, "This is not a new e‑mail address"],
        [ADA.email, 400, "This is not a new e‑mail address"],
        ["bo@example.com", 409, "This address is on the list already"],
      ] as const
    ) {
      await t.step(new_email, async () => {
        const answer = await service.browser.send(correct, { new_email });
        assert.equal(answer.status, status);
        assert.ok(answer.html.includes(`role="alert">${sentence}`));
        assert.ok(answer.html.includes(`value="${new_email}"`));
        if (status !== 409) return;
        const [, path = ""] = /href="([^"]+)">Look for this address</.exec(answer.html) ?? [];
        const found = await service.browser.open(path.replaceAll("&amp;", "&"));
        assert.match(found.html, /<table.*>bo@<wbr>example\.com</s);
      });
    }
    assert.equal(Object.keys(await storedSignUps(service.kv)).length, 2);
  },
);

Deno.test("correctAddressPage answers 404 when the person is no longer on the list", async () => {
  await using service = await startWithAda();
  const correct = `${await personPath(service.browser, ADA.email)}/correct`;
  await (await service.operate("/signups/erase", ADA)).body?.cancel();
  assert.equal((await service.browser.open(correct)).status, 404);
  const sent = { new_email: NEW };
  assert.equal((await service.browser.send(correct, sent)).status, 404);
});

test("personPage changes the role and the use case of a person, and names the fault when a value is wrong", async (service) => {
  const { browser, kv } = service;
  await storeBulk(kv, [
    bulkSignUp("ada", { role: "engineer" }),
    bulkSignUp("bo", { role: "lead" }),
  ]);
  const path = await personPath(browser, ADA.email);
  const page = await browser.open(path);
  assert.match(page.html, /value="engineer" list="new_role-known"/);
  assert.match(page.html, /<option value="engineer">\n<option value="lead"><\/datalist>/);
  const fields = fieldsOf(page.html, "Save both");
  const answers = { new_role: " lead ", new_building: "" };
  const done = await browser.submit(path, { ...fields, ...answers });
  assert.match(done.html, /role="status">Role and use case are changed\./);
  assert.match(textOf(done.html), /Changed role or use case operator/);
  assert.equal((await storedSignUps(kv))[ADA.email]?.role, "lead");
  const bad = await browser.send(path, {
    ...fields,
    ...answers,
    new_role: "A B",
  });
  assert.equal(bad.status, 400);
  assert.match(bad.html, /role="alert">Nothing was changed\.[^]+value="A B"/);
});

test("personPage renews an expired invitation with the given day as its new last day", async (service) => {
  const { browser, operate, clock } = service;
  const at = new Date(clock.now).toISOString();
  await importPeople(service, [{ ...ADA, consentedAt: at }]);
  const open = () => openPerson(browser, ADA.email);
  const wave = { wave: "first", emails: [ADA.email], link: "https://app.example.com/{code}" };
  const expires = new Date(clock.now + 60_000).toISOString();
  await operate("/waves", { ...wave, letters: false, expires });
  clock.now += 120_000;
  const { html } = await open();
  const fields = fieldsOf(html, "Renew the invitation");
  const path = await personPath(browser, ADA.email);
  const [, code] = /<dt>Invitation code<\/dt><dd><code>([^<]+)</.exec(html)!;
  const redeem = () => operate("/invitations/redeem", { code, reference: "user-1" });
  assert.equal((await redeem()).status, 410);

  const over = await browser.send(path, { ...fields, expires: "2026-11-20" });
  assert.equal(over.status, 400);
  assert.match(
    over.html,
    /role="alert">The last day of the invitations must not be in the past\./,
  );
  const done = await browser.submit(path, { ...fields, expires: "2026-12-31" });
  assert.match(done.html, /role="status">The invitation is renewed\./);
  assert.match(textOf(done.html), /Invitation valid until the end of 31 Dec 2026/);
  assert.equal((await redeem()).status, 200);
  assert.doesNotMatch((await open()).html, /Renew the invitation/);
});
