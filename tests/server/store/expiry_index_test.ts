import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openKv } from "../../../server/store/open.ts";
import { makeTestFolder } from "../../support/process.ts";
import { storeSignUp } from "../../support/records.ts";

const ADA = ["sign_up", "ada@example.com"];

/** Reads from a KV file what Deno's index by expiry has, and how Deno's own statements on it are planned. */
function readIndex(path: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  const plan = (sql: string, ...values: number[]) =>
    String(db.prepare(`explain query plan ${sql}`).get(...values)?.detail);
  const index = db.prepare("select sql from sqlite_master where name = 'kv_expiration_ms_idx'")
    .get();
  const from = "from kv where expiration_ms >= 0";
  const read = {
    sql: String(index?.sql),
    plans: [
      plan(`delete ${from} and expiration_ms <= ? returning k`, 1),
      plan(`select expiration_ms ${from} order by expiration_ms limit 1`),
    ],
    entries: db.prepare("select count(*) as n from kv").get()?.n,
    expiring: db.prepare(`select count(*) as n ${from}`).get()?.n,
  };
  db.close();
  return read;
}

Deno.test("openKv() leaves what never expires out of the index by expiry", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  using store = await openKv({ kind: "file", path });
  await storeSignUp(store.kv, { email: "ada@example.com" }, "2026-11-20T08:00:00.000Z");
  await store.kv.set(["limit_counts", 1], 1, { expireIn: 60_000 });
  const { sql, plans, expiring } = readIndex(path);
  // It fails where a new version of Deno makes another index: then `expiry_index.ts` is to be looked at.
  assert.match(sql, / where expiration_ms >= 0$/);
  for (const plan of plans) assert.match(plan, /USING (COVERING )?INDEX kv_expiration_ms_idx/);
  assert.equal(expiring, 1);
});

Deno.test("openKv() narrows the index of a file that it did not make, and keeps all entries", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  const kv = await Deno.openKv(path);
  await kv.set(ADA, { id: "1" });
  kv.close();
  assert.doesNotMatch(readIndex(path).sql, /where/);

  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  const narrowed = readIndex(path);
  assert.match(narrowed.sql, /where/);
  assert.equal(narrowed.entries, 1);

  using again = await openKv({ kind: "file", path });
  assert.deepEqual((await again.kv.get(ADA)).value, { id: "1" });
  assert.deepEqual(readIndex(path), narrowed);
});

Deno.test("openKv() leaves an index that Deno has made in another way as it is", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  const kv = await Deno.openKv(path);
  await kv.set(ADA, { id: "1" });
  kv.close();
  const db = new DatabaseSync(path);
  db.exec(`drop index kv_expiration_ms_idx;
    create index kv_expiration_ms_idx on kv (expiration_ms, version)`);
  db.close();
  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  assert.match(readIndex(path).sql, /\(expiration_ms, version\)$/);
});
