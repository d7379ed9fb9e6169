import assert from "node:assert/strict";
import { PEOPLE_IN_COMMIT } from "../../../server/store/people/commit_size.ts";
import type { WavePeople, WavePlan, WaveReport } from "../../../shared/operator_schemas.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { listAll } from "../../support/memory_kv.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import {
  assertRefused,
  call,
  readAudit,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { everyEntry, storedIds } from "../../support/records.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

const WAVES = "/waves";

/** A request without letters, which a service without mail takes. */
const REQUEST = { wave: "first", link: LINK, letters: false };

test("startWave invites a small wave at once, and returns the same wave when the call is repeated", async (service) => {
  await storeWaiting(service.kv, 3);
  const wave = await call(service, WAVES, { ...REQUEST, next: 2, lang: "en" });
  const counts = { invited: 2, taken: 0, refused: 0, accepted: 0 };
  const expected = {
    ...REQUEST,
    next: 2,
    lang: "en",
    ...counts,
    state: "done",
    operator: "operator",
    startedAt: new Date(START).toISOString(),
  };
  assert.deepEqual(wave, expected);
  assert.deepEqual(await call(service, WAVES, { ...REQUEST, next: 2, lang: "en" }), expected);
  assert.deepEqual(await call(service, `${WAVES}/first`), expected);
  assert.deepEqual(await call(service, WAVES), { waves: [expected] });
  const details = { wave: "first", next: 2, lang: "en", letters: false, invited: 2 };
  const entries = (await readAudit(service)).map(({ action, details }) => [action, details]);
  assert.deepEqual(entries, [["startWave", { ...details, complete: true }]]);
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});

test("startWave chooses an id for the wave when the body has none, and returns the people whom it cannot invite", async (service) => {
  await storeWaiting(service.kv, 2, (n) => n === 1 ? { state: "unconfirmed" } : {});
  const emails = [nth(0).toUpperCase(), nth(1), "nobody@example.com"];
  const { wave: _, ...request } = REQUEST;
  const { wave, named, notInvited } = await call<WaveReport & { notInvited: unknown }>(
    service,
    WAVES,
    { ...request, emails },
  );
  assert.match(wave, /^2026-11-21-120020-000-[0-9a-f]{6}$/);
  assert.equal(named, 3);
  assert.deepEqual(notInvited, [
    { email: nth(1), reason: "unconfirmed" },
    { email: "nobody@example.com", reason: "unknown" },
  ]);
  await call(service, "/signups/erase", { email: nth(0) });
  const text = JSON.stringify(await everyEntry(service.kv));
  for (const email of [nth(0), "nobody@example.com"]) assert.ok(!text.includes(email), text);
});

test("The service works on waves by itself, and a wave can be paused, resumed and cancelled", async (service) => {
  await storeWaiting(service.kv, 2_800);
  const path = `${WAVES}/first`;
  const begun = await call(service, WAVES, { ...REQUEST, next: 1_400 });
  assert.deepEqual([begun.state, begun.invited], ["running", PEOPLE_IN_COMMIT]);
  const paused = await call(service, `${path}/pause`, undefined, "POST");
  assert.equal(paused.state, "paused");
  await service.repeatOnce();
  const { invited } = await call(service, path);
  assert.equal((await call(service, `${path}/pause`, undefined, "POST")).invited, invited);
  assert.ok(invited < 1_400, `${invited}`);
  await call(service, `${path}/resume`, undefined, "POST");
  await service.repeatOnce();
  const done = await call(service, path);
  assert.deepEqual([done.state, done.invited], ["done", 1_400]);
  const refused = await refusalOf(service.operate(`${path}/cancel`, undefined, { method: "POST" }));
  assert.match(refused, /^409 conflict: The wave 'first' is done; only a wave that is running or/);

  await call(service, WAVES, { ...REQUEST, wave: "second", next: 1_400 });
  await call(service, `${WAVES}/second/cancel`, undefined, "POST");
  await service.repeatOnce();
  const second = await call(service, `${WAVES}/second`);
  assert.ok(second.state === "cancelled" && second.invited < 1_400, JSON.stringify(second));
  const resumed = service.operate(`${WAVES}/second/resume`, undefined, { method: "POST" });
  assert.match(await refusalOf(resumed), /a cancelled wave cannot go on, so start another one\.$/);
  const actions = (await readAudit(service)).map(({ action }) => action);
  const made = ["cancelWave", "pauseWave", "resumeWave", "startWave", "startWave"];
  assert.deepEqual(actions.toSorted(), made, "what changes nothing leaves no entry");
});

Deno.test("showWave does not count the waiting letters of erased people", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  await storeWaiting(service.kv, 3);
  const request = { ...REQUEST, letters: true };
  const begun = await call<WaveReport>(service, WAVES, { ...request, next: 2 });
  assert.deepEqual([begun.state, begun.lettersWaiting], ["done", 2]);
  const { waves } = await call<{ waves: WaveReport[] }>(service, WAVES);
  assert.equal(waves[0]?.lettersWaiting, 2);
  for (const n of [0, 1]) await call(service, "/signups/erase", { email: nth(n) });
  const shown = await call<WaveReport>(service, `${WAVES}/first`);
  assert.equal(shown.lettersWaiting, undefined);
});

