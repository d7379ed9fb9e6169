import assert from "node:assert/strict";
import { ADA, startConsole, startWithAda, test } from "../../support/console.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { fieldsOf, textOf, urlsOf } from "../../support/console_forms.ts";
import { storedSignUps } from "../../support/records.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

const PERSON = "/operator/people/person/", CORRECT = "/operator/people/correct/";
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
