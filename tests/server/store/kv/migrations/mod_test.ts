import assert from "node:assert/strict";
import { StoreClosed } from "../../../../../server/store/kv/calls.ts";
import { SCHEMA_VERSION } from "../../../../../server/store/kv/schema.ts";
import { readPlace } from "../../../../../server/store/people/line.ts";
import { checkLine } from "../../../../../server/store/people/line_check.ts";
import { storeSignUps } from "../../../../../server/store/people/sign_ups.ts";
import { faultyKv } from "../../../../support/faulty_kv.ts";
import {
  assertUpgraded,
  convertedEntries,
  OLD_VERSION,
  openOldStore,
  openTestSchema,
  readSchemaEntry,
  unconvertedKeys,
} from "../../../../support/old_stores.ts";
import { bulkSignUp, storeBulk } from "../../../../support/bulk_sign_ups.ts";
import { assertListsAgree } from "../../../../support/lists.ts";
import { everyEntry, recordId, storedIds, storedSignUps } from "../../../../support/records.ts";
import { finish } from "../../../../support/recounts.ts";
import { json, START } from "../../../../support/service.ts";
import { Commit, type Entry, type Kv } from "../../../../../server/store/kv/engine.ts";
import { listAll, openMemoryKv, type TestKv } from "../../../../support/memory_kv.ts";
import { LINK } from "../../../../support/invitations.ts";
import { startOperatedService } from "../../../../support/operator.ts";

const PEOPLE = 450;
const NEWER = SCHEMA_VERSION + 1;

Deno.test("upgradeStore() writes the program's schema version into an empty store, and writes nothing at the next start", async () => {
  using kv = await openMemoryKv();
  await openTestSchema(kv);
  const entries = await everyEntry(kv);
  assert.deepEqual(entries.map(({ key, value }) => [key, value]), [
    [["schema"], { version: SCHEMA_VERSION }],
  ]);
  const { log } = await openTestSchema(kv);
  assert.deepEqual(await everyEntry(kv), entries);
  assert.deepEqual(log, []);
});

Deno.test("upgradeStore() refuses a store that a newer program has upgraded or has begun to upgrade", async (t) => {
  const migrating = { to: NEWER, by: "another", batch: 0, records: 0 };
  for (const schema of [{ version: NEWER }, { version: SCHEMA_VERSION, migrating }]) {
    await t.step(`the stored schema is ${JSON.stringify(schema)}`, async () => {
      using kv = await openMemoryKv();
      await kv.commit(new Commit().set(["schema"], schema));
      await assert.rejects(
        openTestSchema(kv),
        new RegExp(
          `schema version ${NEWER}, and this program knows versions up to ${SCHEMA_VERSION}`,
        ),
      );
      assert.deepEqual(await readSchemaEntry(kv), schema);
    });
  }
});

Deno.test("upgradeStore() refuses a store whose schema version is too old for an upgrade", async (t) => {
  const older = { version: OLD_VERSION - 1 };
  for (const [key, value] of [[["schema"], older], [["sign_up", "ada@example.com"], {}]] as const) {
    await t.step(`the store has the entry ${JSON.stringify(key)}`, async () => {
      using kv = await openMemoryKv();
      await kv.commit(new Commit().set(key, value));
      await assert.rejects(
        openTestSchema(kv),
        /schema version [12], which this program cannot upgrade/,
      );
    });
  }
});

/** What another process has written that upgrades an old store. */
const MIGRATING = { to: OLD_VERSION + 1, by: "another", batch: 0, records: 0 };

Deno.test("upgradeStore() waits and writes nothing while another process upgrades the store", async () => {
  using kv = await openOldStore(PEOPLE);
  await kv.commit(new Commit().set(["schema"], { version: OLD_VERSION, migrating: MIGRATING }));
  const { paused, log } = await openTestSchema(kv, {
    isShared: true,
    async onPause(pauses) {
      // It makes some progress every three seconds, and then ends.
      const migrating = { ...MIGRATING, batch: pauses };
      if (pauses < 60 && pauses % 6 === 0) {
        await kv.commit(new Commit().set(["schema"], { version: OLD_VERSION, migrating }));
      } else if (pauses === 60) {
        await kv.commit(new Commit().set(["schema"], { version: SCHEMA_VERSION }));
      }
    },
  });
  assert.equal(paused, 30_000);
  assert.deepEqual(log.map(({ event }) => event), [
    "another process is upgrading the store, and this process waits; 'records' is the number of records handled so far",
  ]);
  assert.ok((await unconvertedKeys(kv.raw)).length > PEOPLE, "it has changed nothing");
});

