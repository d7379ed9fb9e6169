import assert from "node:assert/strict";
import {
  ADA,
  openPerson,
  personPath,
  startConsole,
  startWithAda,
  test,
} from "../../../support/console.ts";
import { fieldsOf, textOf, urlsOf } from "../../../support/console_forms.ts";
import { invitedEmails, LINK, nth, storeWaiting } from "../../../support/invitations.ts";
import { readAudit } from "../../../support/operator.ts";
import { storedSignUps } from "../../../support/records.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";

const INVITE = "/operator/invite/", CODES = "/operator/invite/codes/";
const WAVE = "/operator/invite/wave/";

const AT = new Date(START).toISOString();

Deno.test("invitePage shows the people and the letter of a wave before it invites the people", async () => {
  await using service = await startConsole(WITH_MAIL);
  await storeWaiting(service.kv, 9, (n) => {
    if (n === 0) return { undeliverableAt: AT, lang: "de", role: "engineer" };
    return n < 6 ? { lang: "de", role: "engineer" } : {};
  });
  const { browser } = service;
  const page = await browser.open(INVITE);
  assert.match(
    textOf(page.html),
    /People who can be invited: 8 Besides them, 1 waits who cannot be invited, because the address is undeliverable or has reported spam\./,
  );
  assert.match(page.html, /<option value="engineer">engineer \(5\)<\/option>/);
  assert.match(page.html, /<option value="de">German \(5\)<\/option>/);
  assert.match(page.html, /<option value="hero">[^<]+ \(0\)<\/option>/);
  assert.match(page.html, /The numbers in the menus count the people who can be invited now\./);

  const choice = { next: "3", lang: "de", role: "engineer", link: LINK, letters: "yes" };
  const { location: planUrl } = await browser.send(INVITE, choice);
  const plan = await browser.open(planUrl);
  assert.equal(plan.status, 200);
  assert.match(
    textOf(plan.html),
    /would be invited 3 remain for later waves 2 passed over: Undeliverable 1 The numbers of people who are passed over count only those who fit the choices\. Wave 2026-11-21-120020-000 Whom next in line: 3/,
  );
  const named = [...plan.html.matchAll(/<th scope="row">(.+)<\/th>\s*<td><time/g)];
  assert.deepEqual(named.map(([, link]) => link!.replaceAll(/<[^>]+>/g, "")), [1, 2, 3].map(nth));
  assert.deepEqual(await invitedEmails(service.kv), [], "nobody is invited yet");
  assert.equal((await readAudit(service)).length, 0);

  assert.match(plan.html, /<caption>Would be invited: 3</);
  assert.ok(
    textOf(plan.html).includes(`Where the invitation leads ${LINK} Invitation valid until no end`),
  );
  assert.match(textOf(plan.html), /From: Waitlist &lt;hello@example\.com&gt; Subject:/);
  assert.doesNotMatch(plan.html, /class="warning"/);
  const passedOver =
    "/operator/people/?state=waiting&amp;mark=undeliverable&amp;lang=de&amp;role=engineer";
  assert.ok(plan.html.includes(`<a href="${passedOver}">1</a>`), "it leads to who is passed over");

  assert.match(plan.html, /<a href="\/operator\/people\/[\w-]+">visitor[\d-]+@<wbr>example\.com</);
  assert.match(
    textOf(plan.html),
    /E‑mails that went out cannot be called back\. You can pause or cancel the wave while others still wait\. Send the/,
  );
  const fields = fieldsOf(plan.html, "Send the invitations (3)");
  const { shown, ...others } = fields;
  assert.ok(shown);
  assert.deepEqual(others, { ...choice, new_wave: "2026-11-21-120020-000", confirmed: "yes" });
  const { html, status } = await browser.submit(INVITE, fields);
  assert.equal(status, 200);
  assert.match(html, /<a href="\/operator\/outbox\/\?list=waiting&amp;wave=[\d-]{21}">3</);
  assert.match(
    textOf(html),
    /Wave [\d-]{21} Running All waves Invited 3 E‑mails accepted by the mail server 0 E‑mails waiting 3 E‑mails rejected 0 Accepted 0 \(0\.0%\) Undeliverable addresses 0 Addresses that reported spam 0 Sending e‑mails, 0 of 3 .* Started 21 Nov 2026, 12:00 By operator Whom next in line: 3, German, engineer/,
  );
  assert.doesNotMatch(html, /Send the rejected e‑mails/, "they wait, and none was rejected");
  assert.deepEqual(await invitedEmails(service.kv), [1, 2, 3].map(nth).toSorted());
  const [{ action, operator, details } = {}] = await readAudit(service);
  assert.deepEqual([action, operator, details?.invited], ["startWave", "operator", 3]);
  const invited = await openPerson(browser, nth(1));
  assert.match(textOf(invited.html), /Invited in the wave 2026-11-21-120020-000/);
  // The page is loaded again: the wave is the same, and invites nobody else.
  service.clock.now += 1_000;
  assert.equal((await browser.send(INVITE, fields)).location, `${WAVE}?id=${fields.new_wave}`);
  assert.equal((await invitedEmails(service.kv)).length, 3);
  // Who goes back to the plan sees what has become of the wave, and cannot begin a second one with it.
  assert.equal((await browser.open(planUrl)).location, `${WAVE}?id=${fields.new_wave}`);
  // The next wave leads where this one led, and the list has this one.
  const next = await browser.open(INVITE);
  assert.ok(next.html.includes(` maxlength="2000" value="${LINK}"`));
  assert.match(
    textOf(next.html),
    /2026-11-21-120020-000 next in line: 3, German, engineer Sending e‑mails, 0 of 3 21 Nov 2026, 12:00 operator 3/,
  );
  for (const url of urlsOf(plan.html + html)) assert.doesNotMatch(url, /visitor|%40/i);
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});

