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
const LATER = "2026-11-22T12:00:20.000Z";
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
  for (const line of [{ consentedAt: CONSENT }, { ...OLD_LINE, role: "engineer" }]) {
    await t.step(`the line is ${JSON.stringify(line)}`, () => {
      const { imported, ...merged } = mergeImported(undefined, { email: EMAIL, ...line }, OPTIONS);
      assert.deepEqual(merged, { ...defaults, ...line });
      const { createdAt, consentedAt } = merged;
      assert.deepEqual(imported, { at: NOW, createdAt, consentedAt });
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
      const { imported: _, ...others } = merged;
      assert.deepEqual(others, { ...OLD, ...changes, updatedAt: NOW });
      const again = mergeImported(merged, { email: EMAIL, ...imported }, { ...OPTIONS, at: LATER });
      assert.equal(again, merged, "run twice");
    });
  }
});

Deno.test("mergeImported() notes the last import that changed the record, and the moments that the record got from imports", () => {
  const importLine = (
    existing: SignUpRecord | undefined,
    line: Omit<ImportedSignUp, "email">,
    at = NOW,
  ) => mergeImported(existing, { email: EMAIL, ...line }, { at, id: ID });
  const earliest = "2023-05-01T09:30:00.000Z";

  const signedUp = mergeSignUp(undefined, { email: EMAIL }, { at: FIRST, id: ID });
  const moments = { createdAt: FIRST, consentedAt: FIRST };
  assert.equal(importLine(signedUp, moments), signedUp, "nothing is noted but the import");
  const answered = importLine(signedUp, { ...moments, role: "engineer" });
  assert.deepEqual(answered.imported, { at: NOW }, "the moments are those of the form");
  const consented = importLine(signedUp, { createdAt: FIRST, consentedAt: NOW });
  assert.deepEqual(consented.imported, { at: NOW, consentedAt: NOW });

  const imported = importLine(undefined, { consentedAt: CONSENT });
  const again = mergeSignUp(imported, { email: EMAIL }, { at: NOW, id: ID });
  assert.deepEqual(again.imported, { at: NOW, createdAt: CONSENT, consentedAt: CONSENT });
  assert.equal(importLine(again, { consentedAt: CONSENT }, LATER), again);
  const extended = importLine(again, { createdAt: earliest, consentedAt: CONSENT }, LATER);
  const expected = { at: LATER, createdAt: earliest, consentedAt: CONSENT };
  assert.deepEqual(extended.imported, expected);
  assert.deepEqual(importLine(extended, { consentedAt: LATER }, LATER).imported, {
    ...expected,
    consentedAt: LATER,
  });
});

Deno.test("mergeRestored() keeps the note about imports of the stored record, and otherwise takes the note of the backup", () => {
  const restored = { ...OLD, imported: { at: NOW, createdAt: OLD.createdAt } };
  const stored = { ...OLD, id: "signed-up-again", createdAt: NOW };
  const merged = mergeRestored(stored, restored);
  assert.deepEqual([merged.createdAt, merged.imported], [OLD.createdAt, restored.imported]);
  const imported = { at: LATER, consentedAt: OLD.consentedAt };
  assert.deepEqual(mergeRestored({ ...stored, imported }, restored).imported, imported);
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