Deno.test("upgradeStore() takes over the upgrade when another process makes no progress for ten seconds", async () => {
  using kv = await openOldStore(PEOPLE);
  await kv.commit(new Commit().set(["schema"], { version: OLD_VERSION, migrating: MIGRATING }));
  const { paused } = await openTestSchema(kv, { isShared: true });
  assert.equal(paused, 10_000);
  assert.deepEqual(await unconvertedKeys(kv.raw), []);
});

// The commit to begin with, and some batches.
for (const at of [1, 2, 3, 4, 5]) {
  Deno.test(`upgradeStore() changes nothing more once another process has completed the upgrade (just before commit ${at} of upgradeStore())`, async () => {
    using kv = await openOldStore(PEOPLE);
    let commits = 0;
    let upgraded: Entry<unknown>[] = [];
    const overtaken = faultyKv(kv, async (commit) => {
      if (++commits === at) {
        await openTestSchema(kv);
        upgraded = await everyEntry(kv);
      }
      return await commit();
    });
    await openTestSchema(overtaken, { isShared: true });
    assert.deepEqual(await everyEntry(kv), upgraded);
    assert.equal((await readSchemaEntry(kv))?.version, SCHEMA_VERSION);
  });
}

Deno.test("storeSignUps() stores nothing when a newer program has begun to upgrade the store", async () => {
  using kv = await openMemoryKv();
  await openTestSchema(kv);
  const signUps = [{
    signUp: { email: "ada@example.com" },
    at: new Date(START).toISOString(),
    id: recordId(),
  }];
  const migrating = { to: NEWER, by: "another", batch: 0, records: 0 };
  // It begins between the reading and the commit.
  let begun = false;
  const raced = faultyKv(kv, async (commit) => {
    if (!begun) {
      await kv.commit(new Commit().set(["schema"], { version: SCHEMA_VERSION, migrating }));
    }
    begun = true;
    return await commit();
  });
  await assert.rejects(storeSignUps(raced, signUps), new RegExp(`schema version ${NEWER}`));
  assert.deepEqual(await storedIds(kv), {});
});

const AT = "2026-11-20T08:00:00.000Z";
const markOf = (n: number) => `${n}`.padStart(43, "m");

Deno.test("upgradeStore() replaces the value of each erasure mark of schema 7 by the date-time of the erasure", async () => {
  using kv = await openMemoryKv();
  const commit = new Commit().set(["schema"], { version: 7 });
  for (let n = 0; n < 450; n++) {
    const old = { erasedAt: AT, confirmations: { count: 1, lastAt: AT } };
    commit.set(["erased", markOf(n)], n % 2 === 0 ? AT : old);
  }
  await kv.commit(commit.set(["erased", markOf(450)], { erasedAt: 5 }));
  await openTestSchema(kv);
  const marks = await listAll<unknown>(kv, { prefix: ["erased"] });
  assert.equal(marks.length, 451);
  for (const { key, value } of marks) {
    assert.deepEqual(value, key[1] === markOf(450) ? { erasedAt: 5 } : AT);
  }
  assert.equal((await readSchemaEntry(kv))?.version, SCHEMA_VERSION);
});

Deno.test("upgradeStore() counts the referrals of a store of schema 10 exactly once when every third commit loses its answer", async () => {
  using kv = await openMemoryKv();
  const commit = new Commit().set(["schema"], { version: 10 });
  for (let n = 0; n < 450; n++) {
    const email = `${n}@example.com`;
    const record = { id: recordId(), state: "waiting", lang: "en", updatedAt: AT, consentedAt: AT };
    const createdAt = n < 3 ? "2026-11-19T08:00:00.000Z" : AT;
    const referralCounts = n % 3 !== 0;
    commit.set(["sign_up", email], { ...record, createdAt, referrerId: "ada", referralCounts })
      .set(["referred", "ada", email, email], { counts: referralCounts });
  }
  await kv.commit(commit.set(["sign_up", "ada@example.com"], { id: "ada", createdAt: AT }));
  let commits = 0;
  const uncertain = faultyKv(kv, async (commit) => {
    const result = await commit();
    if (commits++ % 3 === 1) throw new Error("The answer was lost");
    return result;
  });
  await openTestSchema(uncertain);
  const counters = await listAll<number>(kv, { prefix: ["statistics"] });
  assert.deepEqual(counters.map(({ key, value }) => [...key.slice(1), value]), [
    ["withReferral", "2026-11-19", 2],
    ["withReferral", "2026-11-20", 298],
    ["withReferral", "all", 300],
  ]);
  assert.equal((await readSchemaEntry(kv))?.version, SCHEMA_VERSION);
});

/** The lengths of the periods of the counters of the line in schema 12, in milliseconds. */
const OLD_LEVELS_MS = Array.from({ length: 8 }, (_, level) => 32 ** level);