test("invitePage invites without letters when MAIL_URL is not set, and offers the invitation codes for download", async (service) => {
  await storeWaiting(service.kv, 3);
  const { browser } = service;
  const page = await browser.open(INVITE);
  assert.match(page.html, /The service sends no e‑mails, as MAIL_URL is not set/);
  assert.doesNotMatch(page.html, /name="letters"/);
  const plan = await browser.submit(INVITE, { next: "2", link: LINK });
  const { html } = await browser.submit(INVITE, fieldsOf(plan.html, "Invite without e‑mails (2)"));
  assert.match(textOf(html), /Invited 2 /);
  const fields = fieldsOf(html, "Download the people and their codes (CSV)");
  const codes = await browser.send(CODES, fields);
  assert.equal(codes.status, 200);
  assert.equal(codes.response.headers.get("content-type"), "text/csv; charset=utf-8");
  const disposition = codes.response.headers.get("content-disposition");
  assert.equal(disposition, 'attachment; filename="invited-2026-11-21-120020-000.csv"');
  const [head = "", ...rows] = codes.html.trimEnd().split("\r\n");
  assert.ok(head.startsWith("email,") && head.endsWith(",invitationUrl"), head);
  assert.equal(rows.length, 2);
  const records = await storedSignUps(service.kv);
  for (const row of rows) {
    const [email = ""] = row.split(",");
    assert.ok(row.endsWith(`,${LINK.replace("{code}", records[email]?.invitationCode ?? "-")}`));
  }
  assert.equal((await invitedEmails(service.kv)).length, 2);
});

test(
  "invitePage keeps the typed values and names the fault when a value is refused",
  async (service, t) => {
    const { browser } = service;
    const wrong: [fields: Record<string, string>, message: RegExp, status: number][] = [
      [{ next: "many", link: LINK }, /‘How many’ must be a whole number from 1 on\./, 400],
      [
        { next: "2", link: "here" },
        /‘here’ is not an address .+ lead to\. Give an https: address/,
        400,
      ],
      [{ next: "0", link: "http://a.example" }, /from 1 on\. ‘http:.+ is not an address that/, 400],
      [
        { next: "2", link: LINK, expires: "2026-11-20" },
        /The last day of the invitations/,
        400,
      ],
      [{ next: "2", link: LINK, wave: "a b" }, /Field &#39;wave&#39; is &#39;a b&#39;; give/, 400],
      [{ next: "2", link: LINK, letters: "yes" }, /The service sends no e‑mails/, 409],
    ];
    for (const [fields, message, expected] of wrong) {
      await t.step(JSON.stringify(fields), async () => {
        const { status, html } = await browser.submit(INVITE, { ...fields, lang: "de" });
        assert.equal(status, expected);
        assert.match(html, /<p class="fault" role="alert">/);
        assert.match(html, message);
        assert.match(html, /<option value="de" selected>/);
        assert.ok(
          html.includes(` type="url" required maxlength="2000" value="${fields.link}"`),
          html,
        );
      });
    }
    const nobody = await browser.send(INVITE, {
      ...{ next: "1", link: LINK, wave: "first", confirmed: "yes" },
    });
    assert.match(textOf(nobody.html), /Nobody is invited yet/);
    await storeWaiting(service.kv, 1);
    await browser.send(INVITE, { next: "1", link: LINK, wave: "first", confirmed: "yes" });
    const fields = { next: "2", link: LINK, wave: "first", confirmed: "yes" };
    const other = await browser.send(INVITE, fields);
    assert.equal(other.status, 409);
    assert.match(other.html, /role="alert">The wave ‘first’ was begun with other choices and/);
  },
);

test("invitePage keeps the chosen values, even a long link, when the operator goes back from the plan to the form", async ({ browser, kv }) => {
  await storeWaiting(kv, 1);
  const link = `https://app.example.com/?x=${"x".repeat(1_900)}`;
  const plan = await browser.submit(INVITE, { next: "7", link, source: "cta" });
  assert.match(plan.html, /Nobody would be invited: nobody who waits fits these choices\./);
  const { html } = await browser.submit(INVITE, fieldsOf(plan.html, "Change the choices"));
  assert.match(html, /name="next" type="number"[^>]* value="7"/);
  assert.match(html, /<option value="cta" selected>/);
  assert.ok(html.includes(`value="${link}"`));
});

Deno.test("invitePage asks for confirmation when the link for the letters has no {code}, and shows when the invitations expire", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv, operate } = service;
  await storeWaiting(kv, 2);
  const link = "https://app.example.com/";
  const plan = await browser.submit(INVITE, {
    next: "2",
    link,
    letters: "yes",
    expires: "2026-12-31",
  });
  assert.match(
    plan.html,
    /<p class="warning" role="status">The link has no \{code\}, so the e‑mails/,
  );
  assert.match(textOf(plan.html), /Invitation valid until the end of 31 Dec 2026/);
  assert.match(textOf(plan.html), /The invitation is valid until the end of 31 December 2026/);
  const fields = fieldsOf(plan.html, "Send the invitations (2)");
  const asked = await browser.send(INVITE, fields);
  assert.equal(asked.status, 409);
  assert.match(asked.html, /role="alert">The link has no code in it\. Nobody is invited yet\./);
  assert.deepEqual(await invitedEmails(kv), []);
  await browser.submit(INVITE, { ...fields, without_code: "yes" });
  assert.equal((await invitedEmails(kv)).length, 2);
  const { waves: [wave] } = await (await operate("/waves")).json();
  assert.deepEqual([wave.expires, wave.link], ["2027-01-01T00:00:00.000Z", link]);
});

