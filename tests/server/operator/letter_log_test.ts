/** The log of letters: what is written into it, who sees it, and when its entries are removed. */
import assert from "node:assert/strict";
import type { SendOutcome } from "../../../server/letters/letter.ts";
import { createPeopleExpiry } from "../../../server/store/expiry/expire_people.ts";
import { sweep } from "../../../server/store/expiry/sweep.ts";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import {
  momentAndIdOf,
  setLoggedLetter,
  type StoredLetter,
} from "../../../server/store/people/letter_log.ts";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import type { ListedLetter } from "../../../shared/operator_schemas.ts";
import { backup, begin, endOf, finish, send } from "../../support/backups.ts";
import { openBrowser, openPerson, signIn } from "../../support/console.ts";
import { textOf } from "../../support/console_forms.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { ADA, DAY, post, report, SECRET, sign, start } from "../../support/mail_hooks.ts";
import { listAll } from "../../support/memory_kv.ts";
import {
  assertRefused,
  call,
  type OperatedService,
  startOperatedService,
} from "../../support/operator.ts";
import { startWorker } from "../../support/outbox_worker.ts";
import { form, json, START, WITH_MAIL } from "../../support/service.ts";

const TAKEN = {
  kind: "taken",
  answer: "250 2.0.0 Ok: queued as 4Zx1Qk0aBcDe",
  messageId: "<1@waitlist.test>",
} as const;

const REFUSED = { kind: "refused_letter", reason: "550 5.7.1 not this one" } as const;

const at = (ms: number) => new Date(ms).toISOString();