/** Makes a store of schema 12 with waiting and invited people, and with its counters of the line. */
async function openStoreOfSchema12(): Promise<TestKv> {
  const kv = await openMemoryKv();
  const people = Array.from({ length: 250 }, (_, n) => {
    // Some people signed up at one moment, and the others in the course of four years.
    const createdAt = new Date(START - (n % 5 === 0 ? 0 : n * 500_000_000)).toISOString();
    return bulkSignUp(`person${n}`, { createdAt, ...n % 7 === 0 && { state: "invited" } });
  });
  await storeBulk(kv, people);
  for (const { key } of await listAll(kv, { prefix: ["line"] })) {
    await kv.commit(new Commit().delete(key));
  }
  for (const { createdAt, state } of Object.values(await storedSignUps(kv))) {
    if (state !== "waiting") continue;
    const commit = new Commit();
    for (const [level, length] of OLD_LEVELS_MS.entries()) {
      commit.add(["line", level, Math.floor(Date.parse(createdAt) / length)], 1);
    }
    await kv.commit(commit);
  }
  await kv.commit(new Commit().set(["schema"], { version: 12 }));
  return kv;
}

/** Asserts that each waiting person has the place of a count, and that no other counter of the line is left. */
async function assertPlaces(kv: Kv): Promise<void> {
  const waiting = Object.values(await storedSignUps(kv)).filter(({ state }) => state === "waiting");
  assert.ok(waiting.length > 200);
  for (const person of waiting) {
    const earlier = waiting.filter(({ createdAt }) => createdAt < person.createdAt);
    assert.equal(await readPlace(kv, { ...person, id: "" }), earlier.length + 1);
  }
  await assertListsAgree(kv);
  assert.deepEqual(await finish(checkLine(kv, { repairs: false, progress: 0 })), []);
}

Deno.test("upgradeStore() upgrades the counters of places in line correctly when every third commit loses its answer", async () => {
  using kv = await openStoreOfSchema12();
  let commits = 0;
  const uncertain = faultyKv(kv, async (commit) => {
    const result = await commit();
    if (commits++ % 3 === 1) throw new Error("The answer was lost");
    return result;
  });
  await openTestSchema(uncertain);
  await assertPlaces(kv);
  assert.equal((await readSchemaEntry(kv))?.version, SCHEMA_VERSION);
});

Deno.test("upgradeStore() completes the counters of places in line when the earlier upgrade was killed at any of its commits", async () => {
  let isKilled = true;
  let at = 0;
  for (; isKilled; at++) {
    using kv = await openStoreOfSchema12();
    let commits = 0;
    const killed = faultyKv(kv, async (commit) => {
      // Nothing is tried again after this error.
      if (commits++ === at) throw new StoreClosed();
      return await commit();
    });
    isKilled = await openTestSchema(killed).then(() => false, () => true);
    if (isKilled) await openTestSchema(kv);
    await assertPlaces(kv);
  }
  // The beginning, the removal, 214 people, and the end.
  assert.ok(at > 7, `${at}`);
});

Deno.test("createService() stores only JSON, packed bytes and counters in KV", async () => {
  const kv = await openMemoryKv();
  await using service = await startOperatedService({}, kv);
  await service.request("/api/v1/waitlist", json({ email: "ada@example.com", consent: true }));
  await service.operate("/clients", { name: "Ada", scopes: [] });
  await service.operate("/waves", { wave: "w", emails: ["ada@example.com"], link: LINK });
  await service.operate("/signups/erase", { email: "ada@example.com" });
  await service.repeatOnce();
  assert.deepEqual(await unconvertedKeys(kv.raw), []);
});

Deno.test("upgradeStore() keeps every value of an older store, and logs each step of the upgrade", async () => {
  using kv = await openOldStore();
  const before = await convertedEntries(kv);
  assert.equal(Object.keys(before).length, 2 * 450 + 6);
  const { log } = await openTestSchema(kv);
  await assertUpgraded(kv, before);
  const steps = Array.from({ length: SCHEMA_VERSION - OLD_VERSION }, (_, n) => OLD_VERSION + n);
  assert.deepEqual(
    log.map(({ event, version }) => [event, version]),
    steps.flatMap((version) => [
      ["upgrading the store; 'records' is the number of records handled so far", version],
      ["the store is upgraded; 'records' is the number of records handled", version + 1],
    ]),
  );
  assert.ok(!JSON.stringify(log).includes("@"));
});

for (const goThrough of [true, false]) {
  const fault = goThrough ? "goes through without an answer" : "fails";
  Deno.test(`upgradeStore() keeps every value of an older store when every third commit ${fault}`, async () => {
    using kv = await openOldStore();
    const before = await convertedEntries(kv);
    let commits = 0;
    const uncertain = faultyKv(kv, async (commit) => {
      if (commits++ % 3 !== 1) return await commit();
      if (goThrough) await commit();
      throw new Error("The answer was lost");
    });
    await openTestSchema(uncertain);
    await assertUpgraded(kv, before);
  });
}
