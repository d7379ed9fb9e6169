import assert from "node:assert/strict";
import { storedCounters, storedSignUps, storeSignUp } from "../../../support/records.ts";

const FIRST = "2026-11-20T08:00:00.000Z";
const NOW = "2026-11-21T12:00:20.000Z";
const EMAIL = "ada@example.com";

Deno.test("storeSignUps() stores the record and counts it when the address is new", async () => {
  using kv = await Deno.openKv(":memory:");
  await storeSignUp(kv, { email: EMAIL, lang: "de", source: "hero" }, NOW);
  const record = { createdAt: NOW, consentedAt: NOW, updatedAt: NOW, state: "waiting" };
  assert.deepEqual(await storedSignUps(kv), { [EMAIL]: { ...record, lang: "de", source: "hero" } });
  assert.deepEqual(await storedCounters(kv), {
    "total": 1,
    "added/2026-11-21": 1,
    "byLang/de": 1,
    "bySource/hero": 1,
    "byState/waiting": 1,
  });
});

Deno.test("storeSignUps() moves the counters with the merge when the address is known", async () => {
  using kv = await Deno.openKv(":memory:");
  await storeSignUp(kv, { email: EMAIL, lang: "de", source: "hero" }, FIRST);
  await storeSignUp(kv, { email: EMAIL, lang: "en", source: "cta" }, NOW);
  const record = { createdAt: FIRST, consentedAt: NOW, updatedAt: NOW, state: "waiting" };
  assert.deepEqual(await storedSignUps(kv), { [EMAIL]: { ...record, lang: "en", source: "cta" } });
  assert.deepEqual(await storedCounters(kv), {
    "total": 1,
    "added/2026-11-20": 1,
    "byLang/de": 0,
    "byLang/en": 1,
    "bySource/hero": 0,
    "bySource/cta": 1,
    "byState/waiting": 1,
  });
});

// Decisions, "Sign-up": the counters move with the merge, in the same atomic commit.
Deno.test("storeSignUps() writes the record and the counters in one commit", async () => {
  using kv = await Deno.openKv(":memory:");
  for (const lang of ["en", "de"] as const) {
    await storeSignUp(kv, { email: EMAIL, lang }, NOW);
    const [record, counter] = await kv.getMany([["sign_up", EMAIL], [
      "statistics",
      "byLang",
      lang,
    ]]);
    assert.ok(record.versionstamp);
    assert.equal(counter.versionstamp, record.versionstamp);
  }
});

Deno.test("storeSignUps() loses no sign-up when many addresses come at once", async () => {
  using kv = await Deno.openKv(":memory:");
  const addresses = Array.from({ length: 100 }, (_, i) => `ada${i}@example.com`);
  await Promise.all(addresses.map((email) => storeSignUp(kv, { email }, NOW)));
  assert.deepEqual(Object.keys(await storedSignUps(kv)).sort(), addresses.sort());
  assert.deepEqual(await storedCounters(kv), {
    "total": 100,
    "added/2026-11-21": 100,
    "byLang/en": 100,
    "byState/waiting": 100,
  });
});

// Contract, "WaitlistSignup": re-submitting a known address is allowed.
Deno.test("storeSignUps() counts an address once when it comes many times at once", async () => {
  using kv = await Deno.openKv(":memory:");
  const repeats = Array.from({ length: 60 }, () => storeSignUp(kv, { email: EMAIL }, NOW));
  await Promise.all(repeats);
  assert.deepEqual(Object.keys(await storedSignUps(kv)), [EMAIL]);
  assert.deepEqual(await storedCounters(kv), {
    "total": 1,
    "added/2026-11-21": 1,
    "byLang/en": 1,
    "byState/waiting": 1,
  });
});
