import assert from "node:assert/strict";
import { type Rehearsal, storeArrivals } from "../../../server/store/arrivals.ts";
import { eraseSignUp } from "../../../server/store/erasures.ts";
import { LOCAL_ENGINE, REMOTE_ENGINE } from "../../../server/store/open.ts";
import type { Arrival } from "../../../server/waitlist/arrivals.ts";
import { type ImportedSignUp, mergeImported } from "../../../server/waitlist/imported.ts";
import { faultyKv } from "../../support/faulty_kv.ts";
import {
  assertNothingStored,
  everyEntry,
  recount,
  storedCounters,
  storedSignUps,
  storeSignUp,
} from "../../support/records.ts";
import { readCounts } from "../../../server/store/statistics.ts";
import { START } from "../../support/service.ts";

const NOW = new Date(START).toISOString();
const AT = "2026-11-20T08:00:00.000Z";

function arrival(name: string, answers: Partial<ImportedSignUp> = {}): Arrival {
  const imported = { email: `${name}@example.com`, consentedAt: AT, ...answers };
  return {
    email: imported.email,
    answers: imported,
    merge: (record) => mergeImported(record, imported, NOW),
  };
}

const arrivals = (count: number, answers?: Partial<ImportedSignUp>) =>
  Array.from({ length: count }, (_, n) => arrival(`visitor${n}`, answers));

async function assertCountersEqualRecount(kv: Deno.Kv): Promise<void> {
  assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
}

for (const [name, engine] of Object.entries({ LOCAL_ENGINE, REMOTE_ENGINE })) {
  Deno.test(`storeArrivals() stores all and tells each one's fate on ${name}`, async () => {
    using kv = await Deno.openKv(":memory:");
    await storeSignUp(kv, { email: "visitor7@example.com" }, NOW);
    const many = [...arrivals(250, { role: "engineer" }), arrival("visitor3", { lang: "de" })];
    const fates = await storeArrivals({ kv, engine }, many);
    const expected = Array.from(many, (_, n) => n === 7 || n === 250 ? "merged" : "new");
    assert.deepEqual(fates, expected);
    assert.equal(Object.keys(await storedSignUps(kv)).length, 250);
    await assertCountersEqualRecount(kv);

    const before = await everyEntry(kv);
    assert.deepEqual(await storeArrivals({ kv, engine }, arrivals(250, { role: "engineer" })), [
      ...Array(250).fill("unchanged"),
    ]);
    assert.deepEqual(await everyEntry(kv), before, "a second run writes nothing");
  });
}

Deno.test("storeArrivals() moves the day's counter when createdAt becomes earlier", async () => {
  using kv = await Deno.openKv(":memory:");
  await storeSignUp(kv, { email: "a@example.com" }, NOW);
  await storeArrivals({ kv, engine: LOCAL_ENGINE }, [arrival("a")]);
  assert.deepEqual(await storedCounters(kv), {
    "added/2026-11-20": 1,
    "added/2026-11-21": 0,
    "byLang/en": 1,
    "total": 1,
  });
});

Deno.test("storeArrivals() counts once when the engine commits and its answer is lost", async () => {
  using kv = await Deno.openKv(":memory:");
  let lost = false;
  const faulty = faultyKv(kv, async (commit) => {
    const result = await commit();
    if (lost) return result;
    lost = true;
    throw new Error("The connection was reset");
  });
  const fates = await storeArrivals({ kv: faulty, engine: LOCAL_ENGINE }, [arrival("a")]);
  assert.deepEqual(fates, ["new"]);
  assert.equal((await readCounts(kv, START)).total, 1);
});

Deno.test("storeArrivals() merges anew when a sign-up wins the race", async () => {
  using kv = await Deno.openKv(":memory:");
  let commits = 0;
  const faulty = faultyKv(kv, async (commit) => {
    if (commits++ === 0) await storeSignUp(kv, { email: "a@example.com", source: "cta" }, NOW);
    return await commit();
  });
  const fates = await storeArrivals({ kv: faulty, engine: LOCAL_ENGINE }, [arrival("a")]);
  assert.deepEqual(fates, ["merged"]);
  assert.equal(commits, 2);
  assert.equal((await storedSignUps(kv))["a@example.com"]?.source, "cta");
  await assertCountersEqualRecount(kv);
});

Deno.test("storeArrivals() rejects and stores nothing when the engine keeps failing", async () => {
  using kv = await Deno.openKv(":memory:");
  const faulty = faultyKv(kv, () => Promise.reject(new Error("The disk is full")));
  const storing = storeArrivals({ kv: faulty, engine: LOCAL_ENGINE }, arrivals(3));
  await assert.rejects(storing, /disk is full/);
  await assertNothingStored(kv);
});

Deno.test("storeArrivals() rejects only once nothing is stored any more when one batch fails", async () => {
  using kv = await Deno.openKv(":memory:");
  const held = Promise.withResolvers<void>();
  let commits = 0;
  let underWay = 0;
  const faulty = faultyKv(kv, async (commit) => {
    underWay++;
    try {
      // The first batch is held up until the other one has failed for good, with its fifth try.
      if (++commits === 1) await held.promise;
      else if (commits <= 6) {
        if (commits === 6) setTimeout(held.resolve);
        throw new Error("The disk is full");
      }
      return await commit();
    } finally {
      underWay--;
    }
  });
  const oneByOne = { checksPerCommit: 3, commitsInFlight: 2 };
  const storing = storeArrivals({ kv: faulty, engine: oneByOne }, arrivals(6));
  await assert.rejects(storing, /disk is full/);
  assert.equal(underWay, 0);
  assert.equal(Object.keys(await storedSignUps(kv)).length, 1);
});

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

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

// Decisions, "Operator surface": import and restore pass an erased address over.
Deno.test("storeArrivals() passes over an erased address until its owner signs up again", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = { kv, engine: LOCAL_ENGINE };
  await storeArrivals(store, arrivals(12));
  await eraseSignUp(kv, "visitor3@example.com", { now: START, random });
  const fates = await storeArrivals(store, [arrival("visitor3"), arrival("visitor4")]);
  assert.deepEqual(fates, ["erased", "unchanged"]);
  await storeSignUp(kv, { email: "visitor3@example.com" }, NOW);
  const again = await storeArrivals(store, [arrival("visitor3", { role: "engineer" })]);
  assert.deepEqual(again, ["merged"]);
  await assertCountersEqualRecount(kv);
});

// Without a record before and after, a check on the record alone would not tell.
Deno.test("storeArrivals() passes over an address that signs up and is erased before the commit", async () => {
  using kv = await Deno.openKv(":memory:");
  const email = "visitor0@example.com";
  await storeArrivals({ kv, engine: LOCAL_ENGINE }, [arrival("other")]);
  await eraseSignUp(kv, "other@example.com", { now: START, random });
  let commits = 0;
  const faulty = faultyKv(kv, async (commit) => {
    if (commits++ > 0) return await commit();
    await storeSignUp(kv, { email }, NOW);
    await eraseSignUp(kv, email, { now: START, random });
    return await commit();
  });
  const fates = await storeArrivals({ kv: faulty, engine: LOCAL_ENGINE }, arrivals(2));
  assert.deepEqual(fates, ["erased", "new"]);
  await assertCountersEqualRecount(kv);
});
