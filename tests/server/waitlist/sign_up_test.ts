import assert from "node:assert/strict";
import { parseForm } from "../../../server/http/form.ts";
import {
  type SignUpFault,
  signUpSchema,
  type SignUpVerdict,
  validateSignUp,
  validateSignUpForm,
} from "../../../server/waitlist/sign_up.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { address, fromJson, spoiled, stranger } from "../../support/nearly_valid.ts";
import document from "../../../shared/generated/public.json" with { type: "json" };

const EMAIL = "ada@example.com";
const VALID = { email: EMAIL, consent: true };

function faultOf(verdict: SignUpVerdict): SignUpFault {
  assert.equal(verdict.kind, "fault", JSON.stringify(verdict));
  return (verdict as { fault: SignUpFault }).fault;
}

Deno.test("validateSignUp() accepts a valid body, lower-cases the address, and returns the answers of the body", async (t) => {
  const cases: [body: unknown, signUp: unknown][] = [
    [VALID, { email: EMAIL }],
    [{ ...VALID, email: "Ada.Lovelace@Example.COM" }, { email: "ada.lovelace@example.com" }],
    [{ ...VALID, website: "" }, { email: EMAIL }],
    [{ ...VALID, source: "hero", lang: "en" }, { email: EMAIL, source: "hero", lang: "en" }],
    [{ ...VALID, source: "cta", lang: "de" }, { email: EMAIL, source: "cta", lang: "de" }],
  ];
  for (const [body, signUp] of cases) {
    await t.step(`the body is ${JSON.stringify(body)}`, () => {
      assert.deepEqual(validateSignUp(body), { kind: "sign_up", signUp });
    });
  }
});

// Which addresses are valid is tested with their schema.
Deno.test("validateSignUp() returns invalid_email for a wrong address, and consent_required for any consent except true", async (t) => {
  for (const email of [undefined, null, 1, true, {}, [EMAIL], "", "ada", ` ${EMAIL}`]) {
    await t.step(`the email is ${JSON.stringify(email)}`, () => {
      const { code } = faultOf(validateSignUp({ ...VALID, email }));
      assert.equal(code, "invalid_email");
    });
  }
  // The consent of JSON must be the boolean.
  for (const consent of [undefined, false, null, 0, 1, "true", "on", "1", [true], {}]) {
    await t.step(`the consent is ${JSON.stringify(consent)}`, () => {
      const { code } = faultOf(validateSignUp({ ...VALID, consent }));
      assert.equal(code, "consent_required");
    });
  }
});

Deno.test("validateSignUp() names in its message the invisible character or the space that an address contains", async (t) => {
  const cases: [email: string, named: string][] = [
    ["ada\u200b@example.com", "U+200B, an invisible character"],
    ["\ufeffada@example.com", "U+FEFF, an invisible character"],
    ["ada@example.com\u202c", "U+202C, an invisible character"],
    ["ada@exam\u2060ple.com", "U+2060, an invisible character"],
    ["ada@example.com\u00a0", "U+00A0, a space"],
    ["ada @example.com", "U+0020, a space"],
  ];
  for (const [email, named] of cases) {
    await t.step(`the email is ${JSON.stringify(email)}`, () => {
      const { code, message } = faultOf(validateSignUp({ ...VALID, email }));
      assert.equal(code, "invalid_email");
      assert.equal(message, `The e-mail address holds ${named}; remove it.`);
    });
  }
});

Deno.test("validateSignUp() names the field and quotes its value in the message of invalid_request", async (t) => {
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
    await t.step(`the body has ${JSON.stringify(fields)}`, () => {
      const { code, message } = faultOf(validateSignUp({ ...VALID, ...fields }));
      assert.equal(code, "invalid_request", message);
      assert.ok(message.includes(field) && message.includes(value), message);
      assert.ok(message.length < 200, message);
      assert.equal(
        message.includes("website"),
        field === "'website'",
        "nobody is led to the honeypot",
      );
    });
  }
});

