import assert from "node:assert/strict";
import { NO_OUTBOX } from "../../../../server/store/outbox/changes.ts";
import { changeRecords } from "../../../../server/store/people/commit.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { recountRecords } from "../../../../server/store/people/recount.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { random, recordId, storeSignUp } from "../../../support/records.ts";
import { finish, interrupted, LATER, openStore } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";

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
