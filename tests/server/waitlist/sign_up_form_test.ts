import assert from "node:assert/strict";
import { parseForm } from "../../../server/http/form.ts";
import {
  type SignUpFault,
  type SignUpVerdict,
  validateSignUpForm,
} from "../../../server/waitlist/sign_up.ts";

const EMAIL = "ada@example.com";

function validateText(form: string): SignUpVerdict {
  return validateSignUpForm(parseForm(form));
}

// Decisions, "Sign-up": a form's consent; an empty source, lang or website counts as absent.
Deno.test("validateSignUpForm() reads text as the answers that it stands for", () => {
  const email = encodeURIComponent(EMAIL);
  const cases: [form: string, signUp: unknown][] = [
    [`email=${email}&consent=true`, { email: EMAIL }],
    [`email=${email}&consent=on`, { email: EMAIL }],
    [`email=${email}&consent=1`, { email: EMAIL }],
    [`email=${email}&consent=on&source=&lang=&website=`, { email: EMAIL }],
    [`email=${email}&consent=on&source=hero&lang=de`, { email: EMAIL, source: "hero", lang: "de" }],
  ];
  for (const [form, signUp] of cases) {
    assert.deepEqual(validateText(form), { verdict: "sign_up", signUp }, form);
  }
});

Deno.test("validateSignUpForm() answers the first fault in the order of decisions", () => {
  const cases: [form: string, code: SignUpFault["code"], field: string][] = [
    ["", "invalid_email", ""],
    ["email=&consent=on", "invalid_email", ""],
    [`email=${EMAIL}`, "consent_required", ""],
    [`email=${EMAIL}&consent=`, "consent_required", ""],
    [`email=${EMAIL}&consent=false`, "consent_required", ""],
    [`email=${EMAIL}&consent=TRUE`, "consent_required", ""],
    [`email=${EMAIL}&consent=True`, "consent_required", ""],
    [`email=${EMAIL}&consent=yes`, "consent_required", ""],
    [`email=${EMAIL}&consent=off`, "consent_required", ""],
    [`email=${EMAIL}&consent=0`, "consent_required", ""],
    ["email=ada&lang=fr", "invalid_request", "'lang'"],
    ["email=ada&source=footer", "invalid_request", "'source'"],
    ["email=ada&role=engineer", "invalid_request", "'role'"],
    ["email=ada&role=", "invalid_request", "'role'"],
    // A field given twice.
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
    const verdict = validateText(form);
    if (verdict.verdict !== "fault") assert.fail(`${form}: ${verdict.verdict}`);
    assert.equal(verdict.fault.code, code, form);
    assert.ok(verdict.fault.message.includes(field), verdict.fault.message);
  }
});

Deno.test("validateSignUpForm() looks at nothing else when the honeypot is filled in", () => {
  assert.deepEqual(validateText("website=x&lang=de"), { verdict: "honeypot", lang: "de" });
  assert.deepEqual(validateText("website=+&lang=fr&role=x"), {
    verdict: "honeypot",
    lang: undefined,
  });
  assert.deepEqual(validateText("website=x&email=a&email=b"), {
    verdict: "honeypot",
    lang: undefined,
  });
});
