import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createRecordIds, type SignUpRecord } from "../../../server/waitlist/record.ts";
import { consentTextId } from "../../../server/waitlist/consent_text.ts";
import { mergeSignUp } from "../../../server/waitlist/merge_records.ts";

const FIRST = "2026-11-20T08:00:00.000Z";
const NOW = "2026-11-21T12:00:20.000Z";
const EMAIL = "ada@example.com";
const ID = "an-id-of-22-characters";
const OPTIONS = { at: NOW, id: ID };

const EXISTING: SignUpRecord = {
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

Deno.test("mergeSignUp() makes a record when the address is new", async (t) => {
  const made = { id: ID, state: "waiting", createdAt: NOW, consentedAt: NOW, updatedAt: NOW };
  for (const answers of [{}, { lang: "de" }, { lang: "en", source: "cta" }] as const) {
    await t.step(`the answers are ${JSON.stringify(answers)}`, () => {
      const merged = mergeSignUp(undefined, { email: EMAIL, ...answers }, OPTIONS);
      assert.deepEqual(merged, { ...made, lang: "en", ...answers });
    });
  }
});

Deno.test("mergeSignUp() replaces the values that a repeat gives, and keeps all other values", async (t) => {
  const times = { createdAt: FIRST, consentedAt: NOW, updatedAt: NOW };
  for (
    const answers of [{}, { lang: "en" }, { source: "cta" }, { lang: "en", source: "cta" }] as const
  ) {
    await t.step(`the repeat gives ${JSON.stringify(answers)}`, () => {
      const existing = Object.freeze({ ...EXISTING });
      const merged = mergeSignUp(existing, { email: EMAIL, ...answers }, OPTIONS);
      assert.deepEqual(merged, { ...EXISTING, ...times, ...answers });
    });
  }
});

Deno.test("mergeSignUp() keeps the later consentedAt when an older sign-up is merged", () => {
  const existing = { ...EXISTING, consentedAt: NOW, updatedAt: NOW };
  const older = new Date(Date.parse(NOW) - 1).toISOString();
  const merged = mergeSignUp(existing, { email: EMAIL, lang: "en" }, { at: older, id: ID });
  assert.deepEqual(merged, { ...existing, lang: "en", updatedAt: older });
});

Deno.test("consentTextId() returns a hash of the language and the wording together", () => {
  const wording = { lang: "de", text: "Ich bin einverstanden." } as const;
  const hash = createHash("sha256").update("de\nIch bin einverstanden.").digest("base64url");
  assert.equal(consentTextId(wording), hash);
  assert.notEqual(consentTextId({ ...wording, lang: "en" }), hash);
  assert.notEqual(consentTextId({ ...wording, text: "Ich bin einverstanden" }), hash);
});

Deno.test("createRecordIds() makes different ids, and changes their first 8 characters after every 256 ids", () => {
  const nextId = createRecordIds((length) => crypto.getRandomValues(new Uint8Array(length)));
  const ids = Array.from({ length: 512 }, () => nextId());
  assert.equal(new Set(ids.map((id) => id.slice(8))).size, 512);
  for (const id of ids) assert.match(id, /^[\w-]{22}$/);
  const [first, second] = [ids.slice(0, 256), ids.slice(256)].map((some) =>
    new Set(some.map((id) => id.slice(0, 8)))
  );
  assert.deepEqual([first!.size, second!.size], [1, 1]);
  assert.notDeepEqual(first, second);
});