Deno.test("validateSignUp() returns a well-formed message even when the quoted text has half a surrogate pair", async (t) => {
  const bodies = [
    { ...VALID, "\ud800": 1 },
    { ...VALID, source: "\udc00" },
    // The emoji's two halves stand on both sides of the cut.
    { ...VALID, source: `${"x".repeat(39)}😀😀` },
    { ...VALID, lang: [`${"x".repeat(37)}😀😀`] },
  ];
  for (const body of bodies) {
    await t.step(`the body is ${JSON.stringify(body)}`, () => {
      const { code, message } = faultOf(validateSignUp(body));
      assert.equal(code, "invalid_request");
      assert.ok(message.isWellFormed(), message);
    });
  }
});

Deno.test("validateSignUp() refuses an unknown field whose name is a member of Object.prototype", async (t) => {
  for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
    for (const value of ['"x"', "true", '{"lang":"de"}', "null"]) {
      await t.step(`the body has ${name}: ${value}`, () => {
        const body = JSON.parse(`{"email":"${EMAIL}","consent":true,"${name}":${value}}`);
        const { code, message } = faultOf(validateSignUp(body));
        assert.equal(code, "invalid_request");
        assert.ok(message.includes(`'${name}'`), message);
      });
    }
  }
  const hidden = JSON.parse(`{"__proto__":{"email":"${EMAIL}","consent":true}}`);
  assert.equal(faultOf(validateSignUp(hidden)).code, "invalid_request");
});

Deno.test("validateSignUp() checks first the honeypot, then the fields, then the email, then the consent", async (t) => {
  assert.deepEqual(
    validateSignUp({ email: "ada", consent: false, lang: "fr", role: "x", website: "x" }),
    { kind: "honeypot", lang: undefined },
  );
  const cases: [body: Record<string, unknown>, code: SignUpFault["code"]][] = [
    [{ email: "ada", consent: false, lang: "fr", role: "x" }, "invalid_request"],
    [{ email: "ada", lang: "fr" }, "invalid_request"],
    [{ email: "ada", role: "x" }, "invalid_request"],
    [{ email: "ada", website: 1 }, "invalid_request"],
    [{ email: "ada", consent: false }, "invalid_email"],
    [{ consent: true }, "invalid_email"],
    [{}, "invalid_email"],
    [{ email: EMAIL }, "consent_required"],
  ];
  for (const [body, code] of cases) {
    await t.step(`${JSON.stringify(body)} gets ${code}`, () => {
      assert.equal(faultOf(validateSignUp(body)).code, code);
    });
  }
});

const validateText = (form: string) => validateSignUpForm(parseForm(form));

// An empty source, lang or website counts as absent.
Deno.test("validateSignUpForm() converts the text of a form to a sign-up, and ignores answers that are empty", async (t) => {
  const cases: [form: string, answers: Record<string, string>][] = [
    ["consent=true", {}],
    ["consent=on", {}],
    ["consent=1", {}],
    ["consent=on&source=&lang=&website=", {}],
    ["consent=on&source=hero&lang=de", { source: "hero", lang: "de" }],
  ];
  for (const [form, answers] of cases) {
    await t.step(`the form is ${form}`, () => {
      const verdict = validateText(`email=${encodeURIComponent(EMAIL)}&${form}`);
      assert.deepEqual(verdict, { kind: "sign_up", signUp: { email: EMAIL, ...answers } });
    });
  }
});

Deno.test("validateSignUpForm() returns the first fault, and names a field that is unknown or given twice", async (t) => {
  const consents = ["", "false", "TRUE", "True", "yes", "off", "0"];
  const cases: [form: string, code: SignUpFault["code"], field: string][] = [
    ["", "invalid_email", ""],
    ["email=&consent=on", "invalid_email", ""],
    [`email=${EMAIL}`, "consent_required", ""],
    ...consents.map((consent): [string, SignUpFault["code"], string] => {
      return [`email=${EMAIL}&consent=${consent}`, "consent_required", ""];
    }),
    ["email=ada&lang=fr", "invalid_request", "'lang'"],
    ["email=ada&source=footer", "invalid_request", "'source'"],
    ["email=ada&role=engineer", "invalid_request", "'role'"],
    ["email=ada&role=", "invalid_request", "'role'"],
    [`email=${EMAIL}&email=${EMAIL}&consent=on`, "invalid_request", "'email'"],
    [`email=${EMAIL}&consent=on&consent=on`, "invalid_request", "'consent'"],
    [`email=${EMAIL}&consent=on&lang=&lang=`, "invalid_request", "'lang'"],
    [`email=${EMAIL}&consent=on&website=&website=`, "invalid_request", "'website'"],
    ["email=ada&lang=de&lang=de", "invalid_request", "'lang'"],
    ["__proto__=x", "invalid_request", "'__proto__'"],
    ["constructor=x", "invalid_request", "'constructor'"],
    ["toString=x", "invalid_request", "'toString'"],
  ];
  for (const [form, code, field] of cases) {
    await t.step(`the form ${JSON.stringify(form)} gets ${code}`, () => {
      const fault = faultOf(validateText(form));
      assert.equal(fault.code, code);
      assert.ok(fault.message.includes(field), fault.message);
    });
  }
});

