import assert from "node:assert/strict";
import { createMailState } from "../../../../server/store/outbox/mod.ts";
import { startConsole, test } from "../../../support/console.ts";
import { fieldsOf, textOf, urlsOf } from "../../../support/console_forms.ts";
import { invitedEmails, LINK, nth, storeWaiting } from "../../../support/invitations.ts";
import { importPeople, readAudit } from "../../../support/operator.ts";
import { WITH_MAIL } from "../../../support/service.ts";

const INVITE = "/operator/invite/";

test("invitePage invites nobody and shows a new plan when the people of the shown plan are other people by now", async ({ browser, kv, operate }) => {
  await storeWaiting(kv, 5);
  const plan = await browser.submit(INVITE, { next: "2", link: LINK });
  const seen = fieldsOf(plan.html, "Invite without e‑mails (2)");
  await operate("/signups/erase", { email: nth(1) });
  const changed = await browser.send(INVITE, seen);
  assert.equal(changed.status, 409);
  assert.match(changed.html, /role="alert">The list has changed since you looked\. Nobody is/);
  assert.deepEqual(await invitedEmails(kv), []);
  // One second look is enough.
  await operate("/signups/erase", { email: nth(0) });
  const done = await browser.submit(INVITE, fieldsOf(changed.html, "Invite without e‑mails (2)"));
  assert.match(textOf(done.html), /Invited 2 /);
  assert.deepEqual(await invitedEmails(kv), [2, 3].map(nth).toSorted());
  // What was seen before counts no more: the wave has begun, and is only asked for again.
  assert.match((await browser.send(INVITE, seen)).location, /^\/operator\/invite\/wave\/\?id=/);
});

test("wavePage offers the codes of a finished wave for download, and invitePage refuses a form that has this wave's id and choices other than the wave's", async (service) => {
  const { browser, kv } = service;
  await storeWaiting(kv, 2);
  const { location: planUrl } = await browser.send(INVITE, { next: "5", link: LINK });
  const plan = await browser.open(planUrl);
  const { location } = await browser.send(
    INVITE,
    fieldsOf(plan.html, "Invite without e‑mails (2)"),
  );
  await service.repeatOnce();
  const { html } = await browser.open(location);
  assert.match(textOf(html), /Done .* Invited 2 .* Download the people and their codes \(CSV\) /);
  // Other choices for the wave that the plan belongs to are refused, and its id is shown.
  const changed = fieldsOf(plan.html, "Invite without e‑mails (2)");
  const fields = { ...changed, next: "9" };
  const other = await browser.send(INVITE, fields);
  assert.equal(other.status, 409);
  assert.ok(other.html.includes(`name="wave" maxlength="64" value="${changed.new_wave}"`));
});

Deno.test("invitePage shows the letter in English and German as it will be sent", async (t) => {
  await using service = await startConsole(WITH_MAIL);
  await storeWaiting(service.kv, 2, (n) => n === 1 ? { lang: "de" } : {});
  const { html } = await service.browser.submit(INVITE, { next: "2", link: LINK, letters: "yes" });
  assert.match(html, /<b lang="en">Your place at Example Company is ready<\/b>/);
  assert.match(html, /<b lang="de">/);
  const sources = urlsOf(html).filter((url) => url.startsWith("/operator/invite/letter/"));
  assert.equal(sources.length, 2);
  for (const [index, lang] of ["en", "de"].entries()) {
    await t.step(lang, async () => {
      const source = sources[index]!.replaceAll("&amp;", "&");
      assert.match(source, new RegExp(`^[a-z/]+\\?lang=${lang}&q=[\\w-]+$`));
      const { status, response, html: letter } = await service.browser.open(source);
      assert.equal(status, 200);
      assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      // The whole document, with its inline styles.
      assert.ok(letter.startsWith(`<!DOCTYPE html>\n<html lang="${lang}">`), letter);
      assert.match(letter, / style="[^"]+" href="https:\/\/app\.example\.com\/[^"]+\{code\}"/);
      assert.match(letter, /https:\/\/waitlist\.test\/(place|de\/platz)\/"/);
    });
  }
  assert.match(html, /<pre [^>]+>[\s\S]+https:\/\/waitlist\.test\/place\//);
  // Without a link, such as before one is typed in, the letter has an example.
  const example = await service.browser.open("/operator/invite/letter/?lang=fr");
  assert.match(example.html, /<html lang="en">[^]+href="https:\/\/app\.example\.com\/.+code=…"/);
});

Deno.test("invitePage shows the letter in the language of the filter, or in the languages of the people whom the page lists", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 30, (n) => n < 5 ? { lang: "de" } : {});
  const langsOf = async (fields: Record<string, string>) => {
    const { html } = await browser.submit(INVITE, { link: LINK, letters: "yes", ...fields });
    return [...html.matchAll(/id="letter-(\w+)"/g)].map(([, lang]) => lang);
  };
  assert.deepEqual(await langsOf({ next: "30", lang: "de" }), ["de"]);
  assert.deepEqual(await langsOf({ next: "5" }), ["de"], "the first five are German");
  assert.deepEqual(await langsOf({ next: "30" }), ["en", "de"], "all 30 are counted");
  assert.deepEqual(await langsOf({ next: "25" }), ["en", "de"], "not all 25 are shown");
});

