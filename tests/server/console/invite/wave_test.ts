/** The page of a wave, which shows a wave that runs by itself. */
import assert from "node:assert/strict";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import type { WavePeople } from "../../../../shared/operator_schemas.ts";
import { ADA, signIn, startConsole, startFailingConsole, test } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { inviteAll, LINK, nth, storeWaiting } from "../../../support/invitations.ts";
import { DAY, reportLetter, SECRET } from "../../../support/mail_hooks.ts";
import { call, readAudit } from "../../../support/operator.ts";
import { onlyItem } from "../../../support/outbox.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const INVITE = "/operator/invite/", WAVE = "/operator/invite/wave/";

test("wavePage shows the share of invited people who accepted, and the median time until they accepted", async (service) => {
  await storeWaiting(service.kv, 4);
  await call(service, "/waves", { wave: "first", next: 4, link: LINK, letters: false });
  const { people } = await call<WavePeople>(service, "/waves/first/people");
  for (const [index, { invitationCode: code }] of people.slice(0, 3).entries()) {
    service.clock.now += 3_600_000;
    await call(service, "/invitations/redeem", { code, reference: `user-${index}` });
  }
  const { html } = await service.browser.open(`${WAVE}?id=first`);
  assert.match(
    textOf(html),
    /Accepted 3 \(75\.0%\) Half of them within 2 hours /,
  );
  assert.match(html, /<dd>2\s+<small>hours<\/small><\/dd>/);
});

Deno.test("wavePage leads from a finished wave to the form for another wave, which has the choices of the finished wave", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 3, () => ({ lang: "de", source: "cta" }));
  const label = "Start a wave like this one …";
  const choices = { next: "2", lang: "de", source: "cta", link: LINK, letters: "yes" };
  const sent = { ...choices, expires: "2026-12-31", wave: "first", confirmed: "yes" };
  const wave = await browser.submit(INVITE, sent);
  const { html: form } = await browser.submit(INVITE, fieldsOf(wave.html, label));
  assert.match(form, /name="next" type="number"[^>]* value="2"/);
  assert.match(form, /<option value="de" selected>/);
  assert.match(form, /<option value="cta" selected>/);
  assert.ok(form.includes(` value="${LINK}"`));
  assert.match(form, /name="expires" type="date" value="2026-12-31"/);
  assert.match(form, /name="letters" value="yes" checked/);
  assert.match(form, /name="wave" maxlength="64" value=""/, "the other wave has a name of its own");
  // The last day is over by then.
  service.clock.now = Date.parse("2027-01-01T00:00:00Z");
  const operator = await signIn(service);
  const old = await operator.open(`${WAVE}?id=first`);
  const { html: later } = await operator.submit(INVITE, fieldsOf(old.html, label));
  assert.match(later, /name="expires" type="date" value=""/);
  // A wave of chosen people has no choices for other people.
  const chosen = { chosen_0: nth(2), link: LINK, wave: "chosen", confirmed: "yes" };
  assert.doesNotMatch((await operator.submit(INVITE, chosen)).html, />Start a wave like/);
});

Deno.test("wavePage says until when e‑mails are tried, and does not load again by itself, while all waiting e‑mails wait for a later try", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv, clock } = service;
  await storeWaiting(kv, 2);
  await call(service, "/waves", { wave: "first", next: 2, link: LINK, letters: true });
  const outbox = createOutboxStore(kv);
  for (const letter of await readFirstItems(kv, "invitations", { limit: 2 })) {
    const dueAt = clock.now + 5 * 60_000;
    await outbox.postpone(letter, { ...letter.item, dueAt, reason: "452 4.2.2 mailbox full" });
  }
  const { html } = await browser.open(`${WAVE}?id=first`);
  assert.doesNotMatch(html, /http-equiv="refresh"/);
  assert.match(html, /<span class="badge running">Trying again<\/span>/);
  const progress = "Trying 2 again until 23 Nov 2026";
  assert.match(
    textOf(html),
    new RegExp(
      ` ${progress} 2 e‑mails wait for a later try, the next one: 21 Nov 2026, 12:05 UTC\\. Show why`,
    ),
  );
  assert.match(
    html,
    /<a href="\/operator\/outbox\/\?list=waiting&amp;wave=first">Show why, and whose<\/a>/,
  );
  assert.match(
    textOf((await browser.open(INVITE)).html),
    new RegExp(`first next in line: 2 ${progress} `),
  );
  assert.match(
    textOf((await browser.open("/operator/")).html),
    new RegExp(`first : ${progress}\\.`),
  );
  clock.now += 4 * 60_000;
  const soon = await browser.open(`${WAVE}?id=first`);
  assert.match(soon.html, /<meta http-equiv="refresh" content="2">/);
});

