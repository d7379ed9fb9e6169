import assert from "node:assert/strict";
import { recountRecords, repairCounters } from "../../../server/store/recount.ts";
import { eraseSignUp } from "../../../server/store/erasures.ts";
import { storeSignUps } from "../../../server/store/sign_ups.ts";
import { readCounts } from "../../../server/store/statistics.ts";
import { faultyKv } from "../../support/faulty_kv.ts";
import { everyEntry, recount, storeSignUp } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const EARLIER = "2026-11-20T08:00:00.000Z";
const LATER = new Date(START + 1).toISOString();
const now = () => START;

/** Runs a generator to its end. */
async function finish<T>(work: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = await work.next();
    if (done) return value as T;
  }
}

/** A store with ten sign-ups, `a0` to `a9`. */
async function openStore(): Promise<Deno.Kv> {
  const kv = await Deno.openKv(":memory:");
  const signUps = Array.from({ length: 10 }, (_, n) => ({
    signUp: { email: `a${n}@example.com`, lang: n < 4 ? "de" as const : "en" as const },
    at: EARLIER,
  }));
  await storeSignUps(kv, signUps);
  return kv;
}

/** The same store; its scans read records one by one, and `meanwhile` runs once `count` were read. */
function interrupted(kv: Deno.Kv, count: number, meanwhile: () => Promise<unknown>): Deno.Kv {
  async function* list(selector: Deno.KvListSelector) {
    let read = 0;
    const scans = "prefix" in selector && selector.prefix[0] === "sign_up";
    for await (const entry of kv.list(selector, scans ? { batchSize: 1 } : {})) {
      yield entry;
      if (scans && ++read === count) await meanwhile();
    }
  }
  return new Proxy(kv, {
    get(target, name) {
      const value = name === "list" ? list : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Moves counters without records, as a fault would. */
async function spoil(kv: Deno.Kv, by: Record<string, bigint>): Promise<void> {
  const commit = kv.atomic();
  for (const [name, amount] of Object.entries(by)) {
    commit.sum(["statistics", ...name.split("/")], BigInt.asUintN(64, amount));
  }
  await commit.commit();
}

async function assertCountersEqualRecount(kv: Deno.Kv): Promise<void> {
  assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
}

Deno.test("recountRecords() is exact and finds nothing when the store is sound and quiet", async () => {
  using kv = await openStore();
  const { report } = await finish(recountRecords(kv, now));
  const expected = { records: 10, changed: 0, exact: true, agrees: true, differences: [] };
  assert.deepEqual(report, expected);
});

Deno.test("recountRecords() tells differences, also of a counter below zero, when there was a fault", async () => {
  using kv = await openStore();
  await spoil(kv, { "byLang/de": -5n, "total": 2n, "byRole/none": 1n });
  const { report } = await finish(recountRecords(kv, now));
  assert.deepEqual(report, {
    records: 10,
    changed: 0,
    exact: true,
    agrees: false,
    differences: [
      { counter: ["byLang", "de"], kept: -1, recounted: 4 },
      { counter: ["byRole", "none"], kept: 1, recounted: 0 },
      { counter: ["total"], kept: 12, recounted: 10 },
    ],
  });
});

Deno.test("recountRecords() stays exact when sign-ups are new, or repeat behind the scan", async () => {
  using kv = await openStore();
  const meanwhile = async () => {
    await storeSignUp(kv, { email: "a00@example.com", lang: "de" }, LATER);
    await storeSignUp(kv, { email: "a1@example.com", lang: "en" }, LATER);
    await storeSignUp(kv, { email: "z@example.com", lang: "en" }, LATER);
  };
  const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), now));
  const expected = { records: 10, changed: 1, exact: true, agrees: true, differences: [] };
  assert.deepEqual(report, expected);
});

Deno.test("recountRecords() is not exact, and says what may come of it, when a record changes ahead", async () => {
  using kv = await openStore();
  const meanwhile = () => storeSignUp(kv, { email: "a9@example.com", lang: "de" }, LATER);
  const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), now));
  assert.deepEqual(report, {
    records: 10,
    changed: 1,
    exact: false,
    agrees: true,
    differences: [
      { counter: ["byLang", "de"], kept: 4, recounted: 5 },
      { counter: ["byLang", "en"], kept: 6, recounted: 5 },
    ],
  });
});

for (const email of ["a0@example.com", "a9@example.com"]) {
  Deno.test(`recountRecords() is not exact when ${email} is erased and signs up again meanwhile`, async () => {
    using kv = await openStore();
    const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
    const erase = () => eraseSignUp(kv, email, { now: START, random });
    const erased = await finish(recountRecords(interrupted(kv, 5, erase), now));
    const { exact, agrees, changed } = erased.report;
    assert.deepEqual({ exact, agrees, changed }, { exact: false, agrees: true, changed: 1 });

    const again = async () => {
      await storeSignUp(kv, { email }, LATER);
      await erase();
      await storeSignUp(kv, { email }, LATER);
    };
    const { report } = await finish(recountRecords(interrupted(kv, 5, again), now));
    assert.deepEqual({ exact: report.exact, agrees: report.agrees }, {
      exact: false,
      agrees: true,
    });
  });
}