Deno.test("invitePage sends the invitation of a plan to a test address, and shows the result above the same plan", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 2, () => ({ lang: "de" }));
  const plan = await browser.submit(INVITE, { next: "2", link: LINK, letters: "yes" });
  const fields = fieldsOf(plan.html, "Send this invitation to an address");
  assert.equal(fields.test_langs, "de");
  const form = { ...fields, test_email: "ops@example.com" };
  const { location } = await browser.send(INVITE, form);
  assert.doesNotMatch(location, /@|%40/);
  const tested = await browser.open(location);
  assert.equal(tested.status, 200);
  // The mail server is not there.
  const note = /role="alert">Test to ops@example\.com, German: The test was not accepted/;
  assert.match(tested.html, note);
  assert.match(textOf(tested.html), /would be invited 2 /);
  assert.match(tested.html, /name="test_email"[^>]+ value="ops@example\.com"/);
  assert.equal((await browser.send(INVITE, form)).location, location, "the form was sent twice");
  assert.deepEqual(await invitedEmails(kv), []);
  const [entry, ...noOthers] = await readAudit(service);
  assert.deepEqual([entry?.action, entry?.details], ["testInvitation", { lang: "de" }]);
  assert.deepEqual(noOthers, []);
  const again = fieldsOf(tested.html, "Send this invitation to an address");
  const wrong = await browser.submit(INVITE, { ...again, test_email: "ops" });
  assert.match(wrong.html, /<p class="fault" role="alert">[^]+would be invited/);
  const start = fieldsOf(wrong.html, "Send the invitations (2)");
  assert.deepEqual(
    start,
    fieldsOf(plan.html, "Send the invitations (2)"),
    "the operator goes on with the same plan",
  );
  await browser.submit(INVITE, start);
  assert.deepEqual(await invitedEmails(kv), [nth(0), nth(1)].toSorted());
});

test("invitePage says first that fewer people fit than were asked for, and how many have each language", async ({ browser, kv }) => {
  await storeWaiting(kv, 31, (n) => n < 5 ? { lang: "de" } : {});
  const planOf = async (fields: Record<string, string>) =>
    textOf((await browser.submit(INVITE, { link: LINK, ...fields })).html);
  const all = await planOf({ next: "500" });
  assert.match(all, /You asked for 500\. 31 people fit and can be invited\. would be invited 31 /);
  assert.match(all, / Whom next in line: 500 .+ Their languages English: 26, German: 5 People who/);
  assert.match(await planOf({ next: "7" }), / Their languages English: 2, German: 5 /);
  assert.doesNotMatch(await planOf({ next: "31" }), /You asked for/);
  const many = await planOf({ next: "25" });
  assert.doesNotMatch(many, /You asked for|English: /, "the plan does not know all 25 people");
});

Deno.test("invitePage offers the test of an invitation above the button that starts the wave", async () => {
  await using service = await startConsole(WITH_MAIL);
  await storeWaiting(service.kv, 1);
  const choices = { next: "2", link: LINK, letters: "yes" };
  const { html } = await service.browser.submit(INVITE, choices);
  assert.match(
    textOf(html),
    /You asked for 2\. 1 person fits .+ Test e‑mail Sends this invitation .+ Send this invitation to an address .+ Send the invitations \(1\) .+ Subject: /,
  );
});

test("invitePage takes no result of a test from a form", async ({ browser, kv }) => {
  await storeWaiting(kv, 1);
  const plan = await browser.submit(INVITE, { next: "1", link: LINK, test_result: "{" });
  assert.match(textOf(plan.html), /would be invited 1 /);
});

