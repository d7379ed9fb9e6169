/** What takes a second by itself: the wait for a lock. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../../../server/store/kv/open.ts";

Deno.test("openKv() refuses a file, naming its owner and the way out, when a process has it", {
  // A lock that is waited for cannot be given up: the wait ends by itself after the file is free.
  sanitizeOps: false,
}, async () => {
  const folder = await Deno.makeTempDir();
  try {
    const location = { kind: "file", path: join(folder, "waitlist.sqlite3") } as const;
    {
      using _first = await openKv(location);
      await assert.rejects(openKv(location), (error: Error) => {
        assert.match(error.message, new RegExp(`in use by process ${Deno.pid}\\..*KV_URL`));
        return true;
      });
    }
    using _second = await openKv(location);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
