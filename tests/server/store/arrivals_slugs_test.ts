import assert from "node:assert/strict";
import { type Rehearsal, storeArrivals } from "../../../server/store/arrivals.ts";
import { LOCAL_ENGINE } from "../../../server/store/open.ts";
import { readCounts } from "../../../server/store/statistics.ts";
import { arrival, assertCountersEqualRecount } from "../../support/arrivals.ts";
import { everyEntry, storedCounters } from "../../support/records.ts";
import { START } from "../../support/service.ts";

// Decisions, "Sign-up": at most 64 different ones each.
Deno.test("storeArrivals() takes 64 slugs when several processes bring 100 at once", async () => {
  using kv = await Deno.openKv(":memory:");
  const fates = await Promise.all(
    Array.from({ length: 4 }, (_, process) => {
      const mine = Array.from({ length: 25 }, (_, n) => {
        return arrival(`p${process}.${n}`, { building: `building-${process}-${n}` });
      });
      return storeArrivals({ kv, engine: { checksPerCommit: 4, commitsInFlight: 4 } }, mine);
    }),
  );
  assert.equal(fates.flat().filter((fate) => fate === "new").length, 64);
  assert.equal(Object.keys((await readCounts(kv, START)).byBuilding).length, 64);
  await assertCountersEqualRecount(kv);
});

Deno.test("storeArrivals() forgets a slug that nobody uses any more when there is no room", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = { kv, engine: LOCAL_ENGINE };
  const all = Array.from({ length: 64 }, (_, n) => arrival(`a${n}`, { role: `role${n}` }));
  await storeArrivals(store, all);
  assert.deepEqual(await storeArrivals(store, [arrival("a0", { role: "role1" })]), ["merged"]);
  assert.deepEqual(await storeArrivals(store, [arrival("b", { role: "new" })]), ["new"]);
  const [fate] = await storeArrivals(store, [arrival("c", { role: "role0" })]);
  assert.ok(typeof fate === "object", "role0 has lost its place");
  const counted = Object.keys(await storedCounters(kv)).filter((name) =>
    name.startsWith("byRole/")
  );
  assert.equal(counted.length, 64, "and its counter is gone");
  assert.ok(!counted.includes("byRole/role0"));
  await assertCountersEqualRecount(kv);
});

// Such a slug has no counter: in its one commit it came and went.
Deno.test("storeArrivals() forgets a slug that was replaced in the batch that brought it", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = { kv, engine: LOCAL_ENGINE };
  const all = Array.from({ length: 63 }, (_, n) => arrival(`a${n}`, { role: `role${n}` }));
  await storeArrivals(store, [arrival("a0", { role: "brief" }), ...all]);
  assert.deepEqual(await storeArrivals(store, [arrival("b", { role: "new" })]), ["new"]);
  await assertCountersEqualRecount(kv);
});

Deno.test("storeArrivals() writes nothing and counts slugs across calls when it rehearses", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = { kv, engine: LOCAL_ENGINE };
  await storeArrivals(store, [arrival("known")]);
  const before = await everyEntry(kv);
  const rehearsal: Rehearsal = {};
  const first = Array.from({ length: 64 }, (_, n) => arrival(`a${n}`, { role: `role${n}` }));
  assert.deepEqual(await storeArrivals(store, first, rehearsal), Array(64).fill("new"));
  const fates = await storeArrivals(
    store,
    [arrival("known", { role: "role3" }), arrival("known"), arrival("b", { role: "role64" })],
    rehearsal,
  );
  assert.deepEqual(fates, ["merged", "unchanged", {
    refused:
      "The field role is 'role64', and there is no room for it: there are 64 different ones at the most.",
  }]);
  assert.deepEqual(await everyEntry(kv), before);
});

Deno.test("storeArrivals() forgets no slug but says what it would when it rehearses", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = { kv, engine: LOCAL_ENGINE };
  const all = Array.from({ length: 64 }, (_, n) => arrival(`a${n}`, { role: `role${n}` }));
  await storeArrivals(store, [...all, arrival("a0", { role: "role1" })]);
  const before = await everyEntry(kv);
  const rehearsal: Rehearsal = {};
  const brought = [arrival("b", { role: "new" }), arrival("c", { role: "newer" })];
  const fates = await storeArrivals(store, brought, rehearsal);
  assert.deepEqual(await everyEntry(kv), before);
  assert.deepEqual(fates, await storeArrivals(store, brought));
  assert.deepEqual(fates.map((fate) => typeof fate), ["string", "object"]);
});
