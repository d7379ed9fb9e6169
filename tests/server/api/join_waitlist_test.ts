import assert from "node:assert/strict";
import {
  assertAccepted,
  assertThanks,
  headersOf,
  newAddress,
  PREFIXES,
} from "../../support/answers.ts";
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
  const response = await service.request("/api/v1/waitlist", json(body));
  await assertAccepted(response);
  assert.equal(response.headers.get("ratelimit-limit"), "30");
  assert.equal(response.headers.get("ratelimit-remaining"), "29");
  assert.deepEqual(await storedSignUps(service.kv), {
    [EMAIL]: { ...AT_ONCE, lang: "de", source: "hero" },
  });
});

// Contract, "WaitlistSignup": lang defaults to en; source is optional.
Deno.test("joinWaitlist() stores lang en and no source when only the required fields come", async () => {
  await using service = await startTestService();
  await assertAccepted(await service.request("/api/v1/waitlist", json(VALID)));
  assert.deepEqual(await storedSignUps(service.kv), {
    [EMAIL]: { ...AT_ONCE, lang: "en" },
  });
});

// Decisions, "Sign-up": thanks page; a form's consent; an empty field counts as absent.
// Clauses: contract "Rules per operation" 3; RFC 9110 §15.4.4.
Deno.test("joinWaitlist() stores a sign-up and redirects to the thanks page when a form is sent", async () => {
  const cases: [fields: Record<string, string>, location: string, record: unknown][] = [
    [VALID_FORM, "/thanks/", { lang: "en" }],
    [{ ...VALID_FORM, consent: "true" }, "/thanks/", { lang: "en" }],
    [{ ...VALID_FORM, consent: "1" }, "/thanks/", { lang: "en" }],
    [{ ...VALID_FORM, email: "ADA@example.com" }, "/thanks/", { lang: "en" }],
    [{ ...VALID_FORM, source: "", lang: "", website: "" }, "/thanks/", { lang: "en" }],
    [{ ...VALID_FORM, source: "cta", lang: "en" }, "/thanks/", { lang: "en", source: "cta" }],
    [{ ...VALID_FORM, source: "hero", lang: "de" }, "/de/danke/", { lang: "de", source: "hero" }],
  ];
  for (const [fields, location, record] of cases) {
    await using service = await startTestService();
    await assertThanks(await service.request("/api/v1/waitlist", form(fields)), location);
    const stored = (await storedSignUps(service.kv))[EMAIL];
    assert.deepEqual(stored, { ...AT_ONCE, ...record as object }, JSON.stringify(fields));
  }
});

// Decisions, "Sign-up": Content-Type without its parameters, case-insensitively.
Deno.test("joinWaitlist() takes a Content-Type with parameters and in any case", async () => {
  await using service = await startTestService();
  const send = (contentType: string, body: string) =>
    service.request("/api/v1/waitlist", {
      method: "POST",
      headers: { "Content-Type": contentType },
      body,
      from: newAddress(),
    });
  for (
    const type of ["application/json; charset=utf-8", "APPLICATION/JSON;q=1", "Application/Json ;"]
  ) {
    await assertAccepted(await send(type, JSON.stringify(VALID)));
  }
  for (
    const type of [
      "application/x-www-form-urlencoded;charset=UTF-8",
      "Application/X-WWW-Form-Urlencoded",
    ]
  ) {
    await assertThanks(await send(type, `email=${EMAIL}&consent=on`), "/thanks/");
  }
});

// Decisions, "Sign-up": a repeat merges; contract: optional answers are merged.
Deno.test("joinWaitlist() merges what a repeat gives and keeps what it leaves out", async () => {
  const hour = 60 * 60 * 1000;
  const first = { ...VALID, source: "hero", lang: "de" };
  const cases: [repeat: RequestInit, answers: unknown][] = [
    [json(VALID), { lang: "de", source: "hero" }],
    [json({ ...VALID, email: "ADA@EXAMPLE.COM" }), { lang: "de", source: "hero" }],
    [json({ ...VALID, source: "cta" }), { lang: "de", source: "cta" }],
    [json({ ...VALID, lang: "en" }), { lang: "en", source: "hero" }],
    [form({ ...VALID_FORM, source: "", lang: "" }), { lang: "de", source: "hero" }],
    [form({ ...VALID_FORM, source: "cta", lang: "en" }), { lang: "en", source: "cta" }],
  ];
  for (const [repeat, answers] of cases) {
    await using service = await startTestService();
    await assertAccepted(await service.request("/api/v1/waitlist", json(first)));
    service.clock.now += hour;
    await service.request("/api/v1/waitlist", repeat);
    const later = "2026-11-21T13:00:20.000Z";
    assert.deepEqual(await storedSignUps(service.kv), {
      [EMAIL]: { ...AT_ONCE, consentedAt: later, updatedAt: later, ...answers as object },
    });
  }
});

