import assert from "node:assert/strict";
import { join } from "node:path";
import {
  readAuditLog,
  readNewestAuditEntries,
  writeAuditEntry,
} from "../../../../server/store/audit/entries.ts";
import type { AuditEntry } from "../../../../shared/operator_schemas.ts";
import { damageEntry } from "../../../support/damage.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { START } from "../../../support/service.ts";

function entryOf(id: string, ms = START): AuditEntry {
  return { at: new Date(ms).toISOString(), id, action: "rotateKeys" };
}

Deno.test("readAuditLog() and readNewestAuditEntries() read all others and name the entries that it cannot read", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    using kv = await Deno.openKv(path);
    for (const id of ["a", "damaged", "e"]) await writeAuditEntry(kv, entryOf(id));
    await kv.set(["audit", `${entryOf("d").at} d`], { at: "yesterday" });
  }
  damageEntry(path, `${entryOf("damaged").at} damaged`);
  using kv = await Deno.openKv(path);
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
    assert.deepEqual(named.toSorted(), ["d", "damaged"].map((id) => `${entryOf(id).at} ${id}`));
  }
});
