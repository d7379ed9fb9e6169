import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { compactFile } from "../../../../../server/store/kv/compact.ts";
import { eraseSignUp } from "../../../../../server/store/people/erasure.ts";
import { openKv } from "../../../../../server/store/kv/open.ts";
import { storeSignUps } from "../../../../../server/store/people/sign_ups.ts";
import { everyEntry, random, recordId } from "../../../../support/records.ts";
import { makeTestFolder, runTask } from "../../../../support/process.ts";
import { Commit } from "../../../../../server/store/kv/engine.ts";
import { openFileKv } from "../../../../support/memory_kv.ts";

const NOW = Date.parse("2026-11-21T12:00:20.000Z");

const COUNT = 3_000;

/** A name that is in no other. */
const nameOf = (n: number) => `${n % 3 === 0 ? "erased" : "kept"}-${n}-somebody@example.com`;

/** A file of a stopped service, with many sign-ups of which a third was erased. */
async function makeErasedFrom(path: string): Promise<void> {
  using store = await openKv({ kind: "file", path });
  for (let from = 0; from < COUNT; from += 60) {
    const signUps = Array.from({ length: 60 }, (_, n) => ({
      signUp: { email: nameOf(from + n) },
      at: new Date(NOW).toISOString(),
      id: recordId(),
    }));
    await storeSignUps(store.kv, signUps);
  }
  for (let n = 0; n < COUNT; n += 3) await eraseSignUp(store.kv, nameOf(n), { now: NOW, random });
}

/** How often a text stands in the files of a folder. */
async function occurrences(folder: string, text: string): Promise<number> {
  let count = 0;
  for await (const { name } of Deno.readDir(folder)) {
    const bytes = await Deno.readFile(join(folder, name));
    count += new TextDecoder("latin1").decode(bytes).split(text).length - 1;
  }
  return count;
}

Deno.test("compactFile() removes all bytes of erased addresses from the KV file, and keeps all other data", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  await makeErasedFrom(path);
  // Without this, the test would show nothing.
  assert.ok(await occurrences(folder.path, "erased-") > 100, "they are in the file's free parts");
  const entries = async () => {
    using store = await openKv({ kind: "file", path });
    return await everyEntry(store.kv);
  };
  const kept = await entries();

  const { file, bytesBefore, bytesAfter } = await compactFile(path);
  assert.equal(file, path);
  assert.ok(bytesAfter < bytesBefore, `${bytesBefore}, ${bytesAfter}`);
  assert.equal((await Deno.stat(path)).size, bytesAfter);
  assert.equal(await occurrences(folder.path, "erased-"), 0);
  assert.ok(await occurrences(folder.path, "kept-") >= COUNT / 3 * 2);
  assert.deepEqual(await entries(), kept);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
});

Deno.test("compactFile() refuses a path without a file, and a file of another program", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  await assert.rejects(compactFile(path), /^Error: There is no KV file '.+'; set KV_PATH to/);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(folder.path)), []);
  using kv = await openFileKv(path);
  await kv.commit(new Commit().set(["users"], 1));
  await assert.rejects(compactFile(path), /cannot be compacted: it is another program's database/);
});

// As another program does, which knows nothing of the service's lock.
Deno.test("compactFile() refuses a file that another program, which ignores the service's lock, is writing", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  (await openKv({ kind: "file", path }))[Symbol.dispose]();
  const db = new DatabaseSync(path);
  db.exec("begin immediate");
  await assert.rejects(
    compactFile(path),
    /cannot be compacted: database is locked\. Stop what has it open first$/,
  );
  db.close();
  assert.equal((await compactFile(path)).file, path);
});

Deno.test("'deno task compact' compacts the KV file of a stopped service, and refuses the KV file of a running service", async () => {
  await using folder = await makeTestFolder();
  const KV_PATH = join(folder.path, "kv.sqlite3");
  {
    using _store = await openKv({ kind: "file", path: KV_PATH });
    const refused = await runTask(["compact"], { KV_PATH });
    assert.deepEqual(refused, {
      code: 1,
      stdout: "",
      stderr: `The KV file '${KV_PATH}' is in use by process ${Deno.pid}. Stop the service first\n`,
    });
  }
  const { code, stdout, stderr } = await runTask(["compact"], { KV_PATH });
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^Compacted .+kv\.sqlite3: 0\.\d MB before, 0\.\d MB now\. The file holds no erased address/,
  );
});