// Contract, "WaitlistSignup": the response is identical for new and known addresses.
// Clauses: contract "WaitlistSignup" addresses.
Deno.test("joinWaitlist() answers a known address exactly as a new one", async () => {
  for (const request of [json(VALID), form(VALID_FORM), form({ ...VALID_FORM, lang: "de" })]) {
    await using service = await startTestService();
    const answers = [];
    for (let i = 0; i < 2; i++) {
      const answer = await service.request("/api/v1/waitlist", { ...request, from: newAddress() });
      answers.push([answer.status, headersOf(answer), await answer.text()]);
    }
    assert.deepEqual(answers[1], answers[0]);
  }
});

// Decisions, "Sign-up": the honeypot; the same answer as a success, nothing else looked at.
// Clauses: contract "WaitlistSignup" honeypot.
Deno.test("joinWaitlist() accepts and stores nothing when the honeypot is filled in", async () => {
  const junk = { email: "no address", consent: false, lang: "fr", source: 1, role: "x" };
  for (const prefix of PREFIXES) {
    await using service = await startTestService();
    const send = (request: RequestInit) => service.request(`${prefix}/api/v1/waitlist`, request);
    await assertAccepted(await send(json({ ...VALID, website: "https://spam.example" })));
    await assertAccepted(await send(json({ ...VALID, website: " " })));
    await assertAccepted(await send(json({ ...junk, website: "x" })));
    await assertAccepted(await send(json({ website: "x" })));
    await assertThanks(await send(form({ ...VALID_FORM, website: "x" })), "/thanks/");
    await assertThanks(await send(form({ website: "x", role: "x", lang: "fr" })), "/thanks/");
    await assertThanks(await send(form({ website: "x", lang: "de" })), "/de/danke/");
    await assertNothingStored(service.kv);
  }
});

// Decisions, "Sign-up": the same answer as a success, so that a bot learns nothing.
// Clauses: contract "WaitlistSignup" honeypot.
Deno.test("joinWaitlist() answers a filled honeypot with a success's headers and body", async () => {
  for (
    const [person, bot] of [
      [json(VALID), json({ ...VALID, website: "x" })],
      [form(VALID_FORM), form({ ...VALID_FORM, website: "x" })],
    ]
  ) {
    await using service = await startTestService();
    const answers = [];
    for (const request of [person, bot]) {
      const answer = await service.request("/api/v1/waitlist", { ...request, from: newAddress() });
      answers.push([answer.status, headersOf(answer), await answer.text()]);
    }
    assert.deepEqual(answers[1], answers[0]);
  }
});

// Contract, "Environments": the sandbox has the same contract and stores nothing.
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

// Contract, rule 5; decisions, "Sign-up": Deprecation (RFC 9745) and Link, no Sunset.
// Clauses: contract "Rules per operation" 5; RFC 9745 §2.1; RFC 9745 §2.2; RFC 9745 §3;
// RFC 9745 §5.
Deno.test("joinWaitlistLegacy() works as joinWaitlist and says that it is deprecated", async () => {
  for (const prefix of PREFIXES) {
    await using service = await startTestService();
    const send = (request: RequestInit) => service.request(`${prefix}/api/waitlist`, request);
    const answers = [
      await send(json({ ...VALID, lang: "de" })),
      await send(form(VALID_FORM)),
      await send(json({})),
      await send({ method: "GET" }),
      await send({ method: "POST", body: "text" }),
    ];
    assert.deepEqual(answers.map(({ status }) => status), [200, 303, 422, 405, 415]);
    for (const { headers } of answers) {
      assert.match(headers.get("deprecation") ?? "", /^@\d{10}$/);
      assert.equal(
        headers.get("link"),
        `<${BASE_URL}${prefix}/api/v1/waitlist>; rel="successor-version"`,
      );
      assert.equal(headers.get("sunset"), null);
    }
    const [accepted, thanks] = answers;
    if (accepted) await assertAccepted(accepted);
    if (thanks) await assertThanks(thanks, "/thanks/");
    const stored = prefix === "" ? [EMAIL] : [];
    assert.deepEqual(Object.keys(await storedSignUps(service.kv)), stored);
    const versioned = await service.request(`${prefix}/api/v1/waitlist`, json(VALID));
    assert.equal(versioned.headers.get("deprecation"), null);
    assert.equal(versioned.headers.get("link"), null);
  }
});
