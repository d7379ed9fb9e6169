import assert from "node:assert/strict";
import { join } from "node:path";
import { damageEntry } from "../../../support/damage.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { openFileKv } from "../../../support/memory_kv.ts";
import { NO_OUTBOX } from "../../../../server/store/outbox/changes.ts";
import { changeRecords } from "../../../../server/store/people/change_records.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { recountRecords } from "../../../../server/store/people/recount.ts";
import { repairCounters } from "../../../../server/store/people/repair_counters.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { everyEntry, random, readCounts, recordId, storeSignUp } from "../../../support/records.ts";
import {
  assertCountersEqualRecount,
  finish,
  interrupted,
  LATER,
  openStore,
  spoil,
} from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { testWith } from "../../../support/test_with.ts";

const now = () => START;

const test = testWith(openStore);

const SOUND = {
  exact: true,
  agrees: true,
  differences: [],
  unreadable: [],
  lists: { missing: 0, surplus: 0 },
  line: [],
  referrals: [],
};

test("recountRecords() reports 'exact: false' when a record changes before the recount has read the record", async (kv) => {
  const meanwhile = () => storeSignUp(kv, { email: "a9@example.com", lang: "de" }, LATER);
  const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), { now }));
  assert.deepEqual(report, {
    records: 10,
    changed: 1,
    exact: false,
    agrees: true,
    differences: [
      { counter: ["byLang", "de"], storedCount: 4, recounted: 5 },
      { counter: ["byLang", "en"], storedCount: 6, recounted: 5 },
      { counter: ["withAnswers", "2026-11-20/de/"], storedCount: 4, recounted: 5 },
      { counter: ["withAnswers", "2026-11-20/en/"], storedCount: 6, recounted: 5 },
    ],
    unreadable: [],
    lists: { missing: 0, surplus: 0 },
    line: [],
    referrals: [],
  });
});

const READ = "a0@example.com";
const UNREAD = "a9@example.com";

const erase = (kv: Kv, email: string) => eraseSignUp(kv, email, { now: START, random });

/** Signs a person up who was erased, erases the person, and signs the person up again. */
async function comeBack(kv: Kv, email: string): Promise<void> {
  await storeSignUp(kv, { email }, LATER);
  await erase(kv, email);
  await storeSignUp(kv, { email }, LATER);
}

type Change = (kv: Kv) => Promise<unknown>;

/** Changes that come when five of the ten records were read, how many are counted, and what came before. */
const CHANGES: [what: string, change: Change, changed: number, before?: Change][] = [
  ["a person whom the recount has read is erased", (kv) => erase(kv, READ), 1],
  ["a person whom the recount has not read is erased", (kv) => erase(kv, UNREAD), 1],
  [
    "an erased person comes back whose place the recount has passed",
    (kv) => comeBack(kv, READ),
    1,
    (kv) => erase(kv, READ),
  ],
  [
    "an erased person comes back whose place the recount has not reached",
    (kv) => comeBack(kv, UNREAD),
    2,
    (kv) => erase(kv, UNREAD),
  ],
  [
    "a person whom the recount has not read expires",
    (kv) => {
      const decide = () => ({ leaves: "expired", at: START }) as const;
      return changeRecords(kv, [{ email: UNREAD, decide }], { outbox: NO_OUTBOX });
    },
    1,
  ],
  [
    "a record changes after a second recount",
    async (kv) => {
      await finish(recountRecords(kv, { now }));
      await storeSignUp(kv, { email: UNREAD, lang: "de" }, LATER);
    },
    1,
  ],
  [
    "one commit changes a record that was read and an unread record, and no counter",
    (kv) =>
      storeSignUps(kv, [
        { signUp: { email: READ, lang: "en" }, at: LATER, id: recordId() },
        { signUp: { email: UNREAD, lang: "de" }, at: LATER, id: recordId() },
      ]),
    1,
  ],
];

Deno.test("recountRecords() reports 'exact: false' when people change, leave or come back during the recount", async (t) => {
  for (const [what, change, expected, before] of CHANGES) {
    await t.step(what, async () => {
      using kv = await openStore();
      await before?.(kv);
      const { report } = await finish(
        recountRecords(interrupted(kv, 5, () => change(kv)), { now }),
      );
      assert.deepEqual([report.exact, report.agrees, report.changed], [false, true, expected]);
    });
  }
});

test("recountRecords() reads the counters again when a sign-up changes the counters before the recount's first commit", async (kv) => {
  let marks = 0;
  const busy = faultyKv(kv, async (commit) => {
    if (marks++ < 3) await storeSignUp(kv, { email: `b${marks}@example.com` }, LATER);
    return await commit();
  });
  const { report } = await finish(recountRecords(busy, { now }));
  assert.deepEqual(report, { records: 13, changed: 0, ...SOUND });
  assert.equal(marks, 4);
});

test("repairCounters() corrects counters that are too high, too low, missing or surplus", async (kv) => {
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

test("repairCounters() corrects more counters than fit into one commit", async (kv) => {
  const days = Array.from({ length: 1_500 }, (_, n) => new Date(n * 86_400_000).toISOString());
  for (let from = 0; from < days.length; from += 500) {
    const part = days.slice(from, from + 500);
    await spoil(kv, Object.fromEntries(part.map((day) => [`added/${day.slice(0, 10)}`, 1])));
  }
  assert.equal((await finish(repairCounters(kv, { now }))).repaired, true);
  const { report } = await finish(recountRecords(kv, { now }));
  assert.deepEqual(report.differences, []);
});

Deno.test("repairCounters() corrects 800 counters of which KV cannot read 210, although these take two writes each", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  const days = Array.from({ length: 800 }, (_, n) => {
    return new Date(n * 86_400_000).toISOString().slice(0, 10);
  });
  {
    using kv = await openFileKv(path);
    for (const half of [days.slice(0, 400), days.slice(400)]) {
      await spoil(kv, Object.fromEntries(half.map((day) => [`added/${day}`, 1])));
    }
  }
  for (const day of days.slice(0, 210)) damageEntry(path, day, "encoding", ["statistics", "added"]);
  using kv = await openFileKv(path);
  assert.equal((await finish(repairCounters(kv, { now }))).repaired, true);
  const { report } = await finish(recountRecords(kv, { now }));
  assert.deepEqual([report.differences, report.agrees], [[], true]);
});

test("repairCounters() recounts again when a record changes during a recount, and gives up after five recounts", async (kv) => {
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

test("repairCounters() changes only the schema entry, which contains the number of the recount, when all counters are right", async (kv) => {
  const before = await everyEntry(kv);
  assert.equal((await finish(repairCounters(kv, { now }))).repaired, true);
  const after = await everyEntry(kv);
  assert.deepEqual(after.filter(({ key }) => key[0] !== "schema"), before);
});
