import assert from "node:assert/strict";
import { recountRecords } from "../../../../server/store/people/recount.ts";
import { repairCounters } from "../../../../server/store/people/recount.ts";
import { readCounts } from "../../../support/read_counts.ts";
import { everyEntry, storeSignUp } from "../../../support/records.ts";
import { assertCountersEqualRecount, finish, interrupted } from "../../../support/recounts.ts";
import { LATER, openStore, spoil } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";

const now = () => START;

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
