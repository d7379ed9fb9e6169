import assert from "node:assert/strict";
import fc from "fast-check";
import { faultyKv } from "../../../../support/faulty_kv.ts";
import { counterKey, signUpKey } from "../../../../../server/store/kv/keys.ts";
import { readCounts } from "../../../../../server/store/people/statistics/counts.ts";
import type { SignUp } from "../../../../../server/waitlist/record.ts";
import { recount, storeSignUp } from "../../../../support/records.ts";

const NOW = Date.parse("2026-11-21T12:00:20.000Z");
const HOUR = 60 * 60 * 1000;

Deno.test("readCounts() answers zeros and empty maps when nobody signed up", async () => {
  using kv = await Deno.openKv(":memory:");
  assert.deepEqual(await readCounts(kv, NOW), {
    total: 0,
    last7Days: 0,
    last30Days: 0,
    byLang: {},
    byRole: {},
    byBuilding: {},
    bySource: {},
  });
});

// Contract, "WaitlistStats": minimum 0.
Deno.test("readCounts() answers zero and no map key for a counter that a fault left below zero", async () => {
  using kv = await Deno.openKv(":memory:");
  const below = new Deno.KvU64(BigInt.asUintN(64, -3n));
  await kv.set(counterKey(["total"]), below);
  await kv.set(counterKey(["added", "2026-11-21"]), below);
  await kv.set(counterKey(["added", "2026-11-20"]), new Deno.KvU64(2n));
  await kv.set(counterKey(["byLang", "de"]), below);
  const { total, last7Days, last30Days, byLang } = await readCounts(kv, NOW);
  assert.deepEqual({ total, last7Days, last30Days, byLang }, {
    total: 0,
    last7Days: 2,
    last30Days: 2,
    byLang: {},
  });
});

Deno.test("readCounts() equals a recount after any sign-ups on any days", async () => {
  const signUp = fc.record<SignUp>({
    email: fc.constantFrom("ada@example.com", "alan@example.com", "grace@example.com"),
    lang: fc.constantFrom("en", "de"),
    source: fc.constantFrom("hero", "cta"),
  }, { requiredKeys: ["email"] });
  // A step up to 40 days, so that days pass out of both spans.
  const hours = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 960 }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(signUp, hours), { maxLength: 12 }), async (steps) => {
      using kv = await Deno.openKv(":memory:");
      let now = NOW;
      for (const [signUp, hours] of steps) {
        await storeSignUp(kv, signUp, new Date(now).toISOString());
        assert.deepEqual(await readCounts(kv, now), await recount(kv, now));
        now += hours * HOUR;
        assert.deepEqual(await readCounts(kv, now), await recount(kv, now));
      }
    }),
    { numRuns: 50 },
  );
});

// With as many roles and buildings as there can be.
Deno.test("readCounts() sees none of a sign-up that is stored while it reads", async () => {
  using kv = await Deno.openKv(":memory:");
  const one = new Deno.KvU64(1n);
  const slugs = Array.from({ length: 64 }, (_, i) => `slug-${String(i).padStart(2, "0")}`);
  for (const slug of slugs) {
    await kv.set(counterKey(["byRole", slug]), one);
    await kv.set(counterKey(["byBuilding", slug]), one);
  }
  const signUp = (name: string, daysBack: number) => {
    const now = new Date(NOW - daysBack * 24 * HOUR).toISOString();
    return storeSignUp(kv, { email: `${name}@example.com`, lang: "de", source: "hero" }, now);
  };
  for (let daysBack = 0; daysBack < 30; daysBack++) await signUp(`ada${daysBack}`, daysBack);

  let steps = 0;
  const interrupting = faultyKv(kv, (commit) => commit(), async (step) => {
    if (++steps === 2) await signUp("late", 0);
    return await step();
  });
  const counts = await readCounts(interrupting, NOW);
  assert.deepEqual([counts.total, counts.last7Days, counts.last30Days], [30, 7, 30]);
  assert.deepEqual([counts.byLang, counts.bySource], [{ de: 30 }, { hero: 30 }]);
  assert.deepEqual(Object.keys(counts.byRole), slugs);
  assert.deepEqual(Object.keys(counts.byBuilding), slugs);
  assert.equal((await readCounts(kv, NOW)).total, 31);
});

Deno.test("readCounts() reads no more entries when there are more sign-ups", async () => {
  using kv = await Deno.openKv(":memory:");
  let steps = 0;
  const counting = faultyKv(kv, (commit) => commit(), (step) => (steps++, step()));
  async function stepsOfRead(): Promise<number> {
    steps = 0;
    await readCounts(counting, NOW);
    return steps;
  }
  async function signUps(count: number, daysBack: number): Promise<void> {
    const now = new Date(NOW - daysBack * 24 * HOUR).toISOString();
    for (let i = 0; i < count; i++) {
      await storeSignUp(kv, { email: `ada${i}.${daysBack}@example.com`, lang: "en" }, now);
    }
  }
  await signUps(1, 0);
  const few = await stepsOfRead();
  await signUps(200, 0);
  assert.equal(await stepsOfRead(), few);
  for (let daysBack = 30; daysBack < 60; daysBack++) await signUps(1, daysBack);
  assert.equal(await stepsOfRead(), few, "older days are passed over");
  assert.equal((await readCounts(kv, NOW)).total, 230);
});

Deno.test("readCounts() keeps a person's role and building when the person signs up again", async () => {
  using kv = await Deno.openKv(":memory:");
  const now = new Date(NOW).toISOString();
  const times = { createdAt: now, consentedAt: now, updatedAt: now };
  const record = { ...times, lang: "de", role: "engineer", building: "office" };
  await kv.set(signUpKey("ada@example.com"), record);
  for (
    const counter of [
      ["total"],
      ["added", "2026-11-21"],
      ["byLang", "de"],
      ["byRole", "engineer"],
      ["byBuilding", "office"],
    ] as const
  ) await kv.set(["statistics", ...counter], new Deno.KvU64(1n));
  await storeSignUp(kv, { email: "ada@example.com", lang: "en", source: "cta" }, now);
  assert.deepEqual(await readCounts(kv, NOW), {
    total: 1,
    last7Days: 1,
    last30Days: 1,
    byLang: { en: 1 },
    byRole: { engineer: 1 },
    byBuilding: { office: 1 },
    bySource: { cta: 1 },
  });
});
