import assert from "node:assert/strict";
import {
  type SignUpFault,
  type SignUpVerdict,
  validateSignUp,
} from "../../../server/waitlist/sign_up.ts";

const EMAIL = "ada@example.com";
const VALID = { email: EMAIL, consent: true };

function faultOf(verdict: SignUpVerdict): SignUpFault {
  assert.equal(verdict.verdict, "fault", JSON.stringify(verdict));
  return (verdict as { fault: SignUpFault }).fault;
}

Deno.test("validateSignUp() takes a sign-up with the answers that it gives", () => {
  const cases: [body: unknown, signUp: unknown][] = [
    [VALID, { email: EMAIL }],
    [{ ...VALID, email: "Ada.Lovelace@Example.COM" }, { email: "ada.lovelace@example.com" }],
    [{ ...VALID, website: "" }, { email: EMAIL }],
    [{ ...VALID, source: "hero", lang: "en" }, { email: EMAIL, source: "hero", lang: "en" }],
    [{ ...VALID, source: "cta", lang: "de" }, { email: EMAIL, source: "cta", lang: "de" }],
  ];
  for (const [body, signUp] of cases) {
    assert.deepEqual(validateSignUp(body), { verdict: "sign_up", signUp });
  }
});

/** The longest address that is taken: 64 characters, the `@` and 189 more. */
const LONGEST = `${"a".repeat(64)}@${["d", "d", "e"].map((d) => d.repeat(61)).join(".")}.exa`;

// Decisions, "Sign-up": an ASCII address with a dotted domain, not trimmed, at most 254 characters, 64 of them
// before the `@`.
Deno.test("validateSignUp() takes ASCII addresses with a dotted domain", () => {
  const label = "d".repeat(63);
  const addresses = [
    "a@b.co",
    "first.last+tag@sub.domain.example",
    "!#$%&'*+/=?^_`{|}~-@example.com",
    "1@1.example",
    "ada@xn--mnchen-3ya.example",
    "ada@example.xn--p1ai",
    `ada@${label}.example`,
    `${"a".repeat(64)}@example.com`,
    `${"a.".repeat(31)}aa@example.com`,
    LONGEST,
  ];
  for (const email of addresses) {
    assert.equal(validateSignUp({ ...VALID, email }).verdict, "sign_up", email);
  }
});

Deno.test("validateSignUp() refuses other addresses with invalid_email", () => {
  const addresses = [
    undefined,
    null,
    1,
    true,
    {},
    [EMAIL],
    "",
    "ada",
    "@example.com",
    "ada@",
    "ada@localhost",
    "ada@example.c",
    "ada@example.",
    "ada@.example",
    "ada@example..com",
    "ada@-example.com",
    "ada@example-.com",
    "ada@ex_ample.com",
    "ada@192.0.2.1",
    "ada@[192.0.2.1]",
    `ada@${"d".repeat(64)}.example`,
    ".ada@example.com",
    "ada.@example.com",
    "a..da@example.com",
    '"ada"@example.com',
    "ada@lovelace@example.com",
    "ada lovelace@example.com",
    ` ${EMAIL}`,
    `${EMAIL} `,
    `${EMAIL}\n`,
    `${EMAIL}\0`,
    "a\0da@example.com",
    "ada@exam\0ple.com",
    "adä@example.com",
    "ada@exämple.com",
    "\uff41da@example.com",
    // The Kelvin sign, which lower-cases to an ASCII letter.
    "\u212aelvin@example.com",
    "ada\u200b@example.com",
    "ada@\ud800.example",
    "<ada@example.com>",
    "mailto:ada@example.com",
    `${"a".repeat(65)}@example.com`,
    `${"a.".repeat(32)}a@example.com`,
    `${LONGEST}a`,
    `${"a".repeat(60_000)}@example.com`,
    "a.".repeat(30_000),
  ];
  for (const email of addresses) {
    const { code } = faultOf(validateSignUp({ ...VALID, email }));
    assert.equal(code, "invalid_email", JSON.stringify(email)?.slice(0, 80));
  }
  assert.equal(faultOf(validateSignUp({ consent: true })).code, "invalid_email");
});

