import assert from "node:assert/strict";
import { ADA, startConsole, startWithAda, test } from "../../support/console.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { fieldsOf, textOf, urlsOf } from "../../support/console_forms.ts";
import { storedSignUps } from "../../support/records.ts";
import { ndjson, START, WITH_MAIL } from "../../support/service.ts";

const PERSON = "/operator/people/person/", CORRECT = "/operator/people/correct/";
const RENEW = "/operator/people/renew/";
const NEW = "ada@example.org";
const AT = new Date(START).toISOString();

Deno.test("correctPersonPage asks for the address, says what follows, and corrects it then", async () => {
  await using service = await startConsole(WITH_MAIL);
  const proof = { requestedAt: AT, consentText: "c", confirmedAt: AT };
  await storeBulk(service.kv, [bulkSignUp("ada", { state: "waiting", proof })]);
  const { browser } = service;
  const page = await browser.submit(PERSON, ADA);
  const form = await browser.submit(CORRECT, fieldsOf(page.html, "Correct the address …"));
  const given = { ...fieldsOf(form.html, "Continue"), new_email: ` ${NEW} ` };
  const asked = await browser.submit(CORRECT, given);
  assert.match(textOf(asked.html), /ada@example\.com → ada@example\.org/);
  assert.match(asked.html, /kept as history.+asked to confirm.+keyed hash/s);
  assert.doesNotMatch(asked.html, /The code of the invitation/);
  assert.ok((await storedSignUps(service.kv))[ADA.email], "nothing is done yet");

  const done = await browser.submit(CORRECT, fieldsOf(asked.html, "Correct the address now"));
  assert.equal(done.status, 200);
  assert.match(done.html, /role="status">The address is corrected\./);
  assert.match(textOf(done.html), /Address corrected operator/);
  for (const url of urlsOf(done.html)) assert.doesNotMatch(url, /ada|@|%40/i);
  const { [NEW]: record, ...others } = await storedSignUps(service.kv);
  assert.deepEqual([record?.state, Object.keys(others)], ["unconfirmed", []]);
});

test("correctPersonPage keeps what was typed when the address cannot be taken", async (service) => {
  await storeBulk(service.kv, [bulkSignUp("ada", {}), bulkSignUp("bo", {})]);
  for (
    const [new_email, status, sentence] of [
      ["nothing", 400, "This is not a new e-mail address"],
      [ADA.email, 400, "This is not a new e-mail address"],
      ["bo@example.com", 409, "This address is on the list already"],
    ] as const
  ) {
    const fields = { ...ADA, new_email, confirmed: "yes" };
    const answer = await service.browser.send(CORRECT, fields);
    assert.equal(answer.status, status);
    assert.ok(answer.html.includes(`role="alert">${sentence}`));
    assert.ok(answer.html.includes(`value="${new_email}"`));
  }
  assert.equal(Object.keys(await storedSignUps(service.kv)).length, 2);
});

Deno.test("correctPersonPage says that somebody is not on the list any more, with 404", async () => {
  await using service = await startWithAda();
  const fields = { email: "nobody@example.com", new_email: NEW };
  assert.equal((await service.browser.submit(CORRECT, fields)).status, 404);
  const sent = { ...fields, confirmed: "yes" };
  assert.equal((await service.browser.send(CORRECT, sent)).status, 404);
});

test("personPage changes role and use case, and says what is wrong with them", async (service) => {
  const { browser, kv } = service;
  await storeBulk(kv, [
    bulkSignUp("ada", { role: "engineer" }),
    bulkSignUp("bo", { role: "lead" }),
  ]);
  const page = await browser.submit(PERSON, { ...ADA, role: "engineer" });
  assert.match(page.html, /value="engineer" list="new_role-known"/);
  assert.match(page.html, /<option value="engineer">\n<option value="lead"><\/datalist>/);
  const fields = fieldsOf(page.html, "Save both");
  const answers = { new_role: " lead ", new_building: "" };
  const done = await browser.submit("/operator/people/answers/", { ...fields, ...answers });
  assert.match(done.html, /role="status">Role and use case are changed\./);
  assert.match(textOf(done.html), /Changed role or use case operator/);
  assert.equal((await storedSignUps(kv))[ADA.email]?.role, "lead");
  // The list that led there is as it was.
  assert.equal(fieldsOf(done.html, "Back to the list").role, "engineer");
  const bad = await browser.send("/operator/people/answers/", {
    ...fields,
    ...answers,
    new_role: "A B",
  });
  assert.equal(bad.status, 400);
  assert.match(bad.html, /role="alert">Nothing was changed\.[^]+value="A B"/);
});

test("renewPersonPage lets an invitation that is over be accepted again, until the day that is given", async (service) => {
  const { browser, operate, clock } = service;
  const at = new Date(clock.now).toISOString();
  const person = { ...ADA, consentedAt: at };
  assert.equal((await operate("/signups/import", undefined, ndjson([person]))).status, 200);
  const open = () => browser.submit(PERSON, ADA);
  const wave = { wave: "first", emails: [ADA.email], link: "https://app.example.com/{code}" };
  const expires = new Date(clock.now + 60_000).toISOString();
  await operate("/waves", { ...wave, letters: false, expires });
  clock.now += 120_000;
  const { html } = await open();
  const { code = "" } = fieldsOf(html, "Renew the invitation");
  const redeem = () => operate("/invitations/redeem", { code, reference: "user-1" });
  assert.equal((await redeem()).status, 410);

  const fields = { ...ADA, code };
  const over = await browser.send(RENEW, { ...fields, expires: "2026-11-20" });
  assert.equal(over.status, 400);
  assert.match(
    over.html,
    /role="alert">The day until which the invitations hold must not be over\./,
  );
  const done = await browser.submit(RENEW, { ...fields, expires: "2026-12-31" });
  assert.match(done.html, /role="status">The invitation is renewed\./);
  assert.match(textOf(done.html), /Invitation holds until 1 Jan 2027, 00:00/);
  assert.equal((await redeem()).status, 200);
  assert.doesNotMatch((await open()).html, /Renew the invitation/);
  const gone = await browser.send(RENEW, { ...fields, code: "none", expires: "2026-12-31" });
  assert.equal(gone.status, 404);
});
