/**
 * `joinWaitlist`: its answers, and the requests that it refuses, by the contract's error table. The tables of the rules
 * are in `tests/server/waitlist/` and `tests/server/http/`. @module
 */
import assert from "node:assert/strict";
import {
  assertAccepted,
  assertError,
  assertThanks,
  headersOf,
  newAddress,
  PREFIXES,
} from "../../support/answers.ts";
import { assertNothingStored, everyEntry, storedSignUps } from "../../support/records.ts";
import { BASE_URL, form, json, startTestService, test } from "../../support/service.ts";
import { gzipSync } from "node:zlib";
import { startListeningService } from "../../support/socket.ts";

const EMAIL = "ada@example.com";
const NOW = "2026-11-21T12:00:20.000Z";
const VALID = { email: EMAIL, consent: true };
const VALID_FORM = { email: EMAIL, consent: "on" };

/** What every record has whose only sign-up came at {@linkcode NOW}. */
const AT_ONCE = { createdAt: NOW, consentedAt: NOW, updatedAt: NOW, state: "waiting" };

// Contract, rule 3: the address is stored with its consent timestamp.
test("joinWaitlist() stores a sign-up and answers {accepted: true} when JSON is sent", async (service) => {
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
Deno.test("joinWaitlist() stores a sign-up and redirects to the thanks page when a form is sent", async (t) => {
  const cases: [fields: Record<string, string>, location: string, record: object][] = [
    [{ ...VALID_FORM, source: "", lang: "" }, "/thanks/", { lang: "en" }],
    [{ ...VALID_FORM, source: "cta", lang: "en" }, "/thanks/", { lang: "en", source: "cta" }],
    [{ ...VALID_FORM, source: "hero", lang: "de" }, "/de/danke/", { lang: "de", source: "hero" }],
  ];
  for (const [fields, location, record] of cases) {
    await t.step(JSON.stringify(fields), async () => {
      await using service = await startTestService();
      await assertThanks(await service.request("/api/v1/waitlist", form(fields)), location);
      const stored = (await storedSignUps(service.kv))[EMAIL];
      assert.deepEqual(stored, { ...AT_ONCE, ...record });
    });
  }
});

test("joinWaitlist() stores the fields that a repeat gives, and keeps the fields that the repeat leaves out", async (service) => {
  await service.request("/api/v1/waitlist", json({ ...VALID, source: "hero", lang: "de" }));
  service.clock.now += 60 * 60 * 1000;
  const repeat = form({ email: "ADA@EXAMPLE.COM", consent: "on", source: "cta", lang: "" });
  await service.request("/api/v1/waitlist", repeat);
  const later = "2026-11-21T13:00:20.000Z";
  assert.deepEqual(await storedSignUps(service.kv), {
    [EMAIL]: { ...AT_ONCE, consentedAt: later, updatedAt: later, lang: "de", source: "cta" },
  });
});

Deno.test("joinWaitlist() stores the campaign that the query names, whether the body is JSON or a form, except in the sandbox", async (t) => {
  const query = "?utm_source=News&utm_medium=&utm_campaign=a&utm_campaign=b&utm_term=x&r=wrong";
  for (const path of ["/api/v1/waitlist", "/api/waitlist"]) {
    for (const [kind, request] of [["JSON", json(VALID)], ["a form", form(VALID_FORM)]] as const) {
      await t.step(`${path} with ${kind}`, async () => {
        await using service = await startTestService();
        const { status } = await service.request(`${path}${query}`, request);
        assert.equal(status, kind === "JSON" ? 200 : 303);
        const stored = { [EMAIL]: { ...AT_ONCE, lang: "en", utmSource: "news" } };
        assert.deepEqual(await storedSignUps(service.kv), stored);
        await service.request(`${path}?utm_source=ads&utm_medium=banner`, request);
        assert.deepEqual(await storedSignUps(service.kv), stored, "a repeat changes nothing");
      });
    }
  }
  await t.step("The sandbox accepts a sign-up with a campaign and stores nothing", async () => {
    await using service = await startTestService();
    await assertAccepted(await service.request(`/sandbox/api/v1/waitlist${query}`, json(VALID)));
    await assertNothingStored(service.kv);
  });
});

// So that nobody learns who is on the list, and a bot does not learn that it is known for one.
// Clauses: contract "WaitlistSignup" addresses; contract "WaitlistSignup" honeypot.
Deno.test("joinWaitlist() gives the same answer for a known address, a filled honeypot and a new address", async (t) => {
  for (
    const [request, filled] of [
      [json(VALID), json({ ...VALID, website: "x" })],
      [form(VALID_FORM), form({ ...VALID_FORM, website: "x" })],
      [form({ ...VALID_FORM, lang: "de" }), form({ ...VALID_FORM, lang: "de", website: "x" })],
    ]
  ) {
    await t.step(`${request?.body}`, async () => {
      await using service = await startTestService();
      const answers = [];
      for (const each of [request, request, filled]) {
        const answer = await service.request("/api/v1/waitlist", { ...each, from: newAddress() });
        answers.push([answer.status, headersOf(answer), await answer.text()]);
      }
      assert.deepEqual(answers[1], answers[0], "a known address");
      assert.deepEqual(answers[2], answers[0], "a filled honeypot");
    });
  }
});

// Clauses: contract "WaitlistSignup" honeypot.
Deno.test("joinWaitlist() accepts wrong values in all other fields, and stores nothing, when the honeypot is filled in", async (t) => {
  const junk = { email: "no address", consent: false, lang: "fr", source: 1, role: "x" };
  for (const prefix of PREFIXES) {
    await t.step(`${prefix}/api/v1/waitlist`, async () => {
      await using service = await startTestService();
      const send = (request: RequestInit) => service.request(`${prefix}/api/v1/waitlist`, request);
      await assertAccepted(await send(json({ ...VALID, website: " " })));
      await assertAccepted(await send(json({ ...junk, website: "x" })));
      await assertAccepted(await send(json({ website: "x" })));
      await assertThanks(await send(form({ website: "x", role: "x", lang: "fr" })), "/thanks/");
      await assertThanks(await send(form({ website: "x", lang: "de" })), "/de/danke/");
      await assertNothingStored(service.kv);
    });
  }
});

// Clauses: contract "Environments".
test("joinWaitlist() gives the same answers in the sandbox as in production, and stores nothing from the sandbox", async (service) => {
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
Deno.test("joinWaitlistLegacy() answers like joinWaitlist() and sends headers that mark its path as deprecated", async (t) => {
  for (const prefix of PREFIXES) {
    await t.step(`${prefix}/api/waitlist`, async () => {
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
    });
  }
});

const PATH = "/api/v1/waitlist";
const SIGN_UP = '{"email":"ada@example.com","consent":true}';
const FORM_SIGN_UP = "email=ada@example.com&consent=on";
const AS_JSON: Record<string, string> = { "Content-Type": "application/json" };
const AS_FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** A body and its headers, those of JSON unless told otherwise; `names` is what the message must speak of. */
interface Refused {
  body: BodyInit;
  names?: string;
  headers?: Record<string, string>;
}

/** Sends each body as a step of the test, and finds nothing stored. */
async function assertRefused(
  t: Deno.TestContext,
  [status, code]: [number, string],
  refused: Refused[],
): Promise<void> {
  await using service = await startTestService();
  for (const { body, names = "", headers = AS_JSON } of refused) {
    const request = { method: "POST", headers, body, from: newAddress() };
    const step = `${JSON.stringify(headers)} ${JSON.stringify(body).slice(0, 80)}`;
    await t.step(step, async () => {
      const message = await assertError(await service.request(PATH, request), status, code);
      assert.ok(message.includes(names), message);
    });
  }
  await assertNothingStored(service.kv);
}

/** JSON of a valid sign-up with one more member. */
function withMember(member: string): string {
  return SIGN_UP.replace("}", `,${member}}`);
}

// Clauses: RFC 9110 §15.5.16.
Deno.test("joinWaitlist() answers 415 unsupported_media_type when Content-Type is missing or malformed, or names neither JSON nor a URL-encoded form", async (t) => {
  const types = [
    ...["text/plain", "text/json", "application/xml", "application/octet-stream", "application"],
    ...["application/ld+json", "application/jsonp", "*/*", "application/json, application/json"],
    ...[
      "multipart/form-data",
      "multipart/form-data; boundary=x",
      "charset=utf-8; application/json",
    ],
  ];
  const all = [{}, ...types.map((type) => ({ "Content-Type": type }))];
  // Bytes, as a string would get a `Content-Type` of its own.
  const body = new TextEncoder().encode(SIGN_UP);
  const refused = all.map((headers) => ({ body, names: "application/json", headers }));
  await assertRefused(t, [415, "unsupported_media_type"], refused);
});

Deno.test("joinWaitlist() answers 415 and names the header Content-Encoding when the body has a content encoding", async (t) => {
  const names = "Content-Encoding";
  const codings = ["gzip", "GZIP", "x-gzip", "br", "deflate", "gzip, identity", "x"];
  const body = new Uint8Array(gzipSync(SIGN_UP));
  const encoded = (coding: string) => ({ ...AS_JSON, "Content-Encoding": coding });
  const refused = codings.map((coding) => ({ body, names, headers: encoded(coding) }));
  await assertRefused(t, [415, "unsupported_media_type"], refused);

  await using service = await startTestService();
  const send = (coding: string, body: BodyInit) =>
    service.request(PATH, { method: "POST", headers: encoded(coding), body });
  const answer = await send("gzip", body);
  assert.equal(answer.headers.get("accept-encoding"), "identity");
  for (const coding of ["identity", "Identity", ""]) {
    await t.step(JSON.stringify(coding), async () => {
      assert.equal((await send(coding, SIGN_UP)).status, 200);
    });
  }
});

Deno.test("joinWaitlist() answers 400 invalid_json when the body is not JSON in UTF-8", async (t) => {
  const bodies = [
    ...["", "  ", "{", "undefined", "{'email':1}", FORM_SIGN_UP, "\0", "[".repeat(65_536)],
    ...[withMember('"lang":"de",'), `${SIGN_UP} x`, '{"email":"a\0da@example.com"}'],
    Uint8Array.from(withMember('"lang":"d\xe9"'), (c) => c.charCodeAt(0)),
    new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]),
  ];
  await assertRefused(t, [400, "invalid_json"], bodies.map((body) => ({ body })));
});

Deno.test("joinWaitlist() answers 400 invalid_request when the body is JSON but not an object", async (t) => {
  const bodies = ["null", "true", "1", '"text"', "[]", `[${SIGN_UP}]`];
  bodies.push("[".repeat(32_768) + "]".repeat(32_768));
  const refused = bodies.map((body) => ({ body, names: "JSON object" }));
  await assertRefused(t, [400, "invalid_request"], refused);
});

const DEEP = "[".repeat(32_000) + "]".repeat(32_000);

// Clauses: contract "WaitlistSignup" fields.
Deno.test("joinWaitlist() answers 400 and names the field when a field is unknown or has a wrong value", async (t) => {
  const members: [member: string, names: string][] = [
    ['"role":"engineer"', "'role'"],
    ['"__proto__":{"lang":"de"}', "'__proto__'"],
    ['"constructor":{"prototype":{}}', "'constructor'"],
    ['"\\ud800":1', "Field '"],
    ['"\\u0000":1', "Field '"],
    ['"source":"\\ud800"', "'source'"],
    ['"lang":"de\\u0000"', "'lang'"],
    ['"website":false', "'website'"],
    [`"source":${DEEP}`, "'source'"],
    [`"role":${DEEP}`, "'role'"],
    [`"website":${DEEP}`, "'website'"],
  ];
  const fields: [body: BodyInit, names: string][] = [
    [`${FORM_SIGN_UP}&__proto__=x`, "'__proto__'"],
    [`${FORM_SIGN_UP}&%00=x`, "Field '"],
    [`${FORM_SIGN_UP}&%FF=x`, "Field '"],
    [`${FORM_SIGN_UP}&lang=de%00`, "'lang'"],
    [`${FORM_SIGN_UP}&website=&website=`, "'website'"],
    [SIGN_UP, "Field"],
    [new Uint8Array([0x61, 0xff]), "UTF-8"],
  ];
  await assertRefused(t, [400, "invalid_request"], [
    ...members.map(([member, names]) => ({ body: withMember(member), names })),
    ...fields.map(([body, names]) => ({ body, names, headers: AS_FORM })),
  ]);
});

Deno.test("joinWaitlist() answers 422 invalid_email when the address is malformed", async (t) => {
  const emails = ['"ada"', '"\\ud800@example.com"', '{"__proto__":null}', DEEP];
  emails.push(`"${"a".repeat(65_000)}@example.com"`);
  const bodies = ["{}", ...emails.map((email) => `{"email":${email},"consent":true}`)];
  const forms = ["", FORM_SIGN_UP.replace("=", "=+")];
  forms.push("email=ada@example.com%00&consent=on", "email=ad%FFa@example.com&consent=on");
  await assertRefused(t, [422, "invalid_email"], [
    ...bodies.map((body) => ({ body })),
    ...forms.map((body) => ({ body, headers: AS_FORM })),
  ]);
});

// To decode thousands of fields would take time, so the honeypot is not looked at before.
Deno.test("joinWaitlist() answers 400 when a form has more than 100 fields, even if the honeypot is filled in", async (t) => {
  const withFields = (count: number) => "email=ada@example.com&website=x" + "&+".repeat(count - 2);
  const bodies = [withFields(101), "+&".repeat(32_000)];
  const refused = bodies.map((body) => ({ body, names: "100 fields", headers: AS_FORM }));
  await assertRefused(t, [400, "invalid_request"], refused);
  await using service = await startTestService();
  const request = { method: "POST", headers: AS_FORM, body: withFields(100) };
  assert.equal((await service.request(PATH, request)).status, 303);
});

// Whoever still reads the answer has met a service that stops, and may have sent good JSON.
Deno.test("joinWaitlist() answers 400 and asks the client to send the request again when the body breaks off", async (t) => {
  const body = new ReadableStream({ pull: () => Promise.reject(new Error("connection reset")) });
  await assertRefused(t, [400, "invalid_request"], [{ body, names: "send it again" }]);
});

// Contract, "Limits": 64 KB.
const LIMIT = 65_536;

/** A sign-up request over a socket, whose JSON is filled up with spaces. */
const head = (header: string) =>
  `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${header}\r\n\r\n`;
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${SIGN_UP.padEnd(bytes)}\r\n`;
const CHUNKED = head("Transfer-Encoding: chunked");

const TOO_LARGE: Record<string, string[]> = {
  "before a body above 65,536 bytes is sent": ["65537", "4294967296", "9007199254740993"]
    .map((length) => head(`Content-Length: ${length}`)),
  // The last chunk never comes, so an answer shows that the service did not wait for it.
  "while a chunked body above 65,536 bytes is still being sent": [CHUNKED + chunk(LIMIT + 1)],
};

for (const [name, requests] of Object.entries(TOO_LARGE)) {
  // Clauses: RFC 9110 §15.5.14.
  Deno.test(`joinWaitlist() answers 413 before a body above 65,536 bytes is complete (${name})`, async (t) => {
    await using service = await startListeningService();
    for (const request of requests) {
      await t.step(JSON.stringify(request.slice(0, 200)), async () => {
        const response = await service.exchange(request);
        const message = await assertError(response, 413, "payload_too_large");
        assert.ok(message.includes("65536"), message);
      });
    }
    await assertNothingStored(service.kv);
  });
}

Deno.test("joinWaitlist() accepts a body of 65,536 bytes, with Content-Length or in chunks", async (t) => {
  await using service = await startListeningService();
  // What frames the chunks does not count, however long it is.
  const long = `0;x=${"x".repeat(2_000)}\r\nX-Sum: ${"x".repeat(2_000)}\r\n\r\n`;
  for (
    const request of [
      head(`Content-Length: ${LIMIT}`) + SIGN_UP.padEnd(LIMIT),
      `${CHUNKED}${chunk(LIMIT)}0\r\n\r\n`,
      CHUNKED + chunk(LIMIT) + long,
    ]
  ) {
    await t.step(JSON.stringify(request.slice(0, 200)), async () => {
      await assertAccepted(await service.exchange(request));
    });
  }
  assert.deepEqual(Object.keys(await storedSignUps(service.kv)), ["ada@example.com"]);
});
