import assert from "node:assert/strict";
import { type SignUp, type SignUpRecord } from "../../../server/waitlist/record.ts";
import { mergeSignUp } from "../../../server/waitlist/record.ts";

const FIRST = "2026-11-20T08:00:00.000Z";
const NOW = "2026-11-21T12:00:20.000Z";
const EMAIL = "ada@example.com";
const ID = "an-id-of-22-characters";
const OPTIONS = { at: NOW, id: ID };

// Decisions, "Sign-up": Stored.
Deno.test("mergeSignUp() makes a record when the address is new", () => {
  const made = {
    id: ID,
    state: "waiting" as const,
    createdAt: NOW,
    consentedAt: NOW,
    updatedAt: NOW,
  };
  const cases: [signUp: SignUp, expected: SignUpRecord][] = [
    [{ email: EMAIL }, { ...made, lang: "en" }],
    [{ email: EMAIL, lang: "de" }, { ...made, lang: "de" }],
    [{ email: EMAIL, lang: "en", source: "cta" }, { ...made, lang: "en", source: "cta" }],
  ];
  for (const [signUp, expected] of cases) {
    assert.deepEqual(mergeSignUp(undefined, signUp, OPTIONS), expected);
  }
});

// Decisions, "Sign-up": a field that a repeat gives replaces, a field that it leaves out stays.
Deno.test("mergeSignUp() replaces what a repeat gives and keeps the rest", () => {
  const existing: SignUpRecord = {
    id: "the-id-it-has-had-once",
    state: "waiting",
    createdAt: FIRST,
    consentedAt: FIRST,
    updatedAt: FIRST,
    lang: "de",
    source: "hero",
    role: "engineer",
    building: "office",
  };
  const times = { createdAt: FIRST, consentedAt: NOW, updatedAt: NOW };
  const cases: [signUp: SignUp, lang: string, source: string][] = [
    [{ email: EMAIL }, "de", "hero"],
    [{ email: EMAIL, lang: "en" }, "en", "hero"],
    [{ email: EMAIL, source: "cta" }, "de", "cta"],
    [{ email: EMAIL, lang: "en", source: "cta" }, "en", "cta"],
  ];
  for (const [signUp, lang, source] of cases) {
    const before = structuredClone(existing);
    assert.deepEqual(mergeSignUp(existing, signUp, OPTIONS), {
      ...existing,
      ...times,
      lang,
      source,
    });
    assert.deepEqual(existing, before, "the record that it was given stays as it was");
  }
});

Deno.test("mergeSignUp() keeps the latest consent when an older sign-up is stored after it", () => {
  const existing: SignUpRecord = {
    id: "the-id-it-has-had-once",
    state: "waiting",
    createdAt: FIRST,
    consentedAt: NOW,
    updatedAt: NOW,
    lang: "de",
  };
  const older = new Date(Date.parse(NOW) - 1).toISOString();
  assert.deepEqual(mergeSignUp(existing, { email: EMAIL, lang: "en" }, { at: older, id: ID }), {
    ...existing,
    lang: "en",
    updatedAt: older,
  });
});