Deno.test("validateSignUpForm() checks nothing else when the honeypot is filled in", async (t) => {
  for (const form of ["website=+&lang=fr&role=x", "website=x&email=a&email=b"]) {
    await t.step(`the form is ${form}`, () => {
      assert.deepEqual(validateText(form), { kind: "honeypot", lang: undefined });
    });
  }
  assert.deepEqual(validateText("website=x&lang=de"), { kind: "honeypot", lang: "de" });
});

const ajv = new Ajv2020({ strict: true, strictRequired: true, allowMatchingProperties: true });
formats.default(ajv);
ajv.addVocabulary(["components"]);
ajv.addSchema({ components: document.components }, "openapi");
const keepsSchema = ajv.compile({ $ref: "openapi#/components/schemas/WaitlistSignup" });

/**
 * Whether zod and the JSON Schema, asked for the same value, both accept it or both refuse it; and the
 * service too, but that it accepts a filled honeypot whatever else the body holds.
 */
function verdict(body: unknown): boolean {
  const zod = signUpSchema.safeParse(body).success;
  const jsonSchema = keepsSchema(body);
  assert.equal(zod, jsonSchema, `zod: ${zod}, JSON Schema: ${jsonSchema}: ${inspect(body)}`);
  const judged = validateSignUp(body).kind;
  if (judged !== "honeypot") assert.equal(judged === "sign_up", jsonSchema, inspect(body));
  return zod;
}

function inspect(body: unknown): string {
  return JSON.stringify(body)?.slice(0, 300) ?? "undefined";
}

/** Each field with a value that it may have, or nearly so. */
const fields = {
  email: fc.oneof({ arbitrary: address, weight: 4 }, spoiled, fc.jsonValue()),
  consent: fc.oneof({ arbitrary: fc.constant(true), weight: 8 }, fc.constantFrom(false, "true", 1)),
  source: fc.constantFrom("hero", "cta", "hero", "cta", "", "HERO", null),
  lang: fc.constantFrom("en", "de", "en", "de", "", "fr", 1),
  website: fc.constantFrom("", "", "", "x", " ", null, 0),
};
const nearly = fc.oneof(
  fc.record(fields, { requiredKeys: ["email", "consent"] }),
  fc.record(fields, { requiredKeys: [] }),
);

const nearlyValid = nearly.map((body) => fromJson(Object.entries(body)));
const withStranger = fc.tuple(nearly, stranger)
  .map(([body, field]) => fromJson([...Object.entries(body), field]));
const wild = fc.oneof(
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text)),
  fc.array(stranger, { maxLength: 4 }).map(fromJson),
);

// Architecture, law 5: zod's verdict is the JSON Schema's on generated bodies.
Deno.test("signUpSchema and the schema of the OpenAPI document give the same verdict on nearly valid bodies", () => {
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(nearlyValid, (body) => void (verdict(body) ? accepted++ : refused++)),
    { numRuns: 3000 },
  );
  // Without both kinds, the property would show little.
  assert.ok(accepted > 100 && refused > 100, `${accepted} accepted, ${refused} refused`);
});

Deno.test("signUpSchema and the schema of the OpenAPI document give the same verdict on bodies that have an unknown field", () => {
  fc.assert(fc.property(withStranger, (body) => void verdict(body)), { numRuns: 1500 });
});

Deno.test("signUpSchema and the schema of the OpenAPI document give the same verdict on random JSON values", () => {
  fc.assert(fc.property(wild, (body) => void verdict(body)), { numRuns: 1500 });
});
