import assert from "node:assert/strict";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { ADA, openPerson, personPath, startWithAda, test } from "../../support/console.ts";
import { fieldsOf, textOf, urlsOf } from "../../support/console_forms.ts";
import { invitedEmails, nth, storeWaiting } from "../../support/invitations.ts";
import { storedSignUps } from "../../support/records.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

const CHOSEN = "/operator/people/chosen/";
const INVITE = "/operator/invite/";
const AT = new Date(START).toISOString(), LINK = "https://app.example.com/?code={code}";

/** What the plan that invites one person sends. */
const INVITE_ADA = { chosen_0: ADA.email, confirmed: "yes", link: LINK };

Deno.test("invitePage invites one person, and the wave's page gives the link when there is no mail", async () => {
  await using service = await startWithAda();
  const { browser } = service;
  const path = await personPath(browser, ADA.email);
  const page = await browser.open(path);
  const asked = await browser.submit(path, fieldsOf(page.html, "Invite …"));
  assert.match(asked.html, /The service sends no letters, as MAIL_URL is not set/);
  assert.ok(asked.html.includes(`href="${path}">Back</a>`));
  const preview = fieldsOf(asked.html, "Show who would be invited");
  const wrong = await browser.submit(INVITE, { ...preview, link: "x" });
  assert.equal(wrong.status, 400);
  assert.match(wrong.html, /role="alert">‘x’ is not an address that .+ Give an https: address/);
  const sent = { ...fieldsOf(wrong.html, "Show who would be invited"), link: LINK };
  const plan = await browser.submit(INVITE, { ...sent, wave: "ada" });
  assert.deepEqual(await invitedEmails(service.kv), [], "nobody is invited yet");
  assert.match(
    textOf(plan.html),
    /would be invited 1 passed over 0/,
  );
  const confirmed = fieldsOf(plan.html, "Invite without letters (1)");
  const wave = await browser.submit(INVITE, confirmed);
  const { state, invitationCode } = (await storedSignUps(service.kv))[ADA.email] ?? {};
  assert.equal(state, "invited");
  assert.match(textOf(wave.html), /Wave ada (?:Done|Running) .*Invited 1 /);
  assert.ok(wave.html.includes(`<code>https://app.example.com/?code=${invitationCode}</code>`));
  // Sent a second time, it leads to the same wave.
  const again = await browser.submit(INVITE, confirmed);
  assert.ok(again.html.includes(`code=${invitationCode}</code>`));
  const next = await browser.submit(CHOSEN, { act: "invite", chosen_0: "bo@example.com" });
  assert.ok(next.html.includes(` value="${LINK}"`), "the link of the last wave");
  const other = await browser.send(INVITE, { ...confirmed, wave: "other" });
  assert.equal(other.status, 409);
  assert.match(textOf(other.html), /Nobody is invited .* ada@ example\.com Invited before/);
  // The log has no entry of the call that changed nothing; of the others, one has invited the person.
  const { html } = await openPerson(browser, ADA.email);
  assert.equal(textOf(html).split("Invited in the wave").length - 1, 1);
  assert.equal(textOf(html).split("Asked for an invitation, which changed").length - 1, 1);
});

Deno.test("invitePage shows who of the chosen would be invited and the letter, and then who was not and why", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 4);
  const list = await browser.open("/operator/people/?order=oldest");
  assert.match(list.html, /<button name="act" value="invite">Invite …</);
  const sent = { act: "invite", list: "order=oldest&wave=of-the-filter" };
  const chosen = { chosen_1: nth(1), chosen_2: nth(2), chosen_3: ADA.email };
  const asked = await browser.submit(CHOSEN, { ...sent, ...chosen });
  assert.match(asked.html, /<h1>Invite: 3 people<\/h1>/);
  assert.match(
    asked.html,
    /href="\/operator\/people\/\?order=oldest&amp;wave=of-the-filter">Back</,
  );
  const preview = fieldsOf(asked.html, "Show who would be invited");
  const plan = await browser.submit(INVITE, { ...preview, link: LINK, letters: "yes" });
  for (const url of urlsOf(asked.html + plan.html)) assert.doesNotMatch(url, /@|%40/);
  assert.match(textOf(plan.html), /would be invited 2 passed over 1 .*ada@.+ Not confirmed yet/);
  const [, frame = ""] = /<iframe src="([^"]+)"/.exec(plan.html)!;
  const letter = await browser.open(frame.replaceAll("&amp;", "&"));
  assert.match(letter.html, /https:\/\/app\.example\.com\/\?code=/);
  assert.deepEqual(await invitedEmails(kv), [], "nobody is invited yet");
  const fields = fieldsOf(plan.html, "Send the invitations (2)");
  const done = await browser.send(INVITE, fields);
  assert.equal(done.status, 200);
  assert.match(done.html, /<h1>2 people are invited<\/h1>/);
  assert.match(textOf(done.html), /passed over Address Why ada@ example\.com Not confirmed yet/);
  assert.match(
    done.html,
    /href="\/operator\/people\/\?order=oldest&amp;wave=of-the-filter">Back to people</,
  );
  assert.deepEqual(await invitedEmails(kv), [nth(1), nth(2)].toSorted());
  const [, path = ""] = /href="([^"]+)">Open the wave</.exec(done.html)!;
  const wave = await browser.open(path);
  assert.match(textOf(wave.html), /Invited 2 .*Whom 3 by name .*Chosen, but not invited 1 /);
  const more = await browser.send(INVITE, { ...fields, chosen_3: nth(3), wave: "more" });
  assert.match(textOf(more.html), /1 person is invited .*Invited before .*Invited before/);
});

Deno.test("invitePage keeps the choice to send no letter when the link is refused, and asks about one without a code", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const ticked = /name="letters" value="yes" checked/;
  const ask = { act: "invite", chosen_0: ADA.email };
  assert.match((await service.browser.submit(CHOSEN, ask)).html, ticked);
  const wrong = { ...INVITE_ADA, wave: "w", link: "x" };
  assert.match((await service.browser.send(INVITE, { ...wrong, letters: "yes" })).html, ticked);
  const { status, html } = await service.browser.send(INVITE, wrong);
  assert.equal(status, 400);
  assert.doesNotMatch(html, ticked);
  await storeWaiting(service.kv, 1);
  const unsure = {
    ...INVITE_ADA,
    chosen_0: nth(0),
    link: "https://app.example.com/",
    letters: "yes",
  };
  assert.match((await service.browser.send(INVITE, unsure)).html, /name="without_code"/);
});

Deno.test("personPage calls a call that invited nobody by its name", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const sent = { ...INVITE_ADA, wave: "first", letters: "yes" };
  assert.equal((await service.browser.send(INVITE, sent)).status, 409);
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(textOf(html), /Asked for an invitation, which changed nothing operator/);
});

test("personPage tells of the wave that invited the person, though a call by name did not", async ({ browser, kv }) => {
  const invited = { invitedAt: AT, invitationCode: "c", wave: "first" };
  await storeBulk(kv, [bulkSignUp("ada", { state: "invited", ...invited })]);
  assert.equal((await browser.send(INVITE, { ...INVITE_ADA, wave: "other" })).status, 409);
  const { html } = await openPerson(browser, ADA.email);
  assert.match(textOf(html), /Invited in the wave first/);
});
