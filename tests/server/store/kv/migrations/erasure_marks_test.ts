import assert from "node:assert/strict";
import { Commit } from "../../../../../server/store/kv/engine.ts";
import { SCHEMA_VERSION } from "../../../../../server/store/kv/schema.ts";
import { listAll, openMemoryKv } from "../../../../support/memory_kv.ts";
import { openTestSchema, readSchemaEntry } from "../../../../support/old_stores.ts";

const AT = "2026-11-20T08:00:00.000Z";
const markOf = (n: number) => `${n}`.padStart(43, "m");

Deno.test("openSchema() gives each erasure mark the form of a date-time when an earlier program kept letters with it", async () => {
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