Deno.test("invitePage says in a plan that the e‑mails wait until the end of a pause of all e‑mails", async () => {
  await using service = await startConsole(WITH_MAIL);
  await storeWaiting(service.kv, 1);
  const plan = async () =>
    await service.browser.submit(INVITE, { next: "1", link: LINK, letters: "yes" });
  assert.doesNotMatch((await plan()).html, /until the pause ends/);
  const pause = { at: service.clock.now, reason: "421 busy", causedBy: [], delayOf: () => 60_000 };
  await createMailState(service.kv).pause(pause);
  assert.match(
    textOf((await plan()).html),
    /All e‑mails have been paused .+ people are invited, but their e‑mails wait until the pause ends\./,
  );
});

test("invitePage shows the roles and use cases of the people in a plan", async ({ browser, kv }) => {
  await storeWaiting(kv, 2, (n) => n === 0 ? { role: "engineer", building: "agents" } : {});
  const { html } = await browser.submit(INVITE, { next: "2", link: LINK });
  const text = textOf(html.replaceAll("<wbr>", ""));
  assert.match(text, /Waiting since Language Role Use case /, "without a column of no value");
  assert.match(text, new RegExp(`${nth(0)} [^@]+ English engineer agents ${nth(1)} `));
});

Deno.test("invitePage shows the plan again when it asks for confirmation, and keeps the operator's choices in every form of the plan", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 2);
  const choices = { next: "2", link: "https://app.example.com/", letters: "yes" };
  const plan = await browser.submit(INVITE, choices);
  const unsure = await browser.send(INVITE, fieldsOf(plan.html, "Send the invitations (2)"));
  assert.equal(unsure.status, 409);
  const form = await browser.submit(INVITE, fieldsOf(unsure.html, "Change the choices"));
  assert.match(form.html, /name="next"[^>]* value="2"/);
  const test = fieldsOf(unsure.html, "Send this invitation to an address");
  assert.deepEqual([test.confirmed, test.shown], [undefined, undefined]);
  // Without a code the wave could not start. With the box ticked, the form of an earlier page could start it.
  const tested = await browser.submit(INVITE, {
    ...test,
    test_email: "ops@example.com",
    without_code: "yes",
  });
  assert.match(textOf(tested.html), /would be invited 2 /);
  assert.deepEqual(await invitedEmails(kv), []);
});

test("invitePage shows a progress bar and reloads until it has counted all people on a long list", async ({ browser, kv, clock }) => {
  await storeWaiting(kv, 2_600, (n) => n % 2 === 0 ? { lang: "de" } : {});
  // Each look of a second is over at once, as the clock runs while the service reads.
  const step = setInterval(() => clock.now += 2_000);
  let { html } = await browser.submit(INVITE, { next: "2600", lang: "de", link: LINK });
  let parts = 0;
  for (; html.includes("Looking at everybody …"); parts++) {
    assert.match(html, /<progress max="2600" value="\d+" [^>]+><\/progress> [\d,]+ of 2,600</);
    const [, url = ""] = /<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(html)!;
    assert.doesNotMatch(url, /visitor|%40/);
    ({ html } = await browser.open(url.replaceAll("&amp;", "&")));
  }
  clearInterval(step);
  assert.ok(parts > 0);
  assert.match(textOf(html), /would be invited 1,300 /);
  const rows = [...html.matchAll(/<th scope="row">(.+)<\/th>/g)]
    .map(([, link]) => link!.replaceAll(/<[^>]+>/g, ""));
  assert.deepEqual(rows, Array.from({ length: 20 }, (_, n) => nth(2 * n)));
});

test("invitePage selects people by campaign, and shows the campaign in the plan and in the list of waves", async (service) => {
  const { browser } = service;
  const sources = ["news", "news", "ads"];
  await importPeople(
    service,
    sources.map((utmSource, n) => ({
      email: nth(n),
      consentedAt: "2026-05-01T09:30:00.000Z",
      state: n === 1 ? "unconfirmed" : "waiting",
      utmSource,
    })),
  );
  const form = await browser.open(INVITE);
  assert.match(form.html, /<input id="utmSource" name="utmSource" value="" list="utmSource-known"/);
  const plan = await browser.submit(INVITE, { next: "5", link: LINK, utmSource: " News" });
  assert.match(textOf(plan.html), /Invite: next in line: 5, Campaign source: news/i);
  assert.match(plan.html, /\?state=unconfirmed&amp;utmSource=news">1<\/a>/);
  await browser.submit(INVITE, fieldsOf(plan.html, "Invite without e‑mails (1)"));
  assert.deepEqual(await invitedEmails(service.kv), [nth(0)]);
  assert.match(textOf((await browser.open(INVITE)).html), /Campaign source: news/);
});