// The two changes cancel out in the counters, so that no counter tells of them.
Deno.test("recountRecords() is not exact when one commit swaps two records around the scan", async () => {
  using kv = await openStore();
  const meanwhile = () =>
    storeSignUps(kv, [
      { signUp: { email: "a0@example.com", lang: "en" }, at: LATER },
      { signUp: { email: "a9@example.com", lang: "de" }, at: LATER },
    ]);
  const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), now));
  assert.deepEqual({ exact: report.exact, agrees: report.agrees }, { exact: false, agrees: true });
  assert.equal(report.differences.length, 2);
});

Deno.test("recountRecords() reads the counters anew when a commit comes between its mark and them", async () => {
  using kv = await openStore();
  let reads = 0;
  const busy = new Proxy(kv, {
    get(target, name) {
      if (name !== "set") {
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async (...args: Parameters<Deno.Kv["set"]>) => {
        const result = await kv.set(...args);
        if (reads++ < 3) await storeSignUp(kv, { email: `b${reads}@example.com` }, LATER);
        return result;
      };
    },
  });
  const { report } = await finish(recountRecords(busy, now));
  const expected = { records: 13, changed: 0, exact: true, agrees: true, differences: [] };
  assert.deepEqual(report, expected);
  assert.equal(reads, 4);
});

Deno.test("repairCounters() corrects every counter, up, down and to zero", async () => {
  using kv = await openStore();
  await spoil(kv, { "byLang/de": -7n, "total": 1n, "byRole/none": 1n });
  await kv.delete(["statistics", "byLang", "en"]);
  const { repaired, recounts, differences } = await finish(repairCounters(kv, now));
  assert.deepEqual({ repaired, recounts, differences: differences.length }, {
    repaired: true,
    recounts: 1,
    differences: 4,
  });
  await assertCountersEqualRecount(kv);
});

Deno.test("repairCounters() corrects more counters than one atomic takes", async () => {
  using kv = await openStore();
  const days = Array.from({ length: 1_500 }, (_, n) => new Date(n * 86_400_000).toISOString());
  for (let from = 0; from < days.length; from += 500) {
    const part = days.slice(from, from + 500);
    await spoil(kv, Object.fromEntries(part.map((day) => [`added/${day.slice(0, 10)}`, 1n])));
  }
  assert.equal((await finish(repairCounters(kv, now))).repaired, true);
  const { report } = await finish(recountRecords(kv, now));
  assert.deepEqual(report.differences, []);
});

Deno.test("repairCounters() loses no sign-up that arrives while it recounts", async () => {
  using kv = await openStore();
  await spoil(kv, { "total": 5n });
  const meanwhile = async () => {
    await storeSignUp(kv, { email: "a00@example.com" }, LATER);
    await storeSignUp(kv, { email: "z@example.com" }, LATER);
  };
  const { repaired, recounts } = await finish(repairCounters(interrupted(kv, 5, meanwhile), now));
  assert.deepEqual({ repaired, recounts }, { repaired: true, recounts: 1 });
  assert.equal((await readCounts(kv, START)).total, 12);
  await assertCountersEqualRecount(kv);
});

Deno.test("repairCounters() recounts, five times at the most, when records change ahead of it", async () => {
  using kv = await openStore();
  await spoil(kv, { "total": 5n });
  let changes = 0;
  const meanwhile = () => {
    const lang = changes++ % 2 === 0 ? "de" : "en";
    return storeSignUp(kv, { email: "a9@example.com", lang }, LATER);
  };
  const { repaired, recounts } = await finish(repairCounters(interrupted(kv, 5, meanwhile), now));
  assert.deepEqual({ repaired, recounts, changes }, { repaired: false, recounts: 5, changes: 5 });
  assert.equal((await readCounts(kv, START)).total, 15, "nothing was corrected");

  changes = 0;
  const once = () => changes++ > 0 ? Promise.resolve() : meanwhile();
  assert.equal((await finish(repairCounters(interrupted(kv, 5, once), now))).recounts, 2);
  await assertCountersEqualRecount(kv);
});

Deno.test("repairCounters() corrects once when two repairs run at the same time", async () => {
  using kv = await openStore();
  await spoil(kv, { "total": 5n });
  const second = () => finish(repairCounters(kv, now));
  const { repaired } = await finish(repairCounters(interrupted(kv, 5, second), now));
  assert.equal(repaired, true);
  await assertCountersEqualRecount(kv);
});

Deno.test("repairCounters() corrects once when its commit goes through and the answer is lost", async () => {
  using kv = await openStore();
  await spoil(kv, { "total": 5n });
  let lost = false;
  const faulty = faultyKv(kv, async (commit) => {
    const result = await commit();
    if (lost) return result;
    lost = true;
    throw new Error("The connection was reset");
  });
  const { repaired, recounts } = await finish(repairCounters(faulty, now));
  assert.deepEqual({ repaired, recounts }, { repaired: true, recounts: 2 });
  await assertCountersEqualRecount(kv);
});

Deno.test("repairCounters() writes nothing but its mark when there is nothing to correct", async () => {
  using kv = await openStore();
  const before = await everyEntry(kv);
  assert.equal((await finish(repairCounters(kv, now))).repaired, true);
  const after = await everyEntry(kv);
  assert.deepEqual(after.filter(({ key }) => key[0] !== "recount"), before);
});
