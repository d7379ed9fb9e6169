import assert from "node:assert/strict";
import type { Kv } from "../../../../../server/store/kv/engine.ts";
import { SCHEMA_VERSION } from "../../../../../server/store/kv/schema.ts";
import { type AroundCommit, faultyKv } from "../../../../support/faulty_kv.ts";
import { LINK } from "../../../../support/invitations.ts";
import { listAll, openMemoryKv, type TestKv } from "../../../../support/memory_kv.ts";
import {
  OLD_KEY,
  OLD_VERSION,
  openOldStore,
  openTestSchema,
  readSchemaEntry,
  unconvertedKeys,
} from "../../../../support/old_stores.ts";
import { startOperatedService } from "../../../../support/operator.ts";
import { json } from "../../../../support/service.ts";

Deno.test("createService() writes only JSON, packed bytes and counters", async () => {
  const kv = await openMemoryKv();
  await using service = await startOperatedService({}, kv);
  await service.request("/api/v1/waitlist", json({ email: "ada@example.com", consent: true }));
  await service.operate("/clients", { name: "Ada", scopes: [] });
  await service.operate("/signups/invite", { wave: "w", emails: ["ada@example.com"], link: LINK });
  await service.operate("/signups/erase", { email: "ada@example.com" });
  await service.repeatOnce();
  assert.deepEqual(await unconvertedKeys(kv.raw), []);
});

/** Thrown in place of a commit: the process has ended. */
class Killed extends Error {}

/** The entries that the migration keeps. */
const PREFIXES = ["due", "outbox", "outbox_count", "person", "root_key", "sign_up", "statistics"];

async function contents(kv: Kv): Promise<Record<string, unknown>> {
  const lists = PREFIXES.map((prefix) => listAll(kv, { prefix: [prefix] }));
  const entries = (await Promise.all(lists)).flat();
  return Object.fromEntries(entries.map(({ key, value }) => [JSON.stringify(key), value]));
}

/** Asserts that the store has the program's version, and that every value is as it was. */
async function assertUpgraded(kv: TestKv, before: Record<string, unknown>): Promise<void> {
  assert.deepEqual(await readSchemaEntry(kv), { version: SCHEMA_VERSION, erasureKeys: OLD_KEY });
  assert.deepEqual(await unconvertedKeys(kv.raw), []);
  assert.deepEqual(await contents(kv), before);
  const codes = await listAll(kv, { prefix: ["invitation_code"] });
  const holder = "7@example.com".padStart(254, "a");
  assert.deepEqual(codes.map(({ key, value }) => [...key, value]), [
    ["invitation_code", "an old code", holder, true],
  ]);
  for (const key of [["address_key"], ["recount"], ["limit_counts", 1, "process", "default"]]) {
    assert.equal((await kv.raw.get(key)).value, null, key[0] as string);
  }
}

Deno.test("openSchema() keeps every value, and says so, when the store is older", async () => {
  using kv = await openOldStore();
  const before = await contents(kv);
  assert.equal(Object.keys(before).length, 2 * 450 + 6);
  const { log } = await openTestSchema(kv);
  await assertUpgraded(kv, before);
  assert.deepEqual(
    log.map(({ event, version }) => [event, version]),
    [
      ["upgrading the store", OLD_VERSION],
      ["the store is upgraded", OLD_VERSION + 1],
      ["upgrading the store", OLD_VERSION + 1],
      ["the store is upgraded", SCHEMA_VERSION],
    ],
  );
  assert.ok(!JSON.stringify(log).includes("@"));
});

Deno.test("openSchema() goes on where it was when the process was killed after any commit", async () => {
  let survivors = 0;
  for (let killed = true; killed; survivors++) {
    using kv = await openOldStore(250);
    const before = await contents(kv);
    let commits = 0;
    const kill: AroundCommit = (commit) =>
      commits++ < survivors ? commit() : Promise.reject(new Killed());
    killed = await openTestSchema(faultyKv(kv, kill)).then(() => false, (error) => {
      assert.ok(error.cause instanceof Killed || error instanceof Killed, error);
      return true;
    });
    await openTestSchema(kv);
    await assertUpgraded(kv, before);
  }
  // One commit to begin and one to end, and some for the records and for the list of people.
  assert.ok(survivors > 2 + 2 * 2, String(survivors));
});

for (const goThrough of [true, false]) {
  const fault = goThrough ? "goes through without an answer" : "fails";
  Deno.test(`openSchema() keeps every value when every third commit ${fault}`, async () => {
    using kv = await openOldStore();
    const before = await contents(kv);
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
