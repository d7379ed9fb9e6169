import assert from "node:assert/strict";
import { openPerson, startConsole, test } from "../../support/console.ts";
import { fieldsOf, textOf, urlsOf } from "../../support/console_forms.ts";
import { invitedEmails, LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { readAudit } from "../../support/operator.ts";
import { storedSignUps } from "../../support/records.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

const INVITE = "/operator/invite/", CODES = "/operator/invite/codes/";
const WAVE = "/operator/invite/wave/";

const AT = new Date(START).toISOString();

Deno.test("invitePage shows who would come and the letter, and then invites them", async () => {
  await using service = await startConsole(WITH_MAIL);
  await storeWaiting(service.kv, 9, (n) => {
    if (n === 0) return { undeliverableAt: AT, lang: "de", role: "engineer" };
    return n < 6 ? { lang: "de", role: "engineer" } : {};
  });
  const { browser } = service;
  const page = await browser.open(INVITE);
  assert.match(page.html, /People who wait: 9/);
  assert.match(page.html, /<option value="engineer">engineer<\/option>/);

  const choice = { next: "3", lang: "de", role: "engineer", link: LINK, letters: "yes" };
  const { location: planUrl } = await browser.send(INVITE, choice);
  const plan = await browser.open(planUrl);
  assert.equal(plan.status, 200);
  assert.match(
    textOf(plan.html),
    /would be invited 3 passed over: Undeliverable 1 Wave 2026-11-21-120020-000 Whom the next 3/,
  );
  const named = [...plan.html.matchAll(/<th scope="row">([^<]+)<\/th>\s*<td><time/g)];
  assert.deepEqual(named.map(([, email]) => email), [1, 2, 3].map(nth));
  assert.deepEqual(await invitedEmails(service.kv), [], "nobody is invited yet");
  assert.equal((await readAudit(service)).length, 0);

  assert.match(plan.html, /<caption>Would be invited: 3</);
  assert.ok(textOf(plan.html).includes(`Where the invitation leads ${LINK}`));
  assert.doesNotMatch(plan.html, /class="warning"/);
  const passedOver =
    "/operator/people/?state=waiting&amp;mark=undeliverable&amp;lang=de&amp;role=engineer";
  assert.ok(plan.html.includes(`<a href="${passedOver}">1</a>`), "it leads to who is passed over");

  const fields = fieldsOf(plan.html, "Send the invitations (3)");
  const { shown, ...others } = fields;
  assert.ok(shown);
  assert.deepEqual(others, { ...choice, new_wave: "2026-11-21-120020-000", confirmed: "yes" });
  const { html, status } = await browser.submit(INVITE, fields);
  assert.equal(status, 200);
  assert.match(html, /Their letters go out one after another; see <a href="\/operator\/outbox\/">/);
  assert.match(
    textOf(html),
    /Wave [\d-]{21} Done .* Invited 3 Letters taken 0 Letters waiting 3 Letters refused 0 Accepted 0 .* Started 21 Nov 2026, 12:00 By operator Whom the next 3, German, engineer/,
  );
  assert.doesNotMatch(html, /Send the refused letters/, "they wait, and none was refused");
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
    /2026-11-21-120020-000 Done 21 Nov 2026, 12:00 operator the next 3/,
  );
  for (const url of urlsOf(plan.html + html)) assert.doesNotMatch(url, /visitor|%40/i);
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});

test("invitePage invites without letters when there is no mail, and gives the codes", async (service) => {
  await storeWaiting(service.kv, 3);
  const { browser } = service;
  const page = await browser.open(INVITE);
  assert.match(page.html, /The service sends no letters, as MAIL_URL is not set/);
  assert.doesNotMatch(page.html, /name="letters"/);
  const plan = await browser.submit(INVITE, { next: "2", link: LINK });
  const { html } = await browser.submit(INVITE, fieldsOf(plan.html, "Invite without letters (2)"));
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

test("invitePage keeps what was typed when the operator's API refuses it", async (service) => {
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
    [{ next: "2", link: LINK, letters: "yes" }, /The service sends no letters/, 409],
  ];
  for (const [fields, message, expected] of wrong) {
    const { status, html } = await browser.submit(INVITE, { ...fields, lang: "de" });
    assert.equal(status, expected);
    assert.match(html, /<p class="fault" role="alert">/);
    assert.match(html, message);
    assert.match(html, /<option value="de" selected>/);
    assert.ok(html.includes(` type="url" required maxlength="2000" value="${fields.link}"`), html);
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
});

test("invitePage goes back to the choices with what was chosen", async ({ browser, kv }) => {
  await storeWaiting(kv, 1);
  const plan = await browser.submit(INVITE, { next: "7", link: LINK, source: "cta" });
  assert.match(plan.html, /Nobody would be invited: nobody who waits fits these choices\./);
  const { html } = await browser.submit(INVITE, fieldsOf(plan.html, "Change the choices"));
  assert.match(html, /name="next" type="number"[^>]* value="7"/);
  assert.match(html, /<option value="cta" selected>/);
});

Deno.test("invitePage asks about letters whose link has no code, and names the last day of a wave", async () => {
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
  assert.match(plan.html, /<p class="warning" role="status">The link has no \{code\}, so the l/);
  assert.match(textOf(plan.html), /Invitation holds until 1 Jan 2027, 00:00/);
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
