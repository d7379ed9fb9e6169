import assert from "node:assert/strict";
import fc from "fast-check";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { counterKey } from "../../../../server/store/kv/keys.ts";
import { createCountsReader } from "../../../../server/store/people/statistics.ts";
import type { SignUp } from "../../../../server/waitlist/sign_up.ts";
import { readCounts, recount, storeSignUp } from "../../../support/records.ts";
import { createTestClient, getAccessToken, signUp, START } from "../../../support/service.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";
import { lastLineOf, startOperatedService } from "../../../support/operator.ts";
import { requestStats } from "../../../support/tokens.ts";

const AT = new Date(START).toISOString();
const HOUR = 60 * 60 * 1000;

// Contract, "WaitlistStats": minimum 0.
test("createCountsReader() returns 0 for a negative total, and leaves a language with a negative count out of byLang", async (kv) => {
  await kv.commit(new Commit().add(counterKey(["total"]), -3));
  await kv.commit(new Commit().add(counterKey(["added", "2026-11-21"]), -3));
  await kv.commit(new Commit().add(counterKey(["added", "2026-11-20"]), 2));
  await kv.commit(new Commit().add(counterKey(["byLang", "de"]), -3));
  const { total, last7Days, last30Days, byLang } = await readCounts(kv, START);
  assert.deepEqual({ total, last7Days, last30Days, byLang }, {
    total: 0,
    last7Days: 2,
    last30Days: 2,
    byLang: {},
  });
});

