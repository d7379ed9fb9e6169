import assert from "node:assert/strict";
import type { BulkOptions, DryRun } from "../../../../server/store/people/bulk.ts";
import { storeBulkSignUps } from "../../../../server/store/people/bulk.ts";
import { readCounts } from "../../../support/read_counts.ts";
import type { BulkSignUp } from "../../../../server/waitlist/bulk_sign_ups.ts";
import { bulkSignUp } from "../../../support/bulk_sign_ups.ts";
import { everyEntry, storedCounters } from "../../../support/records.ts";
import { assertCountersEqualRecount } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";

const importAll = (kv: Kv, people: BulkSignUp[], options?: BulkOptions) =>
  storeBulkSignUps(kv, people, options);

/** People with a role each. */
const withRoles = (count: number) =>
  Array.from({ length: count }, (_, n) => bulkSignUp(`a${n}`, { role: `role${n}` }));

Deno.test("storeBulkSignUps() stores 64 slugs when several processes bring 100 at once", async () => {
  using kv = await openMemoryKv({ traits: { checksPerCommit: 4, commitsInFlight: 4 } });
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, (_, process) => {
      const mine = Array.from({ length: 25 }, (_, n) => {
        return bulkSignUp(`p${process}.${n}`, { building: `building-${process}-${n}` });
      });
      return storeBulkSignUps(kv, mine);
    }),
  );
  assert.equal(outcomes.flat().filter((outcome) => outcome === "new").length, 64);
  assert.equal(Object.keys((await readCounts(kv, START)).byBuilding).length, 64);
  await assertCountersEqualRecount(kv);
});

Deno.test("storeBulkSignUps() removes a slug that nobody uses any more when there is no room", async () => {
  using kv = await openMemoryKv();
  const all = withRoles(64);
  await importAll(kv, all);
  assert.deepEqual(await importAll(kv, [bulkSignUp("a0", { role: "role1" })]), ["merged"]);
  assert.deepEqual(await importAll(kv, [bulkSignUp("b", { role: "new" })]), ["new"]);
  const [outcome] = await importAll(kv, [bulkSignUp("c", { role: "role0" })]);
  assert.ok(typeof outcome === "object", "role0 has lost its place");
  const counted = Object.keys(await storedCounters(kv)).filter((name) =>
    name.startsWith("byRole/")
  );
  assert.equal(counted.length, 64, "and its counter is gone");
  assert.ok(!counted.includes("byRole/role0"));
  await assertCountersEqualRecount(kv);
});

// Such a slug has no counter, because it came and went in one commit.
Deno.test("storeBulkSignUps() removes a slug that was replaced in the batch that brought it", async () => {
  using kv = await openMemoryKv();
  const all = withRoles(63);
  await importAll(kv, [bulkSignUp("a0", { role: "brief" }), ...all]);
  assert.deepEqual(await importAll(kv, [bulkSignUp("b", { role: "new" })]), ["new"]);
  await assertCountersEqualRecount(kv);
});

Deno.test("storeBulkSignUps() writes nothing and counts slugs across calls in a dry run", async () => {
  using kv = await openMemoryKv();
  await importAll(kv, [bulkSignUp("known")]);
  const before = await everyEntry(kv);
  const dryRun: DryRun = {};
  const first = withRoles(64);
  assert.deepEqual(await importAll(kv, first, { dryRun }), Array(64).fill("new"));
  const outcomes = await importAll(
    kv,
    [
      bulkSignUp("known", { role: "role3" }),
      bulkSignUp("known"),
      bulkSignUp("b", { role: "role64" }),
    ],
    { dryRun },
  );
  assert.deepEqual(outcomes, ["merged", "unchanged", {
    refused:
      "The field role is 'role64', and there is no room for it: there are 64 different ones at the most.",
  }]);
  assert.deepEqual(await everyEntry(kv), before);
});

Deno.test("storeBulkSignUps() removes no slug in a dry run, and gives the same outcomes", async () => {
  using kv = await openMemoryKv();
  const all = withRoles(64);
  await importAll(kv, [...all, bulkSignUp("a0", { role: "role1" })]);
  const before = await everyEntry(kv);
  const dryRun: DryRun = {};
  const brought = [bulkSignUp("b", { role: "new" }), bulkSignUp("c", { role: "newer" })];
  const outcomes = await importAll(kv, brought, { dryRun });
  assert.deepEqual(await everyEntry(kv), before);
  assert.deepEqual(outcomes, await importAll(kv, brought));
  assert.deepEqual(outcomes.map((outcome) => typeof outcome), ["string", "object"]);
});
