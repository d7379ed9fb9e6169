import assert from "node:assert/strict";
import { assertAccepted, assertThanks, headersOf, newAddress } from "../../support/answers.ts";
import { PREFIXES } from "../../support/answers.ts";
import { assertNothingStored, everyEntry, storedSignUps } from "../../support/records.ts";
import { BASE_URL, form, json, startTestService } from "../../support/service.ts";

const EMAIL = "ada@example.com";
const NOW = "2026-11-21T12:00:20.000Z";
const VALID = { email: EMAIL, consent: true };
const VALID_FORM = { email: EMAIL, consent: "on" };

/** What every record has whose only sign-up came at {@linkcode NOW}. */
const AT_ONCE = { createdAt: NOW, consentedAt: NOW, updatedAt: NOW, state: "waiting" };

// Contract, rule 3: the address is stored with its consent timestamp.
Deno.test("joinWaitlist() stores a sign-up and answers {accepted: true} when JSON is sent", async () => {
  await using service = await startTestService();
  const body = { email: "Ada@Example.COM", consent: true, source: "hero", lang: "de", website: "" };
  const headers = { "Content-Type": "Application/JSON; charset=utf-8" };
  const response = await service.request("/api/v1/waitlist", { ...json(body), headers });
  await assertAccepted(response);
  assert.equal(response.headers.get("ratelimit-limit"), "30");
  assert.equal(response.headers.get("ratelimit-remaining"), "29");
  assert.deepEqual(await storedSignUps(service.kv), {
    [EMAIL]: { ...AT_ONCE, lang: "de", source: "hero" },
  });
});

// Clauses: contract "Rules per operation" 3; RFC 9110 §15.4.4.
Deno.test("joinWaitlist() stores a sign-up and redirects to the thanks page when a form is sent", async () => {
  const cases: [fields: Record<string, string>, location: string, record: object][] = [
    [{ ...VALID_FORM, source: "", lang: "" }, "/thanks/", { lang: "en" }],
    [{ ...VALID_FORM, source: "cta", lang: "en" }, "/thanks/", { lang: "en", source: "cta" }],
    [{ ...VALID_FORM, source: "hero", lang: "de" }, "/de/danke/", { lang: "de", source: "hero" }],
  ];
  for (const [fields, location, record] of cases) {
    await using service = await startTestService();
    await assertThanks(await service.request("/api/v1/waitlist", form(fields)), location);
    const stored = (await storedSignUps(service.kv))[EMAIL];
    assert.deepEqual(stored, { ...AT_ONCE, ...record }, JSON.stringify(fields));
  }
});

Deno.test("joinWaitlist() merges what a repeat gives and keeps what it leaves out", async () => {
  await using service = await startTestService();
  await service.request("/api/v1/waitlist", json({ ...VALID, source: "hero", lang: "de" }));
  service.clock.now += 60 * 60 * 1000;
  const repeat = form({ email: "ADA@EXAMPLE.COM", consent: "on", source: "cta", lang: "" });
  await service.request("/api/v1/waitlist", repeat);
  const later = "2026-11-21T13:00:20.000Z";
  assert.deepEqual(await storedSignUps(service.kv), {
    [EMAIL]: { ...AT_ONCE, consentedAt: later, updatedAt: later, lang: "de", source: "cta" },
  });
});

// So that nobody learns who is on the list, and a bot does not learn that it is known for one.
// Clauses: contract "WaitlistSignup" addresses; contract "WaitlistSignup" honeypot.
Deno.test("joinWaitlist() answers a known address and a filled honeypot exactly as a new address", async () => {
  for (
    const [request, filled] of [
      [json(VALID), json({ ...VALID, website: "x" })],
      [form(VALID_FORM), form({ ...VALID_FORM, website: "x" })],
      [form({ ...VALID_FORM, lang: "de" }), form({ ...VALID_FORM, lang: "de", website: "x" })],
    ]
  ) {
    await using service = await startTestService();
    const answers = [];
    for (const each of [request, request, filled]) {
      const answer = await service.request("/api/v1/waitlist", { ...each, from: newAddress() });
      answers.push([answer.status, headersOf(answer), await answer.text()]);
    }
    assert.deepEqual(answers[1], answers[0], "a known address");
    assert.deepEqual(answers[2], answers[0], "a filled honeypot");
  }
});

// Clauses: contract "WaitlistSignup" honeypot.
Deno.test("joinWaitlist() stores nothing and looks at nothing else when the honeypot is filled in", async () => {
  const junk = { email: "no address", consent: false, lang: "fr", source: 1, role: "x" };
  for (const prefix of PREFIXES) {
    await using service = await startTestService();
    const send = (request: RequestInit) => service.request(`${prefix}/api/v1/waitlist`, request);
    await assertAccepted(await send(json({ ...VALID, website: " " })));
    await assertAccepted(await send(json({ ...junk, website: "x" })));
    await assertAccepted(await send(json({ website: "x" })));
    await assertThanks(await send(form({ website: "x", role: "x", lang: "fr" })), "/thanks/");
    await assertThanks(await send(form({ website: "x", lang: "de" })), "/de/danke/");
    await assertNothingStored(service.kv);
  }
});

// Clauses: contract "Environments".
Deno.test("joinWaitlist() answers the same and stores nothing when it is the sandbox's", async () => {
  await using service = await startTestService();
  const before = await everyEntry(service.kv);
  const send = (request: RequestInit) => service.request("/sandbox/api/v1/waitlist", request);
  const response = await send(json({ ...VALID, source: "hero", lang: "de" }));
  await assertAccepted(response);
  assert.equal(response.headers.get("ratelimit-limit"), "120");
  await assertThanks(await send(form(VALID_FORM)), "/thanks/");
  await assertThanks(await send(form({ ...VALID_FORM, lang: "de" })), "/de/danke/");
  assert.deepEqual(await everyEntry(service.kv), before);
});

// Clauses: contract "Rules per operation" 5; RFC 9745 §2.1; RFC 9745 §2.2; RFC 9745 §3;
// RFC 9745 §5.
Deno.test("joinWaitlistLegacy() works as joinWaitlist and says that it is deprecated", async () => {
  for (const prefix of PREFIXES) {
    await using service = await startTestService();
    const send = (request: RequestInit) => service.request(`${prefix}/api/waitlist`, request);
    const accepted = await send(json({ ...VALID, lang: "de" }));
    const thanks = await send(form(VALID_FORM));
    const refused = [
      await send(json({})),
      await send({ method: "GET" }),
      await send({ method: "POST", body: "text" }),
    ];
    assert.deepEqual(refused.map(({ status }) => status), [422, 405, 415]);
    const link = `<${BASE_URL}${prefix}/api/v1/waitlist>; rel="successor-version"`;
    for (const { headers } of [accepted, thanks, ...refused]) {
      assert.match(headers.get("deprecation") ?? "", /^@\d{10}$/);
      assert.equal(headers.get("link"), link);
      assert.equal(headers.get("sunset"), null);
    }
    await assertAccepted(accepted);
    await assertThanks(thanks, "/thanks/");
    const stored = prefix === "" ? [EMAIL] : [];
    assert.deepEqual(Object.keys(await storedSignUps(service.kv)), stored);
    const versioned = await service.request(`${prefix}/api/v1/waitlist`, json(VALID));
    assert.equal(versioned.headers.get("deprecation"), null);
    assert.equal(versioned.headers.get("link"), null);
  }
});
