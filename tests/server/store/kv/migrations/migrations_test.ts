import assert from "node:assert/strict";
import { SCHEMA_VERSION } from "../../../../../server/store/kv/schema.ts";
import { type AroundCommit, faultyKv } from "../../../../support/faulty_kv.ts";
import {
  OLD_VERSION,
  openOldStore,
  openTestSchema,
  readSchemaEntry,
  thingIds,
} from "../../../../support/old_stores.ts";

/** Thrown in place of a commit: the process has ended. */
class Killed extends Error {}

/** The number of things in an old store. */
const THINGS = 700;

/** Asserts that the store has the program's version, and gives the ids of its things, each of which has one. */
async function assertUpgraded(kv: Deno.Kv): Promise<Record<string, string | undefined>> {
  assert.deepEqual(await readSchemaEntry(kv), { version: SCHEMA_VERSION, erasureKeys: "a key" });
  assert.equal((await kv.get(["old_key"])).value, null);
  const ids = await thingIds(kv);
  assert.equal(new Set(Object.values(ids)).size, THINGS);
  return ids;
}

Deno.test("openSchema() upgrades every entry and says so when the store is older", async () => {
  using kv = await openOldStore(THINGS);
  const { log } = await openTestSchema(kv);
  await assertUpgraded(kv);
  assert.deepEqual(
    log.map(({ event, version, records }) => [event, version, records]),
    [["upgrading the store", OLD_VERSION, 0], ["the store is upgraded", SCHEMA_VERSION, THINGS]],
  );
  assert.ok(!JSON.stringify(log).includes("@"));
});

Deno.test("openSchema() goes on where it was when the process was killed after any commit", async () => {
  let survivors = 0;
  for (let killed = true; killed; survivors++) {
    using kv = await openOldStore(THINGS);
    let commits = 0;
    const kill: AroundCommit = (commit) =>
      commits++ < survivors ? commit() : Promise.reject(new Killed());
    killed = await openTestSchema(faultyKv(kv, kill)).then(() => false, (error) => {
      assert.ok(error.cause instanceof Killed, error);
      return true;
    });
    const before = await thingIds(kv);
    await openTestSchema(kv);
    const ids = await assertUpgraded(kv);
    for (const [name, id] of Object.entries(ids)) assert.equal(before[name] ?? id, id);
  }
  // One commit to begin with, three batches and a last commit.
  assert.equal(survivors, 6);
});

for (const goThrough of [true, false]) {
  const fault = goThrough ? "goes through without an answer" : "fails";
  Deno.test(`openSchema() writes each batch once when every third commit ${fault}`, async () => {
    using kv = await openOldStore(THINGS);
    let commits = 0;
    const uncertain = faultyKv(kv, async (commit) => {
      if (commits++ % 3 !== 1) return await commit();
      if (goThrough) await commit();
      throw new Error("The answer was lost");
    });
    await openTestSchema(uncertain);
    await assertUpgraded(kv);
  });
}
