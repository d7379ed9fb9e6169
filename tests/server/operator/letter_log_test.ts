/** The log of letters: what is written into it, who sees it, and when its entries are removed. */
import assert from "node:assert/strict";
import type { SendOutcome } from "../../../server/letters/letter.ts";
import { createPeopleExpiry } from "../../../server/store/expiry/expire_people.ts";
import { sweep } from "../../../server/store/expiry/sweep.ts";
import type { ListedLetter, LoggedLetter } from "../../../shared/operator_schemas.ts";
import { backup, begin, endOf, finish, send } from "../../support/backups.ts";
import { openBrowser, openPerson, signIn } from "../../support/console.ts";
import { textOf } from "../../support/console_forms.ts";
import {
  at,
  logOf,
  readRecordIdsInLog,
  REFUSED,
  startWithLetters,
  TAKEN,
} from "../../support/letter_log.ts";
import { ADA, DAY, post, report, SECRET, sign, start } from "../../support/mail_hooks.ts";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { call, startOperatedService } from "../../support/operator.ts";
import { startWorker } from "../../support/outbox_worker.ts";
import { form, json, START } from "../../support/service.ts";

/** How many letters the log has. */
const logKeys = async (kv: Kv) => (await readRecordIdsInLog(kv)).length;

Deno.test("A sign-up writes nothing to the log of letters, and the log keeps a refused letter beside its retry", async () => {
  await using service = await start(`generic:${SECRET}`);
  await service.request("/api/v1/waitlist", json({ email: ADA, consent: true }));
  assert.equal(await logKeys(service.kv), 0);
  let outcome: SendOutcome = REFUSED;
  const worker = startWorker(service.kv, service.clock, { send: () => outcome });
  await worker.round();
  const [refused] = (await logOf(service)).letters;
  assert.equal(refused?.state, "refused");
  service.clock.now += DAY;
  const { items: [item] } = await call(service, "/outbox/list", { refused: true });
  await (await service.operate("/outbox/retry", { ids: [item.id] })).text();
  assert.equal(await logKeys(service.kv), 1);
  outcome = TAKEN;
  service.clock.now += 1_000;
  await worker.round();
  const { letters: [taken, ...others] } = await logOf(service);
  const retried = { ...refused, state: "retried" };
  assert.deepEqual(others, [retried]);
  assert.deepEqual([taken?.state, taken?.putAt], ["taken", at(START + DAY)]);
  assert.equal(await logKeys(service.kv), 2);

  const browser = await signIn(service);
  const shown = textOf((await openPerson(browser, ADA)).html);
  assert.match(
    shown,
    /accepted by the mail server 250 .+ Confirmation e‑mail tried again operator .+ rejected for good 550/,
  );

  const lines = await backup(service);
  await using another = await startOperatedService();
  await begin(another, lines);
  await send(another, lines);
  await finish(another, lines);
  assert.deepEqual((await logOf(another)).letters, [taken, retried]);
});

Deno.test("retryOutbox keeps the outcome of a later letter of the same kind when it tries a refused letter again", async () => {
  await using service = await start(`generic:${SECRET}`);
  await service.request("/api/v1/waitlist", json({ email: ADA, consent: true }));
  let outcome: SendOutcome = REFUSED;
  const worker = startWorker(service.kv, service.clock, { send: () => outcome });
  await worker.round();
  const { items: [item] } = await call(service, "/outbox/list", { refused: true });
  service.clock.now += DAY;
  await (await service.operate("/signups/remind", { emails: [ADA] })).text();
  outcome = TAKEN;
  await worker.round();
  const lastConfirmation = async () =>
    (await call(service, "/signups/show", { email: ADA })).lastLetters.confirmation;
  const taken = await lastConfirmation();
  assert.equal(taken.putAt, at(START + DAY));
  await (await service.operate("/outbox/retry", { ids: [item.id] })).text();
  assert.deepEqual(await lastConfirmation(), taken);
});

