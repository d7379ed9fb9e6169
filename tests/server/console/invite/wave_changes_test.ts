import assert from "node:assert/strict";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { follow, startConsole, test } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { LINK, storeWaiting } from "../../../support/invitations.ts";
import { call } from "../../../support/operator.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";

const INVITE = "/operator/invite/", WAVE = "/operator/invite/wave/";

const LONG = { next: "2500", link: LINK, wave: "long", confirmed: "yes" };

test("wavePage pauses and resumes a running wave, and refuses to cancel a finished wave", async (service) => {
  await storeWaiting(service.kv, 2_600);
  const { browser } = service;
  const running = await browser.submit(INVITE, LONG);
  assert.match(running.html, /<meta http-equiv="refresh" content="2">/);
  assert.match(
    textOf(running.html),
    /Undeliverable addresses Show /,
    "a growing wave is not counted",
  );
  assert.match(
    textOf(running.html),
    /Wave long Running .* People invited: [\d,]+ of 2,500 The wave goes on by itself, also when you close this page\./,
  );
  const still = await follow(browser, running.html, "Stop loading it again");
  assert.doesNotMatch(still.html, /http-equiv="refresh"/);
  assert.match(textOf(still.html), /The wave goes on by itself/);
  await browser.submit(WAVE, fieldsOf(running.html, "Pause"));
  await service.repeatOnce();
  const paused = await browser.open(`${WAVE}?id=long`);
  assert.match(textOf(paused.html), /Wave long Paused/);
  assert.doesNotMatch(paused.html, /http-equiv="refresh"/);
  const [, count = ""] = /People invited: ([\d,]+) of 2,500</.exec(paused.html)!;
  assert.ok(Number(count.replace(",", "")) < 2_500, count);
  const overview = await browser.open("/operator/");
  const link = `<a href="${WAVE}?id=long">Wave long</a>:`;
  assert.ok(overview.html.includes(`${link}\nPaused. People invited: ${count} of 2,500.`));
  await browser.submit(WAVE, fieldsOf(paused.html, "Go on"));
  await service.repeatOnce();
  const done = await browser.open(`${WAVE}?id=long`);
  assert.match(textOf(done.html), /Wave long Done .* Invited 2,500 /);
  assert.doesNotMatch(done.html, />Pause<|>Cancel the wave …</);
  assert.doesNotMatch((await browser.open("/operator/")).html, /Wave long/);

  await browser.submit(INVITE, { ...LONG, wave: "other", next: "100" });
  await service.repeatOnce();
  const refused = await browser.send(WAVE, { id: "other", change: "cancel", confirmed: "yes" });
  assert.equal(refused.status, 409);
  assert.match(
    textOf(refused.html),
    /only a wave that is running or paused, or whose e-mails wait, can be/,
  );
  assert.equal((await browser.open(`${WAVE}?id=none`)).status, 404);
});

test("wavePage says in German that a wave cannot go on when its invitations have expired", async (service) => {
  await storeWaiting(service.kv, 2_600);
  const { browser, clock } = service;
  const expires = new Date(clock.now + 60_000).toISOString();
  const body = { wave: "long", next: 2_500, link: LINK, letters: false, expires };
  await (await service.operate("/waves", body)).body?.cancel();
  await browser.send(WAVE, { id: "long", change: "pause" });
  clock.now += 60_000;
  const refused = await browser.send(WAVE, { id: "long", change: "resume" }, {
    headers: { "Accept-Language": "de" },
  });
  assert.equal(refused.status, 409);
  assert.match(textOf(refused.html), /gelten nicht mehr, daher lässt sie sich nicht fortsetzen/);
  assert.doesNotMatch(refused.html, /lang="en">The wave/);
});

test("wavePage asks for confirmation before it cancels a wave", async (service) => {
  await storeWaiting(service.kv, 2_600);
  const { browser } = service;
  const { html } = await browser.submit(INVITE, LONG);
  await browser.submit(WAVE, fieldsOf(html, "Pause"));
  const asked = await browser.send(WAVE, { id: "long", change: "cancel" });
  assert.match(asked.html, /<h1>Cancel the wave\?<\/h1>/);
  const { html: end } = await browser.submit(WAVE, fieldsOf(asked.html, "Cancel the wave"));
  assert.match(textOf(end), /Wave long Cancelled/);
  await service.repeatOnce();
  assert.match(textOf((await browser.open(`${WAVE}?id=long`)).html), /Wave long Cancelled/);
});

