import assert from "node:assert/strict";
import { assertError, newAddress, PREFIXES } from "../../support/answers.ts";
import { assertNothingStored } from "../../support/records.ts";
import { json, startTestService } from "../../support/service.ts";

const EMAIL = "ada@example.com";
const FORM = "application/x-www-form-urlencoded";
const PATHS = PREFIXES.flatMap((prefix) => [`${prefix}/api/v1/waitlist`, `${prefix}/api/waitlist`]);

/** A request body, its media type (JSON unless told otherwise) and the refusal of the contract's error table. */
interface Refusal {
  body: string | Uint8Array<ArrayBuffer>;
  type?: string;
  status: number;
  code: string;
  /** What the message must speak of. */
  names?: string;
}

/** Sends each body to each path of the sign-up, and finds nothing stored after it. */
async function assertRefused(refusals: Refusal[]): Promise<void> {
  await using service = await startTestService();
  for (const { body, type = "application/json", status, code, names = "" } of refusals) {
    for (const path of PATHS) {
      const response = await service.request(path, {
        method: "POST",
        headers: { "Content-Type": type },
        body,
        from: newAddress(),
      });
      const message = await assertError(response, status, code);
      assert.ok(message.includes(names), `${names}: ${message}`);
      await assertNothingStored(service.kv);
    }
  }
}

const invalidJson = { status: 400, code: "invalid_json" };
const invalidRequest = { status: 400, code: "invalid_request" };
const invalidEmail = { status: 422, code: "invalid_email" };
const consentRequired = { status: 422, code: "consent_required" };

/** JSON of a valid sign-up with one more member. */
function withMember(member: string): string {
  return `{"email":"${EMAIL}","consent":true,${member}}`;
}

// Decisions, "Sign-up": malformed JSON, invalid UTF-8, an empty JSON body.
Deno.test("joinWaitlist() refuses what is not JSON in UTF-8 with 400 invalid_json", async () => {
  const latin1 = Uint8Array.from(withMember('"lang":"d\xe9"'), (c) => c.charCodeAt(0));
  await assertRefused([
    { body: "", ...invalidJson },
    { body: "  ", ...invalidJson },
    { body: "{", ...invalidJson },
    { body: "undefined", ...invalidJson },
    { body: "{'email':1}", ...invalidJson },
    { body: withMember('"lang":"de",'), ...invalidJson },
    { body: `${withMember('"lang":"de"')} x`, ...invalidJson },
    { body: `email=${EMAIL}&consent=true`, ...invalidJson },
    { body: '{"email":"a\0da@example.com"}', ...invalidJson },
    { body: "\0", ...invalidJson },
    { body: "[".repeat(65_536), ...invalidJson },
    { body: latin1, ...invalidJson },
    { body: new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), ...invalidJson },
  ]);
});

// Decisions, "Sign-up": valid JSON that is not an object.
Deno.test("joinWaitlist() refuses JSON that is no object with 400 invalid_request", async () => {
  const bodies = ["null", "true", "1", '"text"', "[]", `[${withMember('"lang":"de"')}]`];
  bodies.push("[".repeat(32_768) + "]".repeat(32_768));
  await assertRefused(bodies.map((body) => ({ body, ...invalidRequest, names: "JSON object" })));
});

// Contract, error table. The rules have their tables in `tests/server/waitlist/`; here are their kinds, and texts that
// are hard to parse. Decisions: the message names the field.
// Clauses: contract "WaitlistSignup" fields.
Deno.test("joinWaitlist() refuses JSON by the contract's codes", async () => {
  const deep = "[".repeat(32_000) + "]".repeat(32_000);
  const members: [member: string, names: string][] = [
    ['"role":"engineer"', "'role'"],
    ['"__proto__":{"lang":"de"}', "'__proto__'"],
    ['"constructor":{"prototype":{}}', "'constructor'"],
    ['"\\ud800":1', "Field '"],
    ['"\\u0000":1', "Field '"],
    ['"source":"\\ud800"', "'source'"],
    ['"lang":"de\\u0000"', "'lang'"],
    ['"website":false', "'website'"],
    [`"source":${deep}`, "'source'"],
    [`"role":${deep}`, "'role'"],
    [`"website":${deep}`, "'website'"],
  ];
  const addresses = ['"ada"', '"\\ud800@example.com"', '{"__proto__":null}', deep];
  addresses.push(`"${"a".repeat(65_000)}@example.com"`);
  await assertRefused([
    ...members.map(([member, names]) => ({ body: withMember(member), ...invalidRequest, names })),
    { body: "{}", ...invalidEmail },
    ...addresses.map((email) => ({ body: `{"email":${email},"consent":true}`, ...invalidEmail })),
    { body: `{"email":"${EMAIL}","consent":"true"}`, ...consentRequired },
  ]);
});

Deno.test("joinWaitlist() refuses a form by the contract's codes", async () => {
  const fields: [fields: string, names: string][] = [
    ["__proto__=x", "'__proto__'"],
    ["%00=x", "Field '"],
    ["%FF=x", "Field '"],
    ["lang=de%00", "'lang'"],
    ["website=&website=", "'website'"],
  ];
  const addresses = ["", `email=+${EMAIL}&consent=on`, `email=${EMAIL}%00&consent=on`];
  addresses.push("email=ad%FFa@example.com&consent=on");
  const refusals: Refusal[] = [
    ...fields.map(([rest, names]) => ({
      body: `email=${EMAIL}&consent=on&${rest}`,
      ...invalidRequest,
      names,
    })),
    { body: `{"email":"${EMAIL}","consent":true}`, ...invalidRequest, names: "Field" },
    { body: new Uint8Array([0x61, 0xff]), ...invalidRequest, names: "UTF-8" },
    ...addresses.map((body) => ({ body, ...invalidEmail })),
    { body: `email=${EMAIL}&consent=off`, ...consentRequired },
  ];
  await assertRefused(refusals.map((refusal) => ({ ...refusal, type: FORM })));
});

// Decisions, "Sign-up": before the honeypot is looked at.
Deno.test("joinWaitlist() refuses a form of more than 100 fields with 400 when the honeypot is filled", async () => {
  const honeypot = `email=${EMAIL}&website=x`;
  const withFields = (count: number) => honeypot + "&+".repeat(count - 2);
  await assertRefused([
    { body: withFields(101), type: FORM, ...invalidRequest, names: "100 fields" },
    { body: "+&".repeat(32_000), type: FORM, ...invalidRequest, names: "100 fields" },
  ]);
  await using service = await startTestService();
  const headers = { "Content-Type": FORM };
  const response = await service.request(PATHS[0]!, {
    method: "POST",
    headers,
    body: withFields(100),
  });
  assert.equal(response.status, 303);
});

Deno.test("joinWaitlist() takes an address of 254 characters, 64 of them before the @", async () => {
  await using service = await startTestService();
  const email = `${"a".repeat(64)}@${"b.".repeat(93)}cde`;
  assert.equal(email.length, 254);
  const response = await service.request("/api/v1/waitlist", json({ email, consent: true }));
  assert.equal(response.status, 200);
});