Deno.test("showWave counts a wave's letters that can still be sent, and no letters of another wave", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  await storeWaiting(service.kv, 5);
  const request = { ...REQUEST, letters: true };
  await call(service, WAVES, { ...request, next: 3 });
  await call(service, WAVES, { ...request, wave: "second", next: 2 });
  const waiting = async (wave: string) =>
    (await call<WaveReport>(service, `${WAVES}/${wave}`)).lettersWaiting;
  assert.deepEqual([await waiting("first"), await waiting("second")], [3, 2]);
  await call(service, "/signups/correct", { email: nth(0), newEmail: "new@example.com" });
  assert.equal(await waiting("first"), 3, "the letter goes to the new address");
  await call(service, "/signups/erase", { email: "new@example.com" });
  await call(service, "/signups/undeliverable", { emails: [nth(1)] });
  assert.equal(await waiting("first"), 1);
  await call(service, "/signups/erase", { email: nth(2) });
  assert.deepEqual([await waiting("first"), await waiting("second")], [undefined, 2]);
  await call(service, "/signups/deliverable", { emails: [nth(1)] });
  assert.equal(await waiting("first"), 1);
  await call(service, "/signups/undeliverable", { emails: [nth(1)] });
  await call(service, "/signups/erase", { email: nth(1) });
  assert.deepEqual([await waiting("first"), await waiting("second")], [undefined, 2]);
});

test("showWave returns the median time from the invitation to the acceptance", async (service) => {
  await storeWaiting(service.kv, 4);
  await call(service, WAVES, { ...REQUEST, next: 4 });
  const show = () => call<WaveReport>(service, `${WAVES}/first`);
  assert.equal((await show()).medianSeconds, undefined);
  const { people } = await call<WavePeople>(service, `${WAVES}/first/people`);
  for (const [index, { invitationCode: code }] of people.slice(0, 3).entries()) {
    service.clock.now += 3_600_000;
    await call(service, "/invitations/redeem", { code, reference: `user-${index}` });
  }
  const { accepted, medianSeconds } = await show();
  assert.deepEqual([accepted, medianSeconds], [3, 7_200]);
});

test("A wave pauses when its invitations expire, and cannot be resumed afterwards", async (service) => {
  // More than the worker invites before the clock moves.
  await storeWaiting(service.kv, 1_000);
  const expires = new Date(START + 60_000).toISOString();
  const begun = await call(service, WAVES, { ...REQUEST, next: 1_000, expires });
  assert.equal(begun.state, "running");
  service.clock.now += 60_000;
  await service.repeatOnce();
  const paused = await call(service, `${WAVES}/first`);
  assert.equal(paused.state, "paused");
  assert.ok(Number(paused.invited) < 1_000, String(paused.invited));
  const resumed = service.operate(`${WAVES}/first/resume`, undefined, { method: "POST" });
  const why = `its invitations held until ${expires}, so start another one`;
  assert.equal(await refusalOf(resumed), `409 conflict: The wave 'first' is paused; ${why}.`);
  await call(service, `${WAVES}/first/cancel`, undefined, "POST");
});

