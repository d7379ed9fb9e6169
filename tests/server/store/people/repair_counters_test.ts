import assert from "node:assert/strict";
import { join } from "node:path";
import { damageEntry } from "../../../support/damage.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { openFileKv } from "../../../support/memory_kv.ts";
import { recountRecords } from "../../../../server/store/people/recount.ts";
import { repairCounters } from "../../../../server/store/people/repair_counters.ts";
import { everyEntry, readCounts, recount, storeSignUp } from "../../../support/records.ts";
import {
  assertCountersEqualRecount,
  finish,
  interrupted,
  LATER,
  openStore,
  spoil,
} from "../../../support/recounts.ts";
import { signUp, START } from "../../../support/service.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { testWith } from "../../../support/test_with.ts";
import { lastLineOf, startOperatedService } from "../../../support/operator.ts";

const now = () => START;

const test = testWith(openStore);

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

Deno.test("repairCounters() replaces an unreadable counter even if KV rejects each list() call that includes this counter", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    await using service = await startOperatedService({}, await openFileKv(path));
    assert.equal(await signUp(service, "ada@example.com", { lang: "de" }), 200);
  }
  damageEntry(path, "de", "encoding", ["statistics", "byLang"]);
  await using service = await startOperatedService({}, await openFileKv(path));
  assert.equal((await service.operate("/overview")).status, 500);
  assert.ok(JSON.stringify(service.log).includes("The counter byLang/de cannot be read"));
  // KV adds to no counter that it cannot read, and a sign-up without its counter would make the figures wrong.
  assert.equal(await signUp(service, "bo@example.com", { lang: "de" }), 500);
  const repair = await lastLineOf(service, "/counters/repair");
  assert.equal(repair.repaired, true);
  assert.equal(await signUp(service, "bo@example.com", { lang: "de" }), 200);
  assert.deepEqual(await readCounts(service.kv, START), await recount(service.kv, START));
});