// Decisions, "Sign-up": JSON consent must be the boolean true.
Deno.test("validateSignUp() refuses any consent but true with consent_required", () => {
  for (const consent of [undefined, false, null, 0, 1, "true", "on", "1", [true], {}]) {
    const { code } = faultOf(validateSignUp({ ...VALID, consent }));
    assert.equal(code, "consent_required", JSON.stringify(consent));
  }
  assert.equal(faultOf(validateSignUp({ email: EMAIL })).code, "consent_required");
});

Deno.test("validateSignUp() names the field and quotes its value when it refuses one", () => {
  const cases: [fields: Record<string, unknown>, field: string, value: string][] = [
    [{ source: "footer" }, "'source'", "'footer'"],
    [{ source: "" }, "'source'", "''"],
    [{ source: "HERO" }, "'source'", "'HERO'"],
    [{ source: null }, "'source'", "null"],
    [{ source: ["hero"] }, "'source'", '["hero"]'],
    [{ lang: "fr" }, "'lang'", "'fr'"],
    [{ lang: "" }, "'lang'", "''"],
    [{ lang: "DE" }, "'lang'", "'DE'"],
    [{ lang: true }, "'lang'", "true"],
    [{ website: null }, "'website'", "null"],
    [{ website: 0 }, "'website'", "0"],
    [{ website: false }, "'website'", "false"],
    [{ website: ["x"] }, "'website'", '["x"]'],
    [{ role: "engineer" }, "'role'", ""],
    [{ building: "office" }, "'building'", ""],
    [{ createdAt: "2026-01-01T00:00:00Z" }, "'createdAt'", ""],
    [{ Email: EMAIL }, "'Email'", ""],
    [{ "": 1 }, "''", ""],
    [{ source: "x".repeat(60_000) }, "'source'", `'${"x".repeat(40)}…'`],
    [{ ["x".repeat(60_000)]: 1 }, `'${"x".repeat(40)}…'`, ""],
  ];
  for (const [fields, field, value] of cases) {
    const { code, message } = faultOf(validateSignUp({ ...VALID, ...fields }));
    assert.equal(code, "invalid_request", message);
    assert.ok(message.includes(field) && message.includes(value), message);
    assert.ok(message.length < 200, message);
  }
});

Deno.test("validateSignUp() quotes in well-formed text when a value is not", () => {
  const bodies = [
    { ...VALID, "\ud800": 1 },
    { ...VALID, source: "\udc00" },
    // The emoji's two halves stand on both sides of the cut.
    { ...VALID, source: `${"x".repeat(39)}😀😀` },
    { ...VALID, lang: [`${"x".repeat(37)}😀😀`] },
  ];
  for (const body of bodies) {
    const { code, message } = faultOf(validateSignUp(body));
    assert.equal(code, "invalid_request");
    assert.ok(message.isWellFormed(), message);
  }
});

Deno.test("validateSignUp() refuses field names of Object.prototype like other unknown ones", () => {
  for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
    for (const value of ['"x"', "true", '{"lang":"de"}', "null"]) {
      const body = JSON.parse(`{"email":"${EMAIL}","consent":true,"${name}":${value}}`);
      const { code, message } = faultOf(validateSignUp(body));
      assert.equal(code, "invalid_request");
      assert.ok(message.includes(`'${name}'`), message);
    }
  }
  const hidden = JSON.parse(`{"__proto__":{"email":"${EMAIL}","consent":true}}`);
  assert.equal(faultOf(validateSignUp(hidden)).code, "invalid_request");
});

// Decisions, "Sign-up": honeypot → fields → email → consent.
Deno.test("validateSignUp() answers the first fault in the order of decisions", () => {
  const wrong = { email: "ada", consent: false, lang: "fr", role: "x", website: "x" };
  const { website: _, ...fields } = wrong;
  assert.deepEqual(validateSignUp(wrong), { verdict: "honeypot", lang: undefined });
  assert.equal(faultOf(validateSignUp(fields)).code, "invalid_request");
  assert.equal(faultOf(validateSignUp({ email: "ada", lang: "fr" })).code, "invalid_request");
  assert.equal(faultOf(validateSignUp({ email: "ada", role: "x" })).code, "invalid_request");
  assert.equal(faultOf(validateSignUp({ email: "ada", website: 1 })).code, "invalid_request");
  assert.equal(faultOf(validateSignUp({ email: "ada", consent: false })).code, "invalid_email");
  assert.equal(faultOf(validateSignUp({})).code, "invalid_email");
  assert.equal(faultOf(validateSignUp({ email: EMAIL })).code, "consent_required");
});
