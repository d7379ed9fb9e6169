import assert from "node:assert/strict";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { ADA, startConsole, startWithAda, test } from "../../support/console.ts";
import { fieldsOf, textOf } from "../../support/console_forms.ts";
import { storedSignUps } from "../../support/records.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

const PERSON = "/operator/people/person/", INVITE = "/operator/people/invite/";
const AT = new Date(START).toISOString();

Deno.test("invitePersonPage asks for the link, and gives it when there is no mail", async () => {
  await using service = await startWithAda();
  const page = await service.browser.submit(PERSON, ADA);
  const asked = await service.browser.submit(
    INVITE,
    fieldsOf(page.html, "Invite …"),
  );
  assert.match(asked.html, /The service sends no letters, as MAIL_URL is not set/);
  const fields = fieldsOf(asked.html, "Invite");
  const wrong = await service.browser.submit(INVITE, { ...fields, link: "x" });
  assert.equal(wrong.status, 400);
  assert.match(wrong.html, /role="alert">‘x’ is not an address that .+ Give an https: address/);
  const link = "https://app.example.com/?code={code}";
  const sent = { ...fieldsOf(wrong.html, "Invite"), link };
  const { status, html } = await service.browser.send(INVITE, sent);
  assert.equal(status, 200);
  const { state, invitationCode } = (await storedSignUps(service.kv))[ADA.email] ?? {};
  assert.equal(state, "invited");
  assert.ok(html.includes(`<code>https://app.example.com/?code=${invitationCode}</code>`));
  // Sent a second time, it says the same.
  const again = await service.browser.send(INVITE, sent);
  assert.ok(again.html.includes(`<code>https://app.example.com/?code=${invitationCode}</code>`));
  const next = await service.browser.submit(INVITE, { email: "bo@example.com" });
  assert.ok(next.html.includes(` value="${link}"`), "the link of the last wave");
  const other = await service.browser.send(INVITE, { ...sent, wave: "other" });
  assert.equal(other.status, 409);
  assert.match(other.html, /role="alert">The person was invited before\./);
  // The log has no entry of the call that changed nothing; of the others, one has invited the person.
  assert.equal(textOf(other.html).split("Invited in the wave").length - 1, 1);
  assert.equal(textOf(other.html).split("Asked for an invitation, which changed").length - 1, 1);
});

Deno.test("invitePersonPage leads to the person, who is invited, when a letter goes out", async () => {
  await using service = await startConsole(WITH_MAIL);
  const ada = bulkSignUp("ada", { state: "waiting" });
  await storeBulk(service.kv, [ada]);
  const sent = { ...ADA, wave: "first", link: "https://app.example.com/{code}", letters: "yes" };
  const { html } = await service.browser.submit(INVITE, sent);
  assert.match(html, /role="status">The person is invited, and the letter was added to those that/);
  assert.equal((await storedSignUps(service.kv))[ADA.email]?.state, "invited");
});

Deno.test("personPage calls a call that invited nobody by its name", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const sent = { ...ADA, wave: "first", link: "https://app.example.com/{code}", letters: "yes" };
  const { status, html } = await service.browser.send(INVITE, sent);
  assert.equal(status, 409);
  assert.match(textOf(html), /Asked for an invitation, which changed nothing operator/);
});

Deno.test("invitePersonPage keeps the choice to send no letter when the link is refused", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const ticked = /name="letters" value="yes" checked/;
  const wrong = { ...ADA, wave: "w", link: "x" };
  assert.match((await service.browser.submit(INVITE, ADA)).html, ticked);
  assert.match((await service.browser.submit(INVITE, { ...wrong, letters: "yes" })).html, ticked);
  const { status, html } = await service.browser.submit(INVITE, wrong);
  assert.equal(status, 400);
  assert.doesNotMatch(html, ticked);
});

test("personPage tells of the wave that invited the person, though a call by name did not", async ({ browser, kv }) => {
  const ada = bulkSignUp("ada", {
    state: "invited",
    invitedAt: AT,
    invitationCode: "c",
    wave: "first",
  });
  await storeBulk(kv, [ada]);
  const link = "https://app.example.com/?code={code}";
  const sent = { ...ADA, wave: "other", link };
  const { status, html } = await browser.send(INVITE, sent);
  assert.equal(status, 409);
  assert.match(textOf(html), /Invited in the wave first/);
});
