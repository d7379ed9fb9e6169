import assert from "node:assert/strict";
import {
  readAuditLog,
  readNewestAuditEntries,
  writeAuditEntry,
} from "../../../../server/store/audit/mod.ts";
import { START } from "../../../support/service.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { openFileKv } from "../../../support/memory_kv.ts";
import { join } from "node:path";
import { damageEntry } from "../../../support/damage.ts";
import { makeTestFolder } from "../../../support/process.ts";

const AT = new Date(START).toISOString();

const entryOf = (id: string) => ({ at: AT, id, action: "exportSignups", operator: "operator" });

Deno.test("readAuditLog() and readNewestAuditEntries() return all readable entries, and the keys of unreadable entries", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    using kv = await openFileKv(path);
    for (const id of ["a", "damaged", "e"]) await writeAuditEntry(kv, entryOf(id));
    await kv.commit(new Commit().set(["audit", `${AT} d`], { at: "yesterday" }));
  }
  damageEntry(path, `${AT} damaged`);
  using kv = await openFileKv(path);
  for (
    const [log, expected] of [
      [readAuditLog(kv, { now: START }), ["a", "e"]],
      [readNewestAuditEntries(kv, { now: START, most: 10 }), ["e", "a"]],
    ] as const
  ) {
    const batches = await Array.fromAsync(log);
    const ids = batches.flatMap(({ entries }) => entries.map(({ value }) => value.id));
    assert.deepEqual(ids, expected);
    const named = batches.flatMap(({ unreadable }) => unreadable.map(({ key }) => key.at(-1)));
    assert.deepEqual(named.toSorted(), [`${AT} d`, `${AT} damaged`]);
  }
});