Deno.test("The log, the list and the history of a person say 'rejected, with a new try' as long as the letter waits after three refusals in a row", async () => {
  const emails = [ADA, "bo@example.com", "cy@example.com"];
  await using service = await startWithLetters(emails, () => ({
    kind: "refused_recipient",
    reason: "550 5.1.1 no such user",
  }));
  // The first try of a letter is repeated after a minute.
  const nextTryAt = at(service.clock.now + 60_000);
  const { letters } = await logOf(service);
  const expected = emails.map((email) => ["retried", nextTryAt, email]).reverse();
  assert.deepEqual(
    letters.map(({ state, nextTryAt, email }) => [state, nextTryAt, email]),
    expected,
  );
  assert.deepEqual((await logOf(service, { state: "refused" })).letters, []);
  assert.deepEqual((await logOf(service, { state: "retried" })).letters, letters);
  assert.deepEqual((await logOf(service, { state: "rejected" })).letters, letters);
  const { letterLog, lastLetters } = await call(service, "/signups/show", { email: ADA });
  const { id: _, email: _email, ...letter } = letters.at(-1)!;
  assert.deepEqual(letterLog, [letter]);
  assert.deepEqual(lastLetters, {});

  const browser = await signIn(service);
  const person = textOf((await openPerson(browser, ADA)).html);
  assert.doesNotMatch(person, /rejected for good|has not accepted|E‑mail waits/);
  assert.match(person, / Unconfirmed E‑mail rejected /);
  assert.match(person, /confirmation – rejected, with a new try 550 5\.1\.1 no such user/);
  assert.match(
    person,
    /has rejected the e‑mail [^:]+: 550 5\.1\.1 no such user Rejected at 21 Nov 2026, 12:00\. Correct the address if it is wrong\. The e‑mail is tried again after the pause of all e‑mails\. The pause lasts at least until [^;]+; for the reason, see E‑mails and events Correct the address … Mark .+ waiting, to be tried after the pause of all e‑mails /,
  );
  assert.equal(person.match(/confirmation – put into the outbox/g)?.length, 1);
  const log = textOf((await browser.open("/operator/outbox/?list=log&state=rejected")).html);
  assert.match(log, /rejected, with a new try, 21 Nov 2026, 12:00 ; next try: after the pause /);

  const worker = startWorker(service.kv, service.clock, { send: () => TAKEN });
  service.clock.now += 60_000;
  for (let second = 0; second < 3; second++) {
    await worker.round();
    service.clock.now += 1_000;
  }
  const states = (await logOf(service)).letters.map(({ state }) => state);
  assert.deepEqual(states, ["taken", "taken", "taken"]);
});

Deno.test("listLetters says that no new try follows a refused letter to an earlier address, before and after a letter to the new address was sent", async () => {
  await using service = await startWithLetters([ADA], () => ({
    kind: "refused_recipient",
    reason: "550 5.1.1 no such user",
  }));
  const toFormer = async () => {
    const { letters } = await logOf(service, { state: "rejected" });
    return letters.map(({ state, noNewTry, toFormerAddress }) => [
      state,
      noNewTry,
      toFormerAddress,
    ]);
  };
  assert.deepEqual(await toFormer(), [["refused", undefined, undefined]]);
  service.clock.now += 60_000;
  await call(service, "/signups/correct", { email: ADA, newEmail: "new@example.com" });
  assert.deepEqual(await toFormer(), [["retried", true, true]]);
  service.clock.now += 1_000;
  await startWorker(service.kv, service.clock, { send: () => TAKEN }).round();
  const { letters: [taken] } = await logOf(service);
  assert.deepEqual([taken?.state, taken?.email], ["taken", "new@example.com"]);
  assert.deepEqual(await toFormer(), [["retried", true, true]]);
});

Deno.test("listLetters and showSignup give only the newest try of a letter the next try when the letter was refused again after a retry", async () => {
  const emails = [ADA, "bo@example.com", "cy@example.com"];
  await using service = await startWithLetters(emails.slice(0, 1), () => REFUSED);
  const { items: [item] } = await call(service, "/outbox/list", { refused: true });
  service.clock.now += DAY;
  await (await service.operate("/outbox/retry", { ids: [item.id] })).text();
  for (const email of emails.slice(1)) {
    await service.request("/api/v1/waitlist", json({ email, consent: true }));
  }
  const worker = startWorker(service.kv, service.clock, { send: () => REFUSED });
  await worker.round();
  const nextTryAt = at(service.clock.now + 60_000);
  const ofAda = (await logOf(service)).letters.filter(({ email }) => email === ADA);
  const expected = [["retried", nextTryAt], ["retried", undefined]];
  assert.deepEqual(ofAda.map(({ state, nextTryAt }) => [state, nextTryAt]), expected);
  const { letterLog } = await call(service, "/signups/show", { email: ADA });
  assert.deepEqual(
    letterLog.map(({ state, nextTryAt }: LoggedLetter) => [state, nextTryAt]),
    expected,
  );
  const { html } = await (await signIn(service)).open("/operator/outbox/?list=log&state=retried");
  const log = textOf(html);
  assert.match(log, /rejected, with a new try, 22 Nov 2026, 12:00 ; next try: after the pause /);
  assert.match(log, /rejected before a new try, 21 Nov 2026, 12:00 /);
});