const CHOSEN = "/operator/people/chosen/";

/** What the plan that invites one person sends. */
const INVITE_ADA = { chosen_0: ADA.email, confirmed: "yes", link: LINK };

Deno.test("When MAIL_URL is not set, invitePage invites one person, and wavePage shows the person's link", async () => {
  await using service = await startWithAda();
  const { browser } = service;
  const path = await personPath(browser, ADA.email);
  const page = await browser.open(path);
  const asked = await browser.submit(path, fieldsOf(page.html, "Invite …"));
  assert.match(asked.html, /The service sends no e‑mails, as MAIL_URL is not set/);
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
  const confirmed = fieldsOf(plan.html, "Invite without e‑mails (1)");
  const wave = await browser.submit(INVITE, confirmed);
  const { state, invitationCode } = (await storedSignUps(service.kv))[ADA.email] ?? {};
  assert.equal(state, "invited");
  assert.match(textOf(wave.html), /Wave ada (?:Done|Running).*Invited 1 /);
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

Deno.test("invitePage shows which of the chosen people it would invite, and afterwards why it did not invite the other people", async () => {
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

Deno.test("invitePage keeps the choice 'no letters' when it refuses the link, and asks for confirmation of a link without {code}", async () => {
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

Deno.test("personPage shows that an operator tried to invite the person, and that this changed nothing", async () => {
  await using service = await startWithAda(WITH_MAIL);
  const sent = { ...INVITE_ADA, wave: "first", letters: "yes" };
  assert.equal((await service.browser.send(INVITE, sent)).status, 409);
  const { html } = await openPerson(service.browser, ADA.email);
  assert.match(textOf(html), /Asked for an invitation, which changed nothing operator/);
});

test("personPage still shows the wave that invited the person when a later wave does not invite the person again", async ({ browser, kv }) => {
  const invited = { invitedAt: AT, invitationCode: "c", wave: "first" };
  await storeBulk(kv, [bulkSignUp("ada", { state: "invited", ...invited })]);
  assert.equal((await browser.send(INVITE, { ...INVITE_ADA, wave: "other" })).status, 409);
  const { html } = await openPerson(browser, ADA.email);
  assert.match(textOf(html), /Invited in the wave first/);
});

Deno.test("invitePage counts a person with both marks once among those who cannot be invited, and says how many wait when many people have marks", async () => {
  await using service = await startConsole();
  await storeWaiting(service.kv, 6, (n) => {
    if (n === 0) return { undeliverableAt: AT, complainedAt: AT };
    if (n === 1) return { complainedAt: AT };
    return n === 2 ? { undeliverableAt: AT } : {};
  });
  const { html } = await service.browser.open(INVITE);
  assert.match(
    textOf(html),
    /People who can be invited: 3 Besides them, 3 wait who cannot be invited/,
  );
  await storeWaiting(service.kv, 900, () => ({ undeliverableAt: AT }));
  const { html: ofMany } = await service.browser.open(INVITE);
  assert.match(
    textOf(ofMany),
    /People who wait: 900 A wave passes over those of them whose address is undeliverable or has reported spam\./,
  );
  // Too many people wait to look at each of them for a page, so the menus show the counters of the list.
  assert.match(ofMany, /<option value="en">English \(900\)<\/option>/);
  assert.match(
    ofMany,
    /The numbers in the menus count everybody on the list, also those who cannot/,
  );
});
