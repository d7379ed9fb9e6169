import assert from "node:assert/strict";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import {
  mergeImported,
  mergeRestored,
  mergeSignUp,
} from "../../../server/waitlist/merge_records.ts";
import type { ImportedSignUp } from "../../../server/waitlist/import_line.ts";

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

const CONSENT = "2024-05-01T09:30:00.000Z";

/** What an import could have said of the record. */
const OLD_LINE = {
  createdAt: "2025-06-01T00:00:00.000Z",
  consentedAt: "2025-07-01T00:00:00.000Z",
  updatedAt: "2025-07-01T00:00:00.000Z",
  lang: "de",
  source: "hero",
} as const;

const OLD: SignUpRecord = { id: "the-id-it-has-had-once", state: "waiting", ...OLD_LINE };

Deno.test("mergeImported() makes a record from the line and from default values when the address is new", async (t) => {
  const defaults = { id: ID, state: "waiting", createdAt: CONSENT, updatedAt: NOW, lang: "en" };
  for (const imported of [{ consentedAt: CONSENT }, { ...OLD_LINE, role: "engineer" }]) {
    await t.step(`the line is ${JSON.stringify(imported)}`, () => {
      const merged = mergeImported(undefined, { email: EMAIL, ...imported }, OPTIONS);
      assert.deepEqual(merged, { ...defaults, ...imported });
    });
  }
});

Deno.test("mergeImported() replaces stored values by the values of the line, and keeps the earliest createdAt and the latest consentedAt", async (t) => {
  const cases: [imported: Omit<ImportedSignUp, "email">, changes: Partial<SignUpRecord>][] = [
    [{ consentedAt: CONSENT }, { createdAt: CONSENT }],
    [{ consentedAt: NOW }, { consentedAt: NOW }],
    [{ consentedAt: NOW, createdAt: CONSENT }, { consentedAt: NOW, createdAt: CONSENT }],
    [{ ...OLD_LINE, lang: "en", building: "office" }, { lang: "en", building: "office" }],
    [{ consentedAt: OLD.consentedAt, createdAt: NOW, source: "cta" }, { source: "cta" }],
  ];
  for (const [imported, changes] of cases) {
    await t.step(`the line is ${JSON.stringify(imported)}`, () => {
      const merged = mergeImported(OLD, { email: EMAIL, ...imported }, OPTIONS);
      assert.deepEqual(merged, { ...OLD, ...changes, updatedAt: NOW });
      const again = mergeImported(merged, { email: EMAIL, ...imported }, OPTIONS);
      assert.equal(again, merged, "run twice");
    });
  }
});

Deno.test("mergeRestored() prefers the values of the stored record to the values of the backup", () => {
  const times = { createdAt: NOW, consentedAt: NOW, updatedAt: NOW };
  const kept: SignUpRecord = { id: "signed-up-again", state: "waiting", lang: "en", ...times };
  assert.equal(mergeRestored(undefined, OLD), OLD);
  const merged = mergeRestored(kept, { ...OLD, role: "engineer" });
  const taken = { createdAt: OLD.createdAt, source: "hero", role: "engineer" };
  assert.deepEqual(merged, { ...kept, ...taken });
  assert.equal(mergeRestored(merged, { ...OLD, role: "engineer" }), merged);
});

Deno.test("mergeRestored() does not bring removed values back when the backup has already been restored into the record", () => {
  assert.equal(mergeRestored(OLD, { ...OLD, note: "Call back", complainedAt: NOW }), OLD);
});
