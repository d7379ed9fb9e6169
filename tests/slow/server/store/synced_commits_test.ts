import assert from "node:assert/strict";
import { join } from "node:path";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { makeTestFolder } from "../../../support/process.ts";

/** A program that opens a store and makes some commits, one after the other. */
async function makeCommits([path = "", count = "0"]: string[]): Promise<void> {
  using store = await openKv({ kind: "file", path });
  for (let n = 0; n < Number(count); n++) await store.kv.commit(new Commit().set(["key"], n));
}

const strace = await new Deno.Command("strace", { args: ["-V"], stdout: "null" }).output()
  .then(({ success }) => success, () => false);

/** How many system calls of the program wrote the store's file to the disk: Deno writes files of its own cache, too. */
async function countSyncs(commits: number): Promise<number> {
  await using folder = await makeTestFolder();
  const trace = join(folder.path, "trace");
  const program = [Deno.execPath(), "run", "-A", "--config", "tests/deno.json"];
  const { success } = await new Deno.Command("strace", {
    args: ["-f", "-y", "-e", "trace=fsync,fdatasync", "-o", trace, ...program].concat(
      [import.meta.filename!, join(folder.path, "kv.sqlite3"), String(commits)],
    ),
    stderr: "inherit",
  }).output();
  assert.ok(success);
  return (await Deno.readTextFile(trace)).match(/f(data)?sync\(\d+<[^>]*kv\.sqlite3/g)?.length ?? 0;
}

if (import.meta.main) await makeCommits(Deno.args);
else {
  Deno.test({
    name: "openKv() opens a file whose commits are each on the disk before they are acknowledged",
    ignore: !strace,
    async fn() {
      assert.ok(await countSyncs(40) >= await countSyncs(0) + 40);
    },
  });
}