/** Signs people up, and lets a worker send their letters. */
async function startWithLetters(
  emails: string[],
  outcomeOf: (email: string) => SendOutcome = () => TAKEN,
) {
  const service = await start(`generic:${SECRET}`);
  for (const [index, email] of emails.entries()) {
    const signUp = json({ email, consent: true });
    const { status } = await service.request("/api/v1/waitlist", {
      ...signUp,
      from: `10.0.${index}.1`,
    });
    assert.equal(status, 200);
    service.clock.now += 1_000;
  }
  const worker = startWorker(service.kv, service.clock, { send: outcomeOf });
  await worker.round();
  return { ...service, worker, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const logOf = (service: OperatedService, body: object = {}) =>
  call(service, "/letters/list", body) as Promise<{ letters: ListedLetter[]; next?: string }>;

async function logKeys(kv: Kv): Promise<number> {
  const [own, all] = await Promise.all([
    listAll(kv, { prefix: ["letter_log"] }),
    listAll(kv, { prefix: ["letter_log_at"] }),
  ]);
  assert.equal(own.length, all.length);
  return own.length;
}

Deno.test("listLetters returns taken and refused letters page by page, the newest first", async () => {
  const emails = [ADA, "bo@example.com", "cy@example.com"];
  await using service = await startWithLetters(emails, (email) => email === ADA ? REFUSED : TAKEN);
  const { letters, next } = await logOf(service, { limit: 2 });
  const [{ id: _, ...newest } = {} as ListedLetter, second] = letters;
  assert.deepEqual(newest, {
    letter: "confirmation",
    state: "taken",
    putAt: at(START + 2_000),
    takenAt: at(START + 3_000),
    answer: TAKEN.answer,
    messageId: TAKEN.messageId,
    email: "cy@example.com",
  });
  assert.equal(second?.email, "bo@example.com");
  const rest = await logOf(service, { limit: 2, before: next });
  assert.deepEqual(
    rest.letters.map(({ email, state, answer }) => [email, state, answer]),
    [[ADA, "refused", REFUSED.reason]],
  );
  assert.equal(rest.next, undefined);
  await assertRefused(service, "/letters/list", [
    [{ before: "yesterday" }, /^Field 'before' is 'yesterday'; give the 'next'/],
  ]);
  const entries = JSON.stringify(await listAll(service.kv, { prefix: ["letter_log"] }));
  assert.doesNotMatch(entries, /example\.com/, "the log holds no address");
});

Deno.test("listLetters returns only the letters of a kind or in a state, and goes on behind letters that do not fit", async () => {
  const emails = ["ada@example.com", "bo@example.com", "cy@example.com", "di@example.com"];
  await using service = await startWithLetters(
    emails,
    (email) => email === "bo@example.com" || email === "di@example.com" ? REFUSED : TAKEN,
  );
  const found = async (body: object) => {
    const { letters, next } = await logOf(service, body);
    return [letters.map(({ email }) => email?.slice(0, 2)), next] as const;
  };
  assert.deepEqual(await found({ state: "refused" }), [["di", "bo"], undefined]);
  assert.deepEqual(await found({ state: "taken", letter: "confirmation" }), [
    ["cy", "ad"],
    undefined,
  ]);
  assert.deepEqual(await found({ letter: "invitation" }), [[], undefined]);
  const [first, next] = await found({ state: "refused", limit: 1 });
  assert.deepEqual(first, ["di"]);
  // The letter to Cy was read, but does not fit.
  assert.match(next!, new RegExp(`^${at(START + 2_000)} `));
  const second = await found({ state: "refused", limit: 1, before: next });
  assert.deepEqual(second, [["bo"], undefined]);
  await assertRefused(service, "/letters/list", [
    [{ letter: "test" }, /^Field 'letter' is 'test'; give 'confirmation', 'invitation' or 'link'/],
    [{ state: "waiting" }, /^Field 'state' is 'waiting'; give 'taken', 'refused', 'bounced', 'com/],
  ]);
});

/** Stores an entry of the log that was put into the outbox at a moment. */
async function storeLetter(
  kv: Kv,
  { recordId = "r", ms, ...letter }: Partial<StoredLetter> & { recordId?: string; ms: number },
): Promise<void> {
  const putAt = at(ms);
  const commit = new Commit();
  setLoggedLetter(commit, {
    recordId,
    momentAndId: momentAndIdOf(putAt, `i${ms}`),
    letter: { letter: "link", putAt, takenAt: putAt, ...letter },
  });
  await kv.commit(commit);
}

Deno.test("listLetters returns only the letters that were put into the outbox from 'since' on and before 'before'", async () => {
  await using service = await startOperatedService();
  const midnight = Date.parse("2026-11-20");
  const moments = [midnight - 1, midnight, midnight + DAY - 1, midnight + DAY];
  for (const ms of moments) await storeLetter(service.kv, { ms });
  const found = async (body: object) => {
    const { letters, next } = await logOf(service, body);
    return [letters.map(({ putAt }) => Date.parse(putAt)), next] as const;
  };
  const ofDay = { since: "2026-11-20", before: "2026-11-21" };
  assert.deepEqual(await found(ofDay), [[moments[2], moments[1]], undefined]);
  assert.deepEqual(await found({ since: "2026-11-21T01:00:00+01:00" }), [[moments[3]], undefined]);
  const [first, next] = await found({ ...ofDay, limit: 1 });
  assert.deepEqual(first, [moments[2]]);
  assert.deepEqual(await found({ ...ofDay, limit: 1, before: next }), [[moments[1]], undefined]);
  await assertRefused(service, "/letters/list", [
    [{ since: "yesterday" }, /^Field 'since' is 'yesterday'; give a UTC date/],
  ]);
});

Deno.test("listLetters returns the bounced and complained letters together for the state 'reported'", async () => {
  await using service = await startOperatedService();
  const kinds = ["bounced", undefined, "complained"] as const;
  for (const [index, kind] of kinds.entries()) {
    const ms = START + index;
    await storeLetter(service.kv, { ms, ...kind && { report: { kind, at: at(ms) } } });
  }
  const { letters } = await logOf(service, { state: "reported" });
  assert.deepEqual(letters.map(({ state }) => state), ["complained", "bounced"]);
});

Deno.test("listLetters returns only the invitations of a wave, and reads fewer letters when it must read their people", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  const { kv } = service;
  await storeWaiting(kv, 3);
  await call(service, "/waves", { wave: "first", next: 2, link: LINK });
  await call(service, "/waves", { wave: "second", next: 1, link: LINK });
  for (const item of await readFirstItems(kv, "invitations", { limit: 3 })) {
    await createOutboxStore(kv).complete(item, START);
  }
  const { letters: [newest] } = await logOf(service);
  await storeLetter(kv, { ms: START + 1, recordId: newest!.id });
  const found = async (body: object) => {
    const { letters, next } = await logOf(service, body);
    return [letters.map(({ email, letter }) => `${letter} ${email}`).toSorted(), next] as const;
  };
  const ofFirst = [`invitation ${nth(0)}`, `invitation ${nth(1)}`];
  assert.deepEqual(await found({ wave: "first" }), [ofFirst, undefined]);
  assert.deepEqual(await found({ wave: "second" }), [[`invitation ${nth(2)}`], undefined]);
  assert.deepEqual(await found({ wave: "third" }), [[], undefined]);
  assert.deepEqual(await found({ wave: "first", letter: "link" }), [[], undefined]);
  await assertRefused(service, "/letters/list", [
    [{ wave: "a b" }, /^Field 'wave' is 'a b'; give the id of a wave/],
  ]);

  // Letters to people who are gone, newer than the others: 751 letters that each count as two.
  for (let n = 1; n <= 751; n++) {
    await storeLetter(kv, { ms: START + DAY + n, letter: "invitation" });
  }
  const oldestRead = START + DAY + 2;
  const next = `${at(oldestRead)} i${oldestRead}`;
  assert.deepEqual(await found({ wave: "first" }), [[], next]);
  assert.deepEqual(await found({ wave: "first", before: next }), [ofFirst, undefined]);
});

Deno.test("listLetters reads at most 1,500 letters in a call, and goes on with the next call", async () => {
  await using service = await startOperatedService();
  const positions = Array.from({ length: 1_501 }, (_, n) => {
    return { recordId: "r", momentAndId: momentAndIdOf(at(START - n), `i${n}`), n };
  });
  for (let from = 0; from < positions.length; from += 100) {
    const commit = new Commit();
    for (const { n, ...position } of positions.slice(from, from + 100)) {
      const putAt = at(START - n);
      const outcome = n === 1_500 ? { refusedAt: putAt } : { takenAt: putAt };
      setLoggedLetter(commit, { ...position, letter: { letter: "link", putAt, ...outcome } });
    }
    await service.kv.commit(commit);
  }
  const first = await logOf(service, { state: "refused" });
  assert.deepEqual(first, { letters: [], next: `${at(START - 1_499)} i1499` });
  const second = await logOf(service, { state: "refused", before: first.next });
  assert.deepEqual(second.letters.map(({ state }) => state), ["refused"]);
  assert.equal(second.next, undefined);
  const browser = await signIn(service);
  const { html } = await browser.open("/operator/outbox/?list=log&state=refused");
  assert.match(html, /role="status">Found so far: 0\. Searched the e‑mails back to 21 Nov 2026\.</);
  assert.match(html, /<option value="refused" selected>rejected for good</);
  assert.doesNotMatch(html, /fits these choices/);
  const [, goOn] = html.match(/<a class="button" href="([^"]+)">Search on<\/a>/) ??
    assert.fail(html);
  const { html: rest } = await browser.open(goOn!.replaceAll("&amp;", "&"));
  assert.match(rest, /<td[^>]*>rejected for good, /);
  assert.match(rest, /role="status">Found: 1</);
  assert.doesNotMatch(rest, /Search on|Searched the/);
  const [, first_] = rest.match(/<a class="button" href="([^"]+)">First page<\/a>/) ?? [];
  assert.equal(first_, "/operator/outbox/?list=log&amp;state=refused");
});

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
  assert.deepEqual(others, [refused]);
  assert.deepEqual([taken?.state, taken?.putAt], ["taken", at(START + DAY)]);
  assert.equal(await logKeys(service.kv), 2);

  const browser = await signIn(service);
  const shown = textOf((await openPerson(browser, ADA)).html);
  assert.match(
    shown,
    /accepted by the mail server 250 .+ E‑mail or event tried again operator .+ rejected for good 550/,
  );

  const lines = await backup(service);
  await using another = await startOperatedService();
  await begin(another, lines);
  await send(another, lines);
  await finish(another, lines);
  assert.deepEqual((await logOf(another)).letters, [taken, refused]);
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
    /E‑mail: confirmation 21 Nov 2026, 12:00 accepted by the mail server, 21 Nov/,
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
    /90 days The e‑mail that asks [^–]+ UTC – waiting to be sent [^–]+ – refused for good [^·]+ · 550 5\.7\.1/,
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
