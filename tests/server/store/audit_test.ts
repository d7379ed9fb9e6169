import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AUDIT_MS, restoreAuditLog, writeAuditEntry } from "../../../server/store/audit.ts";
import { readAuditLog, readNewestAuditEntries } from "../../../server/store/audit_reads.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { damageEntry } from "../../support/damage.ts";
import { uncertainKv } from "../../support/faulty_kv.ts";
import { makeTestFolder } from "../../support/process.ts";
import { everyEntry } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const DAY = 24 * 60 * 60 * 1000;

function entryOf(id: string, ms = START): AuditEntry {
  return { at: new Date(ms).toISOString(), id, action: "rotateKeys" };
}

// KV sets the end of an entry's time by the clock of the machine.
Deno.test("writeAuditEntry() and restoreAuditLog() let KV remove an entry 400 days after its moment", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  const before = Date.now();
  {
    using kv = await Deno.openKv(path);
    await writeAuditEntry(kv, entryOf("new"));
    const lines = [
      { kind: "audit" as const, entry: entryOf("old", START - 399 * DAY) },
      // A clock that was ahead keeps nothing for longer.
      { kind: "audit" as const, entry: entryOf("ahead", START + 900 * DAY) },
    ];
    await restoreAuditLog(kv, lines, { now: START, audit: undefined });
  }
  const after = Date.now();
  const db = new DatabaseSync(path);
  const rows = db.prepare("select expiration_ms as end from kv order by k").all();
  db.close();
  const days = rows.map(({ end }) => {
    assert.ok(Number(end) >= before && Number(end) <= after + AUDIT_MS);
    return Math.round((Number(end) - before) / DAY);
  });
  assert.deepEqual(days, [1, 400, 400]);
});

for (const goThrough of [true, false]) {
  const fault = goThrough ? "commits lose their answers" : "commits do not go through";

  Deno.test(`writeAuditEntry() and restoreAuditLog() store an entry once when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    await writeAuditEntry(uncertainKv(kv, { commits: 2, goThrough }), entryOf("written"));
    const lines = [{ kind: "audit" as const, entry: entryOf("restored") }];
    const options = { now: START, audit: undefined };
    const stored = await restoreAuditLog(
      uncertainKv(kv, { commits: 2, goThrough }),
      lines,
      options,
    );
    assert.equal(stored, 1);
    assert.equal((await everyEntry(kv)).length, 2);
  });
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
