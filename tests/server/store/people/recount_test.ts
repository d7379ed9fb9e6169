import assert from "node:assert/strict";
import { NO_OUTBOX } from "../../../../server/store/outbox/changes.ts";
import { changeRecords } from "../../../../server/store/people/commit.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { recountRecords, repairCounters } from "../../../../server/store/people/recount.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { everyEntry, random, recordId, storeSignUp } from "../../../support/records.ts";
import {
  assertCountersEqualRecount,
  finish,
  interrupted,
  LATER,
  openStore,
  spoil,
} from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import { readCounts } from "../../../support/read_counts.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";

const now = () => START;

const SOUND = {
  exact: true,
  agrees: true,
  differences: [],
  unreadable: [],
  lists: { missing: 0, surplus: 0 },
  line: [],
  referrals: [],
};

Deno.test("recountRecords() is not exact when a record changes that it has not read yet", async () => {
  using kv = await openStore();
  const meanwhile = () => storeSignUp(kv, { email: "a9@example.com", lang: "de" }, LATER);
  const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), { now }));
  assert.deepEqual(report, {
    records: 10,
    changed: 1,
    exact: false,
    agrees: true,
    differences: [
      { counter: ["byLang", "de"], kept: 4, recounted: 5 },
      { counter: ["byLang", "en"], kept: 6, recounted: 5 },
      { counter: ["withAnswers", "2026-11-20/de/"], kept: 4, recounted: 5 },
      { counter: ["withAnswers", "2026-11-20/en/"], kept: 6, recounted: 5 },
    ],
    unreadable: [],
    lists: { missing: 0, surplus: 0 },
    line: [],
    referrals: [],
  });
});

for (const email of ["a0@example.com", "a9@example.com"]) {
  Deno.test(`recountRecords() is not exact when ${email} is erased and signs up again meanwhile`, async () => {
    using kv = await openStore();
    const erase = () => eraseSignUp(kv, email, { now: START, random });
    const erased = await finish(recountRecords(interrupted(kv, 5, erase), { now }));
    const { exact, agrees, changed } = erased.report;
    assert.deepEqual({ exact, agrees, changed }, { exact: false, agrees: true, changed: 1 });

    const again = async () => {
      await storeSignUp(kv, { email }, LATER);
      await erase();
      await storeSignUp(kv, { email }, LATER);
    };
    const { report } = await finish(recountRecords(interrupted(kv, 5, again), { now }));
    assert.deepEqual({ exact: report.exact, agrees: report.agrees }, {
      exact: false,
      agrees: true,
    });
  });
}

Deno.test("recountRecords() is not exact when a person expires meanwhile", async () => {
  using kv = await openStore();
  const expire = () =>
    changeRecords(kv, [{
      email: "a9@example.com",
      decide: () => ({ leaves: "expired", at: START }),
    }], { outbox: NO_OUTBOX });
  const { report } = await finish(recountRecords(interrupted(kv, 5, expire), { now }));
  const { exact, agrees, changed } = report;
  assert.deepEqual({ exact, agrees, changed }, { exact: false, agrees: true, changed: 1 });
});

Deno.test("recountRecords() is not exact when a record changes after another recount has begun as well", async () => {
  using kv = await openStore();
  const meanwhile = async () => {
    await finish(recountRecords(kv, { now }));
    await storeSignUp(kv, { email: "a9@example.com", lang: "de" }, LATER);
  };
  const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), { now }));
  assert.deepEqual({ exact: report.exact, agrees: report.agrees }, { exact: false, agrees: true });
});

// The two changes cancel out in the counters, so that no counter shows them.
Deno.test("recountRecords() is not exact when one commit changes a record that was read and one that was not", async () => {
  using kv = await openStore();
  const meanwhile = () =>
    storeSignUps(kv, [
      { signUp: { email: "a0@example.com", lang: "en" }, at: LATER, id: recordId() },
      { signUp: { email: "a9@example.com", lang: "de" }, at: LATER, id: recordId() },
    ]);
  const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), { now }));
  assert.deepEqual({ exact: report.exact, agrees: report.agrees }, { exact: false, agrees: true });
  assert.equal(report.differences.length, 4);
});

Deno.test("recountRecords() reads the counters again when a commit comes before it has begun", async () => {
  using kv = await openStore();
  let marks = 0;
  const busy = faultyKv(kv, async (commit) => {
    if (marks++ < 3) await storeSignUp(kv, { email: `b${marks}@example.com` }, LATER);
    return await commit();
  });
  const { report } = await finish(recountRecords(busy, { now }));
  assert.deepEqual(report, { records: 13, changed: 0, ...SOUND });
  assert.equal(marks, 4);
});

Deno.test("repairCounters() corrects every counter, up, down and to zero", async () => {
  using kv = await openStore();
  await spoil(kv, { "byLang/de": -7, "total": 1, "byRole/none": 1 });
  await kv.commit(new Commit().delete(["statistics", "byLang", "en"]));
  const { repaired, recounts, differences } = await finish(repairCounters(kv, { now }));
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
    await spoil(kv, Object.fromEntries(part.map((day) => [`added/${day.slice(0, 10)}`, 1])));
  }
  assert.equal((await finish(repairCounters(kv, { now }))).repaired, true);
  const { report } = await finish(recountRecords(kv, { now }));
  assert.deepEqual(report.differences, []);
});

Deno.test("repairCounters() recounts at most five times when unread records change", async () => {
  using kv = await openStore();
  await spoil(kv, { "total": 5 });
  let changes = 0;
  const meanwhile = () => {
    const lang = changes++ % 2 === 0 ? "de" : "en";
    return storeSignUp(kv, { email: "a9@example.com", lang }, LATER);
  };
  const { repaired, recounts } = await finish(
    repairCounters(interrupted(kv, 5, meanwhile), { now }),
  );
  assert.deepEqual({ repaired, recounts, changes }, { repaired: false, recounts: 5, changes: 5 });
  assert.equal((await readCounts(kv, START)).total, 15, "nothing was corrected");

  changes = 0;
  const once = () => changes++ > 0 ? Promise.resolve() : meanwhile();
  assert.equal((await finish(repairCounters(interrupted(kv, 5, once), { now }))).recounts, 2);
  await assertCountersEqualRecount(kv);
});

Deno.test("repairCounters() writes only the number of the recount when there is nothing to correct", async () => {
  using kv = await openStore();
  const before = await everyEntry(kv);
  assert.equal((await finish(repairCounters(kv, { now }))).repaired, true);
  const after = await everyEntry(kv);
  assert.deepEqual(after.filter(({ key }) => key[0] !== "schema"), before);
});
