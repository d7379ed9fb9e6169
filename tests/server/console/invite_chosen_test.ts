import assert from "node:assert/strict";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { ADA, startWithAda, test } from "../../support/console.ts";
import { fieldsOf, textOf, urlsOf } from "../../support/console_forms.ts";
import { invitedEmails, nth, storeWaiting } from "../../support/invitations.ts";
import { storedSignUps } from "../../support/records.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

const PERSON = "/operator/people/person/", CHOSEN = "/operator/people/chosen/";
const AT = new Date(START).toISOString(), LINK = "https://app.example.com/?code={code}";

/** What the form that invites one person sends. */
const INVITE_ADA = { act: "invite", chosen_0: ADA.email, confirmed: "yes", link: LINK };

Deno.test("chosenPage invites one person, and the wave's page gives the link when there is no mail", async () => {
  await using service = await startWithAda();
  const { browser } = service;
  const page = await browser.submit(PERSON, ADA);
  const asked = await browser.submit(CHOSEN, fieldsOf(page.html, "Invite …"));
  assert.match(asked.html, /The service sends no letters, as MAIL_URL is not set/);
  assert.equal(fieldsOf(asked.html, "Back").email, ADA.email);
  const wrong = await browser.send(CHOSEN, { ...fieldsOf(asked.html, "Invite"), link: "x" });
  assert.equal(wrong.status, 400);
  assert.match(wrong.html, /role="alert">‘x’ is not an address that .+ Give an https: address/);
  const sent = { ...fieldsOf(wrong.html, "Invite"), link: LINK };
  const wave = await browser.submit(CHOSEN, sent);
  const { state, invitationCode } = (await storedSignUps(service.kv))[ADA.email] ?? {};
  assert.equal(state, "invited");
  assert.match(textOf(wave.html), /Wave [\d-]{21} (?:Done|Running) .*Invited 1 /);
  assert.ok(wave.html.includes(`<code>https://app.example.com/?code=${invitationCode}</code>`));
  // Sent a second time, it leads to the same wave.
  const again = await browser.submit(CHOSEN, sent);
  assert.ok(again.html.includes(`code=${invitationCode}</code>`));
  const next = await browser.submit(CHOSEN, { act: "invite", chosen_0: "bo@example.com" });
  assert.ok(next.html.includes(` value="${LINK}"`), "the link of the last wave");
  const other = await browser.send(CHOSEN, { ...sent, wave: "other" });
  assert.equal(other.status, 409);
  assert.match(
    textOf(other.html),
    /Not done for: ada@example\.com The person was invited before\./,
  );
  // The log has no entry of the call that changed nothing; of the others, one has invited the person.
  const { html } = await browser.submit(PERSON, ADA);
  assert.equal(textOf(html).split("Invited in the wave").length - 1, 1);
  assert.equal(textOf(html).split("Asked for an invitation, which changed").length - 1, 1);
});

test("chosenPage invites those who were chosen in the list, and says who is not and why", async ({ browser, kv }) => {
  await storeWaiting(kv, 4);
  const list = await browser.open("/operator/people/?order=oldest");
  assert.match(list.html, /<button name="act" value="invite">Invite …</);
  const sent = { act: "invite", order: "oldest", chosen_1: nth(1), chosen_2: nth(2) };
  const asked = await browser.send(CHOSEN, sent);
  for (const url of urlsOf(asked.html)) assert.doesNotMatch(url, /@|%40/);
  assert.deepEqual(fieldsOf(asked.html, "Back"), { order: "oldest" });
  const fields = { ...fieldsOf(asked.html, "Invite"), link: LINK };
  assert.deepEqual(await invitedEmails(kv), [], "nobody is invited yet");
  const wave = await browser.submit(CHOSEN, fields);
  assert.match(textOf(wave.html), /Invited 2 .*Whom 2 by name/);
  assert.deepEqual(await invitedEmails(kv), [nth(1), nth(2)].toSorted());
  const more = { ...fields, chosen_3: nth(3), wave: "more" };
  const some = await browser.send(CHOSEN, more);
  assert.equal(some.status, 409);
  assert.match(textOf(some.html), /Not done for: .+ was invited before\. .+ was invited before\./);
  assert.match(some.html, /href="\/operator\/invite\/wave\/\?id=more"/);
  assert.equal((await storedSignUps(kv))[nth(3)]?.state, "invited");
});

Deno.test("chosenPage keeps the choice to send no letter when the link is refused, and asks about one without a code", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const ticked = /name="letters" value="yes" checked/;
  const ask = { act: "invite", chosen_0: ADA.email };
  assert.match((await service.browser.submit(CHOSEN, ask)).html, ticked);
  const wrong = { ...INVITE_ADA, wave: "w", link: "x" };
  assert.match((await service.browser.send(CHOSEN, { ...wrong, letters: "yes" })).html, ticked);
  const { status, html } = await service.browser.send(CHOSEN, wrong);
  assert.equal(status, 400);
  assert.doesNotMatch(html, ticked);
  const unsure = { ...INVITE_ADA, link: "https://app.example.com/", letters: "yes" };
  assert.match((await service.browser.send(CHOSEN, unsure)).html, /name="without_code"/);
});

Deno.test("personPage calls a call that invited nobody by its name", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const sent = { ...INVITE_ADA, wave: "first", letters: "yes" };
  assert.equal((await service.browser.send(CHOSEN, sent)).status, 409);
  const { html } = await service.browser.submit(PERSON, ADA);
  assert.match(textOf(html), /Asked for an invitation, which changed nothing operator/);
});

test("personPage tells of the wave that invited the person, though a call by name did not", async ({ browser, kv }) => {
  const invited = { invitedAt: AT, invitationCode: "c", wave: "first" };
  await storeBulk(kv, [bulkSignUp("ada", { state: "invited", ...invited })]);
  assert.equal((await browser.send(CHOSEN, { ...INVITE_ADA, wave: "other" })).status, 409);
  const { html } = await browser.submit(PERSON, ADA);
  assert.match(textOf(html), /Invited in the wave first/);
});
