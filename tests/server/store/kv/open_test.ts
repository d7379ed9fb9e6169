import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../../../server/store/kv/open.ts";

Deno.test("openKv() makes the folder of a file and keeps what was stored in it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "a folder", "deeper", "waitlist.sqlite3");
    {
      using store = await openKv({ kind: "file", path });
      await store.kv.set(["sign_up", "ada@example.com"], 1);
    }
    assert.equal((await Deno.stat(path)).isFile, true);
    using again = await openKv({ kind: "file", path });
    assert.equal((await again.kv.get(["sign_up", "ada@example.com"])).value, 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