Deno.test("wavePage and wavesSection() say how many e‑mails of a wave came back, without a share, because two to one person can come back", async () => {
  await using service = await startConsole({ ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` });
  const { browser, kv } = service;
  await storeWaiting(kv, 4);
  await call(service, "/waves", { wave: "first", next: 4, link: LINK, letters: true });
  const outbox = createOutboxStore(kv);
  for (const letter of await readFirstItems(kv, "invitations", { limit: 4 })) {
    await outbox.complete(letter, START);
  }
  await call(service, "/signups/undeliverable", { emails: [nth(1)] });
  const before = await browser.open(`${WAVE}?id=first`);
  assert.doesNotMatch(textOf(before.html), /came back/, "an operator has marked this address");
  await reportLetter(service, "mail.bounced", nth(0));
  const { html } = await browser.open(`${WAVE}?id=first`);
  assert.match(textOf(html), /E‑mails that came back 1 Accepted /);
  assert.match(html, /<a href="[^"]+list=log&amp;wave=first&amp;state=reported">1<\/a>/);
  assert.match(textOf((await browser.open(INVITE)).html), / 4 \(came back: 1\) /);
  service.clock.now += 2 * DAY;
  await call(service, "/signups/deliverable", { emails: [nth(0)] });
  await call(service, "/invitations/resend", { email: nth(0) });
  service.clock.now += 1_000;
  await outbox.complete(await onlyItem(kv, nth(0)), service.clock.now);
  await reportLetter(service, "mail.bounced", nth(0));
  const again = textOf((await (await signIn(service)).open(`${WAVE}?id=first`)).html);
  assert.match(
    again,
    /E‑mails accepted by the mail server 4 [^]+ E‑mails that came back 2 Accepted /,
  );
});

Deno.test("wavePage and linksToOpenWaves() count dropped letters as settled once everybody is invited", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 4);
  await call(service, "/waves", { wave: "first", next: 4, link: LINK, letters: true });
  const waiting = textOf((await browser.open(`${WAVE}?id=first`)).html);
  assert.doesNotMatch(waiting, /not sent/);
  assert.match(
    waiting,
    /Pausing stops the invitations and the e‑mails of the wave until you let it go on\. Pause /,
  );
  await call(service, "/signups/erase", { email: nth(0) });
  await call(service, "/signups/undeliverable", { emails: [nth(1)] });
  const { html } = await browser.open(`${WAVE}?id=first`);
  assert.match(
    textOf(html),
    / Invited 4 E‑mails accepted by the mail server 0 E‑mails waiting 2 E‑mails rejected 0 E‑mails not sent 2 Accepted 0 .* Sending e‑mails, 2 of 4 .* Why e‑mails were not sent the person had accepted, left the list or gets no e‑mails /,
  );
  const overview = textOf((await browser.open("/operator/")).html);
  assert.match(overview, /Wave first : Sending e‑mails, 2 of 4\. (?!People invited)/);
  await call(service, "/waves/first/cancel", undefined, "POST");
  assert.match(
    textOf((await browser.open(`${WAVE}?id=first`)).html),
    /E‑mails not sent 4 .* Why e‑mails were not sent the wave was cancelled before their turn /,
  );
});

test("wavePage shows which people of a wave have an undeliverable address", async (service) => {
  await storeWaiting(service.kv, 2);
  await call(service, "/waves", { wave: "first", next: 2, link: LINK, letters: false });
  await call(service, "/signups/undeliverable", { emails: [nth(0)] });
  const { html } = await service.browser.open(`${WAVE}?id=first`);
  const [, first = "", second = ""] = html.split('<th scope="row">');
  assert.match(textOf(first), /visitor0.+ Invited Undeliverable /);
  assert.match(textOf(second), /visitor7.+ Invited 21 Nov/);
  assert.equal(html.match(/class="badge bad"/g)?.length, 1);
  assert.doesNotMatch(
    html,
    /E‑mails accepted|E‑mail waits/,
    "a wave without e-mails has no figures and badges of e-mails",
  );
  assert.match(html, /<a href="\/operator\/people\/\?wave=first">Filter these people, or act/);
});

test("wavePage counts the undeliverable addresses of a wave, and links to the list of these people", async (service) => {
  await storeWaiting(service.kv, 4);
  const { browser } = service;
  await call(service, "/waves", { wave: "first", next: 3, link: LINK, letters: false });
  await call(service, "/signups/undeliverable", { emails: [0, 1, 3].map(nth) });
  const { html } = await browser.open(`${WAVE}?id=first`);
  const figure =
    /Undeliverable addresses<\/dt><dd><a href="([^"]+)">2<\/a><\/dd><\/div><div><dt>Addresses that reported spam<\/dt><dd>0</;
  const [, path = ""] = figure.exec(html.replaceAll("\n", "")) ?? [];
  assert.equal(path, "/operator/people/?mark=undeliverable&amp;wave=first");
  const people = textOf((await browser.open(path.replaceAll("&amp;", "&"))).html);
  assert.match(people, /Found: 2 /);
  assert.match(people, /visitor0.+visitor7|visitor7.+visitor0/);
});

test("wavePage links to the undeliverable addresses of a wave without a number when the wave has more than 1,000 people", async (service) => {
  await storeWaiting(service.kv, 1_001);
  await inviteAll(service.kv, { wave: "large", next: 1_001, letters: false });
  const { html } = await service.browser.open(`${WAVE}?id=large`);
  assert.match(
    html,
    /<dd><a href="\/operator\/people\/\?mark=complained&amp;wave=large" aria-label="Addresses that reported spam: Show">Show<\/a>/,
  );
});

test("wavePage shows 50 people of a wave on each page, and codesPage writes an audit entry when an operator downloads invitation codes", async (service) => {
  await storeWaiting(service.kv, 60);
  const { browser } = service;
  await browser.send(INVITE, { next: "55", link: LINK, wave: "first", confirmed: "yes" });
  await service.repeatOnce();
  const { html } = await browser.open(`${WAVE}?id=first`);
  const addresses = (text: string) =>
    Array.from(
      text.matchAll(/<th scope="row"><a[^>]+>([^<]+)<wbr>([^<]+)<\/a>/g),
      ([, name = "", domain = ""]) => name + domain,
    );
  assert.deepEqual(addresses(html), Array.from({ length: 50 }, (_, n) => nth(n)));
  assert.match(html, /<th scope="row"><a href="\/operator\/people\/[\w-]{40,}">/);
  const [, more = ""] = /<a class="button" href="([^"]+)">Next page</.exec(html)!;
  const rest = await browser.open(more.replaceAll("&amp;", "&"));
  assert.deepEqual(addresses(rest.html), [50, 51, 52, 53, 54].map(nth));
  service.clock.now += 1_000;
  const codes = await browser.send("/operator/invite/codes/", { wave: "first" });
  assert.equal(codes.html.trimEnd().split("\r\n").length, 56);
  const exported = (await readAudit(service)).filter(({ action }) => action === "listWavePeople");
  assert.deepEqual(exported.map(({ details }) => details), [{ wave: "first", exported: 55 }]);
  const { html: activity } = await browser.open("/operator/activity/");
  assert.match(
    textOf(activity),
    /Exported the people of a wave people: 55 operator .*Invited people people: 55 operator /,
  );
});

Deno.test("The pages People and Invite say what failed when KV fails", async (t) => {
  await using service = await startFailingConsole(WITH_MAIL);
  service.fails.reads = true;
  const calls: ["send" | "submit", path: string, fields: Record<string, string>][] = [
    ["submit", INVITE, { next: "1", link: LINK }],
    ["send", INVITE, { next: "1", link: LINK, confirmed: "yes", shown: "of before" }],
    ["submit", "/operator/people/", { search: "ada" }],
    ["send", INVITE, {
      ...{ chosen_0: ADA.email, confirmed: "yes", link: LINK, wave: "first" },
    }],
  ];
  for (const [act, path, fields] of calls) {
    await t.step(`${act} ${path}`, async () => {
      const { status, html } = await service.browser[act](path, fields);
      assert.equal(status, 500);
      assert.match(html, /<p class="fault" role="alert">Something went wrong in the service/);
    });
  }
  for (const act of ["remind", "undeliverable"]) {
    await t.step(act, async () => {
      const chosen = { chosen_0: ADA.email, act, confirmed: "yes" };
      const { html } = await service.browser.send("/operator/people/chosen/", chosen);
      assert.match(textOf(html), /Not done for .*ada@ example\.com The service could not do this/);
    });
  }
});
