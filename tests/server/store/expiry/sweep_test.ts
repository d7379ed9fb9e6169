import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { restoreAuditLog, writeAuditEntry } from "../../../../server/store/audit/mod.ts";
import { sweep } from "../../../../server/store/expiry/sweep.ts";
import { commitChange, readOne } from "../../../../server/store/kv/calls.ts";
import { damageEntry } from "../../../support/damage.ts";
import { startOperatedService } from "../../../support/operator.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { everyEntry } from "../../../support/records.ts";
import { json, START } from "../../../support/service.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { listAll, openFileKv, test } from "../../../support/memory_kv.ts";

const HOUR = 60 * 60 * 1000, DAY = 24 * HOUR;

function entryOf(id: string, ms: number, address?: string) {
  return { at: new Date(ms).toISOString(), id, action: "rotateKeys", ...(address && { address }) };
}

Deno.test("sweep() removes readable and unreadable audit entries after 400 days", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  const [old, kept] = [START - 400 * DAY - 1, START - 400 * DAY];
  {
    using kv = await openFileKv(path);
    for (let n = 0; n < 250; n++) await writeAuditEntry(kv, entryOf(`old${n}`, old, "a mark"));
    const details = { formerAddress: "a former mark" };
    await writeAuditEntry(kv, { ...entryOf("correction", old, "a mark"), details });
    await writeAuditEntry(kv, entryOf("damaged", old));
    const lines = [old, kept].map((at) => ({ kind: "audit" as const, entry: entryOf("back", at) }));
    assert.equal(await restoreAuditLog(kv, lines, { now: START - 1, audit: undefined }), 1);
    await writeAuditEntry(kv, entryOf("kept", kept, "a mark"));
  }
  damageEntry(path, `${new Date(old).toISOString()} damaged`);
  using kv = await openFileKv(path);
  await sweep(kv, START);
  const entries = await everyEntry(kv);
  const places = entries.map(({ key }) => [key[0], String(key.at(-1)).split(" ")[1]]);
  assert.deepEqual(places, [["audit", "back"], ["audit", "kept"], ["audit_of", "kept"]]);
});

test("sweep() keeps the request counts of the current and the previous window, and removes older counts", async (kv) => {
  const window = Math.floor(START / 60_000);
  for (const back of [0, 1, 2, 3]) {
    await kv.commit(
      new Commit().set(["limit_counts", window - back, "process", "default"], new Uint8Array(8)),
    );
  }
  await sweep(kv, START);
  const left = (await everyEntry(kv)).map(({ key }) => window - Number(key[1]));
  assert.deepEqual(left, [1, 0]);
});

// The collector of Deno's engine ends the process if the disk is full and an entry has expired.
Deno.test("createService() removes old request counts by itself, and gives no entry of KV an expiry time", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    const kv = await openFileKv(path);
    await using service = await startOperatedService({}, kv);
    await service.request("/api/v1/waitlist", json({ email: "ada@example.com", consent: true }));
    await service.operate("/clients", { name: "Ada", scopes: [] });
    service.clock.now += 180_000;
    await service.repeatOnce();
    const counts = await listAll(kv, { prefix: ["limit_counts"] });
    assert.deepEqual(counts, []);
  }
  const db = new DatabaseSync(path);
  const rows = db.prepare("select count(*) as n from kv where expiration_ms >= 0").get();
  db.close();
  assert.equal(rows?.n, 0);
});

test("kv.sweep() removes an entry that proves a commit after the entry has been unused for an hour, and later commits still go through", async (kv) => {
  const proofs = async () => (await listAll(kv, { prefix: ["slot"] })).length;
  await kv.commit(new Commit().set(["a"], 1));
  await kv.sweep(START);
  await kv.sweep(START + HOUR - 1);
  await kv.commit(new Commit().set(["a"], 2));
  await kv.sweep(START + HOUR);
  assert.equal(await proofs(), 1);
  await kv.sweep(START + 2 * HOUR);
  assert.equal(await proofs(), 0);
  await commitChange(kv, () => {
    return Promise.resolve({ commit: new Commit().set(["a"], 3), result: () => {} });
  });
  assert.equal((await readOne(kv, ["a"])).value, 3);
});
