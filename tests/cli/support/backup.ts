/** A backup that the command has made of a store with some thousands of sign-ups. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { eraseSignUp } from "../../../server/store/people/erasure.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { makeTestFolder } from "../../support/process.ts";
import { random, storedSignUps } from "../../support/records.ts";
import { storeVisitors } from "./list.ts";
import { runOperator, startCliService } from "./service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { readOne } from "../../../server/store/kv/calls.ts";

/** Sign-ups of a large backup, of which one is erased: more than one call of a restore carries. */
export const COUNT = 5_760;

/** Sign-ups of a small one. */
export const SMALL_COUNT = 192;

/** Makes a store, a service on it, and its backup. */
export async function makeBackup(count: number) {
  await using resources = new AsyncDisposableStack();
  const { path: folder } = resources.use(await makeTestFolder());
  const kvPath = join(folder, "old.sqlite3");
  const records = await seed(kvPath, count);
  const { url } = resources.use(await startCliService(kvPath));
  const path = join(folder, "backup.ndjson");
  const { code, stdout, stderr } = await runOperator(url, ["backup", path]);
  assert.equal(code, 0, stderr);
  assert.equal(
    stdout,
    `Backed up ${
      (count - 1).toLocaleString("en")
    } sign-ups, 0 clients, 1 erasure mark, 1 entry of the audit log to ${path}.\n`,
  );
  const text = await Deno.readTextFile(path);
  const kept = resources.move();
  return { folder, path, text, url, records, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function seed(path: string, count: number) {
  using store = await openKv({ kind: "file", path });
  const { kv } = store;
  await storeVisitors(kv, count);
  await eraseSignUp(kv, "visitor3@example.com", { now: Date.now(), random });
  // A member that a newer program has stored is in the backup too.
  const { key, value } = await readOne<object>(kv, ["sign_up", "visitor5@example.com"]);
  await kv.commit(new Commit().set(key, { ...value, notes: [{ by: "a newer program" }] }));
  return await storedSignUps(kv);
}