Deno.test("createCountsReader() reads the same counts as a recount after random sign-ups on random days", async () => {
  const signUp = fc.record<SignUp>({
    email: fc.constantFrom("ada@example.com", "alan@example.com", "grace@example.com"),
    lang: fc.constantFrom("en", "de"),
    source: fc.constantFrom("hero", "cta"),
  }, { requiredKeys: ["email"] });
  // A step has up to 40 days, so that days leave both spans.
  const hours = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 960 }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(signUp, hours), { maxLength: 12 }), async (steps) => {
      using kv = await openMemoryKv();
      let now = START;
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

// There are as many roles and buildings as possible.
test("createCountsReader() does not count a sign-up that is stored while the reader reads the counters", async (kv) => {
  const slugs = Array.from({ length: 64 }, (_, i) => `slug-${String(i).padStart(2, "0")}`);
  for (const slug of slugs) {
    await kv.commit(new Commit().add(counterKey(["byRole", slug]), 1));
    await kv.commit(new Commit().add(counterKey(["byBuilding", slug]), 1));
  }
  const signUp = (name: string, daysBack: number) => {
    const now = new Date(START - daysBack * 24 * HOUR).toISOString();
    return storeSignUp(kv, { email: `${name}@example.com`, lang: "de", source: "hero" }, now);
  };
  for (let daysBack = 0; daysBack < 30; daysBack++) await signUp(`ada${daysBack}`, daysBack);

  let steps = 0;
  const interrupting = faultyKv(kv, (commit) => commit(), async (step) => {
    // The sign-up comes after the version of the total is read, among the other counters.
    if (++steps === 3) await signUp("late", 0);
    return await step();
  });
  const counts = await readCounts(interrupting, START);
  assert.deepEqual([counts.total, counts.last7Days, counts.last30Days], [30, 7, 30]);
  assert.deepEqual([counts.byLang, counts.bySource], [{ de: 30 }, { hero: 30 }]);
  assert.deepEqual(Object.keys(counts.byRole), slugs);
  assert.deepEqual(Object.keys(counts.byBuilding), slugs);
  assert.equal((await readCounts(kv, START)).total, 31);
});

test("createCountsReader() makes the same number of reads for few sign-ups and for many sign-ups", async (kv) => {
  let steps = 0;
  const counting = faultyKv(kv, (commit) => commit(), (step) => (steps++, step()));
  async function stepsOfRead(): Promise<number> {
    steps = 0;
    await readCounts(counting, START);
    return steps;
  }
  async function signUps(count: number, daysBack: number): Promise<void> {
    const now = new Date(START - daysBack * 24 * HOUR).toISOString();
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
  assert.equal((await readCounts(kv, START)).total, 230);
});

test("createCountsReader() makes one read for all calls that arrive at the same time", async (kv) => {
  let reads = 0;
  const read = createCountsReader(kv, (counts) => (reads++, counts), {
    now: () => START,
    monotonic: () => START,
  });
  const all = await Promise.all(Array.from({ length: 100 }, () => read()));
  assert.equal(reads, 1);
  assert.equal(all[1], all[99], "and one answer");
});

test("createCountsReader() counts a sign-up in every call that starts after the sign-up", async (kv) => {
  const read = createCountsReader(kv, (counts) => counts.total, {
    now: () => START,
    monotonic: () => START,
  });
  for (let n = 1; n <= 50; n++) {
    const earlier = read();
    await storeSignUp(kv, { email: `visitor${n}@example.com` }, AT);
    // A read that is under way now began before the sign-up.
    assert.equal(await read(), n);
    assert.ok([n - 1, n].includes(await earlier));
  }
});

test("createCountsReader() reads only one key when no counter has changed since the last read", async (kv) => {
  let steps = 0;
  const counting = faultyKv(kv, (commit) => commit(), (step) => (steps++, step()));
  const clock = { now: START };
  const now = () => clock.now;
  const read = createCountsReader(counting, (counts) => counts, { now, monotonic: now });
  const person = { email: "ada@example.com", lang: "de" } as const;
  await storeSignUp(kv, person, AT);
  assert.equal((await read()).total, 1);
  steps = 0;
  await read();
  assert.equal(steps, 1);
  await storeSignUp(kv, { ...person, lang: "en" }, AT);
  assert.deepEqual((await read()).byLang, { en: 1 }, "a merge moves no total, and is seen");
  clock.now += 7 * 86_400_000;
  assert.equal((await read()).last7Days, 0, "a new day counts other days");
});

for (const counter of [["byLang", "de"], ["total"], ["byLang", "unused"]]) {
  const name = counter.join("/");
  Deno.test(`getWaitlistStats() answers 500 until the unreadable counter ${name} is repaired, and the log names the counter`, async () => {
    const kv = await openMemoryKv();
    await using service = await startOperatedService({}, kv);
    await signUp(service, "ada@example.com", { lang: "de" });
    await signUp(service, "bo@example.com");
    const authorization = `Bearer ${await getAccessToken(
      service,
      await createTestClient(service),
    )}`;
    const stats = async () => (await requestStats(service, { authorization })).status;
    const verify = () => lastLineOf(service, "/counters/verify");
    assert.equal(await stats(), 200);

    await kv.raw.set(["statistics", ...counter], new Uint8Array([0x7b]));
    await kv.raw.atomic().sum(["statistics", "byLang", "en"], 0n).commit();
    // This process keeps its counts while the total stays the same, and the next process reads the counter.
    await using other = await startOperatedService({}, { ...kv, close: () => {} });
    assert.equal((await requestStats(other, { authorization })).status, 500);
    assert.ok(JSON.stringify(other.log).includes(`The counter ${name} cannot be read`));
    assert.equal((await service.operate("/overview")).status, 500);
    assert.equal((await verify()).agrees, false);

    const repair = await lastLineOf(service, "/counters/repair");
    assert.deepEqual([repair.repaired, repair.recounts], [true, 2]);
    const repaired = repair.differences as { counter: string }[];
    assert.deepEqual(repaired.map((each) => each.counter), [name]);
    assert.equal((await verify()).agrees, true);
    assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
    assert.equal(await stats(), 200);
    assert.equal(await signUp(service, "cy@example.com", { lang: "de" }), 200);
  });
}