Deno.test("A bounce or complaint that the mail provider reports is stored with its letter in the log of letters", async () => {
  await using service = await startWithLetters([ADA]);
  service.clock.now += DAY;
  await service.request("/place/", form({ email: ADA }));
  await service.request("/api/v1/waitlist", json({ email: ADA, consent: true }));
  const second = {
    ...TAKEN,
    answer: "250 2.0.0 Ok: queued as 9Yw8Vu7tSrQp",
    messageId: "<2@x.test>",
  };
  await startWorker(service.kv, service.clock, { send: () => second }).round();
  service.clock.now += 60_000;
  const bounce = report("mail.bounced", { messageId: "4Zx1Qk0aBcDe" }, service.clock.now);
  assert.equal(await post(service, "generic", sign(bounce, { at: service.clock.now })), 200);
  const { letters } = await logOf(service);
  assert.deepEqual(letters.map(({ state, messageId }) => [state, messageId]), [
    ["taken", "<2@x.test>"],
    ["bounced", TAKEN.messageId],
  ]);
  assert.deepEqual(letters[1]?.report, {
    kind: "bounced",
    at: at(service.clock.now),
    reason: "550 5.1.1 … is unknown",
  });
  const browser = await signIn(service);
  for (
    const { html } of [
      await openPerson(browser, ADA),
      await browser.open("/operator/outbox/?list=log"),
    ]
  ) {
    assert.match(textOf(html), /came back, 22 Nov 2026, [\d:]+ 550 5\.1\.1 … is unknown /);
  }

  // A complaint without the id of a letter is about the last letter.
  const complaint = report("mail.complained", {}, service.clock.now);
  const signed = sign(complaint, { id: "msg_2", at: service.clock.now });
  assert.equal(await post(service, "generic", signed), 200);
  const states = (await logOf(service)).letters.map(({ state }) => state);
  assert.deepEqual(states, ["complained", "bounced"]);
});

Deno.test("The self-service page, the download of a person's data and the console show the person's letters", async () => {
  await using service = await startWithLetters([ADA]);
  const { letterLog, placeUrl } = await call(service, "/signups/show", { email: ADA });
  assert.deepEqual(letterLog.map(({ state }: ListedLetter) => state), ["taken"]);
  const t = new URL(placeUrl).searchParams.get("t") ?? "";
  const own = await (await service.request("/place/data", form({ t }))).json();
  const [{ state: _, ...letter }] = letterLog;
  assert.deepEqual(own.letterLog, [letter]);

  const browser = await signIn(service);
  const shown = textOf((await openPerson(browser, ADA)).html);
  assert.match(
    shown,
    /(?<!: )Confirmation 21 Nov 2026, 12:00 accepted by the mail server, 21 Nov/,
  );
  const { html } = await browser.open("/operator/outbox/?list=log");
  assert.match(html, /aria-current="page">E‑mails of 90 days</);
  assert.match(html, /<a href="\/operator\/people\/[\w-]+">ada@<wbr>example\.com<\/a>/);
  const none = await openBrowser(service).open("/operator/outbox/?list=log");
  assert.doesNotMatch(none.html, /ada@/);
});