test("cancelWave removes the addresses of the people whom the wave was to invite", async (service) => {
  const { kv } = service;
  await storeWaiting(kv, 1_000);
  await call(service, WAVES, { ...REQUEST, next: 1_000 });
  await call(service, WAVES, { ...REQUEST, wave: "second", next: 1 });
  const names = new Commit().set(["wave_named", nth(1)], "first");
  await kv.commit(names.set(["wave_named", nth(2)], "second"));
  await call(service, `${WAVES}/first/cancel`, undefined, "POST");
  const named = await listAll<string>(kv, { prefix: ["wave_named"] });
  assert.deepEqual(named.map(({ value }) => value), ["second"]);
});

test(
  "listWavePeople returns the people of a wave page by page, with their links",
  async (service, t) => {
    const createdAt = new Date(START - 60_000).toISOString();
    await storeWaiting(service.kv, 7, (n) => n > 1 && n < 6 ? { createdAt } : {});
    await call(service, WAVES, { ...REQUEST, next: 7 });
    type Page = { people: Record<string, string>[]; next?: string };
    const found: string[] = [];
    let after = "";
    do {
      const path = `${WAVES}/first/people?limit=2${after && `&after=${after}`}`;
      const { people, next = "" } = await call<Page>(service, path);
      for (const { email = "", invitationUrl, invitationCode } of people) {
        assert.equal(invitationUrl, `https://app.example.com/?code=${invitationCode}`);
        found.push(email);
      }
      assert.doesNotMatch(next, /@|visitor/);
      after = next;
    } while (after);
    assert.equal(new Set(found).size, 7);
    assert.equal(found.length, 7);
    for (const query of ["limit=501", "after=x", "other=1"]) {
      await t.step(query, async () => {
        const refused = service.operate(`${WAVES}/first/people?${query}`);
        assert.match(await refusalOf(refused), /^400 invalid_request: The parameter /);
      });
    }
  },
);

test("listWavePeople returns all remaining people when people are erased between the calls for two pages", async (service) => {
  const createdAt = new Date(START - 60_000 * 10).toISOString();
  await storeWaiting(service.kv, 6, (n) => n < 4 ? { createdAt } : {});
  await call(service, WAVES, { ...REQUEST, next: 6 });
  type Page = { people: { email: string }[]; next?: string };
  const path = `${WAVES}/first/people?limit=3`;
  const first = await call<Page>(service, path);
  for (const { email } of first.people) await call(service, "/signups/erase", { email });
  const { people } = await call<Page>(service, `${path}&after=${first.next}`);
  assert.deepEqual(people.map(({ email }) => email).slice(-2), [nth(4), nth(5)]);
});

test("startWave stores nothing when it can invite nobody, and says why", async (service) => {
  const { kv } = service;
  await storeWaiting(kv, 501, (n) => n === 0 ? { state: "unconfirmed" } : {});
  const passedOver = { unconfirmed: 1, undeliverable: 0, complained: 0, invited: 0 };
  const named = await call(service, WAVES, { ...REQUEST, emails: [nth(0)] });
  assert.deepEqual([named.wouldInvite, named.passedOver, named.notInvited], [0, passedOver, [
    { email: nth(0), reason: "unconfirmed" },
  ]]);
  // It is found out later that nobody has this answer.
  await call(service, WAVES, { ...REQUEST, next: 2, role: "other" });
  await service.repeatOnce();
  assert.deepEqual(await call(service, WAVES), { waves: [] });
  for (const prefix of ["wave", "open_wave", "wave_named"]) {
    assert.deepEqual(await listAll(kv, { prefix: [prefix] }), []);
  }
});

test("startWave answers 409 when the id belongs to a wave with other parameters, or when letters are wanted and MAIL_URL is not set", async (service) => {
  await storeWaiting(service.kv, 2);
  await call(service, WAVES, { ...REQUEST, next: 2 });
  const other = await refusalOf(service.operate(WAVES, { ...REQUEST, next: 3 }));
  const begun = "next 2, link 'https://app.example.com/?code={code}', letters false";
  const known = `The wave 'first' was begun with other parameters: ${begun}.`;
  assert.equal(other, `409 conflict: ${known} Repeat those, or choose another id.`);
  const letters = service.operate(WAVES, { wave: "second", next: 3, link: LINK });
  assert.match(await refusalOf(letters), /^409 conflict: The service sends no e-mails/);
});

