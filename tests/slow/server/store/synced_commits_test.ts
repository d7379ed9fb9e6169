import assert from "node:assert/strict";
import { join } from "node:path";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { makeTestFolder, outputOf, run } from "../../../support/process.ts";

/** A program that opens a store and makes some commits, one after the other. */
async function makeCommits([path = "", count = "0"]: string[]): Promise<void> {
  using store = await openKv({ kind: "file", path });
  for (let n = 0; n < Number(count); n++) await store.kv.commit(new Commit().set(["key"], n));
}

const strace = await run(["strace", "-V"]).then(({ code }) => code === 0, () => false);

/** How many system calls of the program wrote the store's file to the disk: Deno writes files of its own cache, too. */
async function countSyncs(commits: number): Promise<number> {
  await using folder = await makeTestFolder();
  const trace = join(folder.path, "trace");
  const program = [Deno.execPath(), "run", "-A", "--config", "tests/deno.json"];
  const options = ["-f", "-y", "-e", "trace=fsync,fdatasync", "-o", trace];
  const args = [import.meta.filename!, join(folder.path, "kv.sqlite3"), String(commits)];
  await outputOf(["strace", ...options, ...program, ...args]);
  return (await Deno.readTextFile(trace)).match(/f(data)?sync\(\d+<[^>]*kv\.sqlite3/g)?.length ?? 0;
}

const test = strace ? Deno.test : Deno.test.ignore;

if (import.meta.main) await makeCommits(Deno.args);
else {
  test("openKv() opens a KV file that writes each commit to the disk before it acknowledges the commit", async () => {
    assert.ok(await countSyncs(40) >= await countSyncs(0) + 40);
  });
}