Deno.test("The self-service page shows what became of each letter, in English and in German", async () => {
  await using service = await startWithLetters([ADA], () => REFUSED);
  const { placeUrl } = await call(service, "/signups/show", { email: ADA });
  const { search } = new URL(placeUrl);
  const technicalOf = async (path: string) => {
    const html = await (await service.request(`${path}${search}`)).text();
    const [plain = "", technical = ""] = html.split("<details>");
    assert.doesNotMatch(plain, /550 5|4Zx1Qk0aBcDe/);
    return textOf(technical);
  };
  const refused = await technicalOf("/place/");
  assert.match(
    refused,
    /90 days The e‑mail that asks [^–]+ UTC – waiting to be sent [^–]+ – refused by the mail server · 550 5\.7\.1/,
  );
  assert.equal(refused.match(/550 5\.7\.1/g)?.length, 1, "the letter is listed once");

  await (await service.operate("/outbox/retry", { all: true })).text();
  await startWorker(service.kv, service.clock, { send: () => TAKEN }).round();
  const bounce = report("mail.bounced", { messageId: "4Zx1Qk0aBcDe" }, service.clock.now);
  assert.equal(await post(service, "generic", sign(bounce, { at: service.clock.now })), 200);
  assert.match(
    await technicalOf("/place/"),
    /90 days The e‑mail that asks .+ – sent · 250 [^·]+ · &lt;1@.+ – came back as undeliverable · 550 5\.1\.1/,
  );
  assert.match(
    await technicalOf("/de/platz/"),
    /90 Tage Die E‑Mail mit der Bitte .+ – verschickt · 250 .+ – kam als unzustellbar zurück · 550 5\.1\.1/,
  );
});

Deno.test("Erasure, leaving and expiry remove a person's letters from the log of letters, and a correction keeps these letters", async () => {
  const emails = [ADA, "bo@example.com", "cy@example.com"];
  await using service = await startWithLetters(emails);
  const { kv, clock } = service;
  assert.equal(await logKeys(kv), 3);
  const { placeUrl } = await call(service, "/signups/show", { email: "bo@example.com" });
  const t = new URL(placeUrl).searchParams.get("t") ?? "";
  await service.request("/place/leave", form({ t, sure: "1" }));
  assert.equal(await logKeys(kv), 2);
  await call(service, "/signups/correct", { email: ADA, newEmail: "ada@example.org" });
  const { letters } = await logOf(service);
  assert.deepEqual(letters.map(({ email }) => email), ["cy@example.com", "ada@example.org"]);
  await call(service, "/signups/erase", { email: "ada@example.org" });
  assert.equal(await logKeys(kv), 1);
  const outbox = { sendsLetters: true, sendsEvents: false, random: () => new Uint8Array(16) };
  const { signal } = new AbortController();
  await createPeopleExpiry({ kv, outbox, days: 14 })(clock.now + 15 * DAY, signal);
  assert.equal(await logKeys(kv), 0);
});

Deno.test("A backup contains the log of letters, and a restore stores only the letters of people on the list", async () => {
  const emails = [ADA, "bo@example.com"];
  await using old = await startWithLetters(emails, (email) => email === ADA ? REFUSED : TAKEN);
  const lines = await backup(old);
  const { sha256, counts } = endOf(lines);
  assert.equal((counts as Record<string, number>).letters, 2);
  const { letters } = await logOf(old);

  await using service = await startOperatedService();
  service.clock.now = old.clock.now;
  await begin(service, lines);
  // A small backup comes in one call, in which the letters stand before the sign-ups.
  await send(service, lines);
  assert.deepEqual((await logOf(service)).letters, letters);
  await send(service, lines);
  await finish(service, lines);
  assert.deepEqual((await logOf(service)).letters, letters);
  assert.equal(await logKeys(service.kv), 2);

  // Bo is erased in the new store before the letters come.
  await using other = await startOperatedService();
  other.clock.now = old.clock.now;
  await begin(other, lines);
  await send(other, lines.filter(({ kind }) => kind !== "letter"), sha256);
  await call(other, "/signups/erase", { email: "bo@example.com" });
  await send(other, lines.filter(({ kind }) => kind === "letter"), sha256);
  assert.deepEqual((await logOf(other)).letters.map(({ email }) => email), [ADA]);

  await using late = await startOperatedService();
  late.clock.now = old.clock.now + 91 * DAY;
  await begin(late, lines);
  await send(late, lines);
  assert.equal(await logKeys(late.kv), 0);
});

Deno.test("sweep() removes letters from the log of letters after 90 days", async () => {
  await using service = await startWithLetters([ADA, "bo@example.com"]);
  await sweep(service.kv, START + 90 * DAY);
  assert.equal(await logKeys(service.kv), 2);
  await sweep(service.kv, START + 90 * DAY + 1);
  const { letters } = await logOf(service);
  assert.deepEqual(letters.map(({ email }) => email), ["bo@example.com"]);
  assert.equal(await logKeys(service.kv), 1);
});
