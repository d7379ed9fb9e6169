/**
 * What takes a second by itself: the wait for a lock, and the pause of the KV Connect client.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { connectKv, openKv } from "../../../../server/store/open.ts";
import { ACCESS_TOKEN, BOUNDS, ready, serveAnswers } from "../../../support/kv_connect.ts";

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

Deno.test("connectKv() tries once more when the server answers 503", async () => {
  const unavailable = () => new Response("later", { status: 503 });
  await using server = serveAnswers([unavailable, ready]);
  (await connectKv({ url: server.url, accessToken: ACCESS_TOKEN }, BOUNDS)).close();
  assert.deepEqual(server.paths, ["/", "/"]);
});

Deno.test("connectKv() gives a call up when the server goes on failing", async () => {
  await using server = serveAnswers([ready, () => new Response("no", { status: 500 })]);
  const kv = await connectKv({ url: server.url, accessToken: ACCESS_TOKEN }, BOUNDS);
  await assert.rejects(kv.get(["root_key", "1"]), /status: 500/);
  assert.equal(server.paths.length, 3);
  kv.close();
});