test("startWave refuses a body that does not say whom to invite, or that has no link", async (service) => {
  const before = await everyEntry(service.kv);
  await assertRefused(service, WAVES, [
    [{ ...REQUEST }, /^Give either 'next'/],
    [{ ...REQUEST, next: 1, emails: [nth(0)] }, /^Give either 'next'/],
    [{ ...REQUEST, emails: [nth(0)], lang: "de" }, /^Field 'lang' goes with 'next' only/],
    [{ ...REQUEST, next: 1, after: {} }, /^Field 'after' goes with 'dryRun' only/],
    [{ ...REQUEST, next: 1, expires: "2026-11-21T12:00:20Z" }, /^Field 'expires' is .+ ahead of/],
    [{ ...REQUEST, next: 0 }, /^Field 'next' is 0; give a whole number/],
    [{ ...REQUEST, emails: [] }, /^Field 'emails' is \[\]; give a list of 1 to 1,000/],
    [{ ...REQUEST, next: 1, wave: "a b" }, /^Field 'wave' is 'a b'; give 1 to 64/],
    [{ ...REQUEST, next: 1, link: "http://a.example/" }, /^Field 'link' is '.+; give an https:/],
    [{ ...REQUEST, next: 1, link: undefined }, /^Field 'link' is absent/],
    [{ ...REQUEST, next: 1, source: "news" }, /^Field 'source' is 'news'; give 'hero' or 'cta'/],
    [{ ...REQUEST, next: 1, role: "A" }, /^Field 'role' is 'A'; give a slug/],
  ]);
  assert.deepEqual(await everyEntry(service.kv), before);
});

Deno.test("startWave returns exact numbers of people in a dry run, also when the dry run needs several calls", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  const at = new Date(START).toISOString();
  await storeWaiting(service.kv, 450, (n) => ({
    lang: n % 3 === 0 ? "de" : "en",
    ...n === 6 && { role: "engineer", building: "agents" },
    ...n % 10 === 0 && { undeliverableAt: at },
    ...n % 10 === 1 && { state: "unconfirmed" },
    ...n % 10 === 2 && { state: "invited", invitedAt: at },
    ...n % 10 === 3 && { state: "accepted", invitedAt: at, acceptedAt: at },
    ...n % 10 === 4 && { complainedAt: at },
  }));
  // The counts of limits are written by the clock.
  const stored = async () =>
    (await everyEntry(service.kv)).filter(({ key }) => key[0] !== "limit_counts");
  const before = await stored();
  const body = { wave: "first", link: LINK, letters: false, lang: "de", dryRun: true };
  const passedOver = { unconfirmed: 15, undeliverable: 15, complained: 15, invited: 30 };
  const ids = await storedIds(service.kv);
  // Only every third is German; the first of them is undeliverable.
  const people = Array.from({ length: 450 }, (_, n) => n)
    .filter((n) => n % 3 === 0 && n % 10 > 4).slice(0, 20)
    .map((n) => ({
      email: nth(n),
      id: ids[nth(n)]!,
      createdAt: new Date(START - (450 - n) * 60_000).toISOString(),
      lang: "de" as const,
      ...n === 6 && { role: "engineer", building: "agents" },
    }));
  const byLang = { en: 0, de: 75 };
  const plan = { wouldInvite: 75, remaining: 0, byLang, people, passedOver, read: 450, total: 450 };
  assert.deepEqual(await call<WavePlan>(service, "/waves", { ...body, next: 100 }), plan);
  const few = await call<WavePlan>(service, "/waves", { ...body, next: 2 });
  assert.deepEqual(few, {
    ...plan,
    wouldInvite: 2,
    remaining: 73,
    byLang: { en: 0, de: 2 },
    people: people.slice(0, 2),
  });
  const { byLang: unknown, ...many } = await call<WavePlan>(service, "/waves", {
    ...body,
    next: 21,
  });
  assert.deepEqual([many.wouldInvite, unknown], [21, undefined], "the plan has only the first 20");
  // Each look of a second is over at once, as the clock runs while the service reads.
  const step = setInterval(() => service.clock.now += 2_000);
  let parts = 0;
  let part = await call<WavePlan>(service, "/waves", { ...body, next: 100, after: {} });
  while (part.next) {
    parts++;
    part = await call<WavePlan>(service, "/waves", { ...body, next: 100, after: part.next });
  }
  clearInterval(step);
  assert.ok(parts > 0);
  assert.deepEqual(part, plan);
  assert.deepEqual(await stored(), before);
});