Deno.test("wavePage puts the refused letters of a finished wave into the outbox again", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  await storeWaiting(kv, 2);
  await browser.submit(INVITE, {
    next: "2",
    link: LINK,
    wave: "first",
    confirmed: "yes",
    letters: "yes",
  });
  const waiting = await browser.open(`${WAVE}?id=first`);
  assert.match(
    textOf(waiting.html),
    /Wave first Running .* E‑mails waiting 2 E‑mails rejected 0 .* Sending e‑mails, 0 of 2 /,
  );
  assert.doesNotMatch(waiting.html, />Send the rejected e‑mails again …</);
  const [letter] = await readFirstItems(kv, "invitations", { limit: 1 });
  const refusedItem = { queue: "refused", placedAt: START, dueAt: START } as const;
  await createOutboxStore(kv).postpone(letter!, { ...letter!.item, ...refusedItem });
  const { html } = await browser.open(`${WAVE}?id=first`);
  assert.match(
    textOf(html),
    /E‑mails waiting 1 E‑mails rejected 1 .* Sending e‑mails, 1 of 2 The wave goes on by itself/,
  );
  assert.match(html, /<progress max="2" value="1" [^>]+><\/progress> Sending e‑mails, 1 of 2</);
  // One person's e-mail was rejected, and the other person's waits.
  const badges = [...html.matchAll(/Invited<\/span> <span class="badge[^>]*>([^<]+)</g)];
  assert.deepEqual(badges.map(([, badge]) => badge).sort(), ["E‑mail rejected", "E‑mail waits"]);
  assert.match(
    html,
    /E‑mails waiting<\/dt><dd><a href="\/operator\/outbox\/\?list=waiting&amp;wave=first">1<[^]+E‑mails rejected<\/dt><dd><a href="\/operator\/outbox\/\?list=log&amp;wave=first&amp;state=refused">1</,
  );
  assert.doesNotMatch(waiting.html, /state=refused/);
  assert.match(
    textOf((await browser.open("/operator/")).html),
    /Wave first : Sending e‑mails, 1 of 2\. (?!People invited)/,
  );
  const question = await browser.send(WAVE, fieldsOf(html, "Send the rejected e‑mails again …"));
  assert.match(
    textOf(question.html),
    /Send the rejected e‑mails again\? E‑mails that are sent again: 1\. .* three e‑mails in a row, all e‑mails are paused/,
  );
  await browser.submit(WAVE, fieldsOf(question.html, "Send the rejected e‑mails again"));
  await service.repeatOnce();
  const sent = await browser.open(`${WAVE}?id=first`);
  // The outbox worker of the service may have found meanwhile that no mail server answers, and paused all e-mails.
  assert.match(
    textOf(sent.html),
    /Wave first (?:Running|Paused with all e‑mails) .* E‑mails waiting 2 E‑mails rejected 0 .* (?:Sending e‑mails|Paused with all e‑mails until [^.]+), 0 of 2 /,
  );
  assert.doesNotMatch(sent.html, />Send the rejected e‑mails again …</);
});

test("wavePage does not offer to resume a paused wave whose invitations have expired, and says why", async (service) => {
  await storeWaiting(service.kv, 2_600);
  const { browser, clock } = service;
  const expires = new Date(clock.now + 60_000).toISOString();
  await call(service, "/waves", { wave: "long", next: 2_500, link: LINK, letters: false, expires });
  await browser.send(WAVE, { id: "long", change: "pause" });
  clock.now += 60_000;
  const { html } = await browser.open(`${WAVE}?id=long`);
  assert.doesNotMatch(html, />Go on</);
  assert.match(
    textOf(html),
    /The invitations of the wave are no longer valid, so it cannot go on\./,
  );
});
