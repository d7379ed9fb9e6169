import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../../server/store/open.ts";

// Decisions, `KV_PATH`: its folder is created.
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

// Decisions, `KV_URL`: a KV Connect server with its access token.
Deno.test("openKv() shows a KV Connect server the configured access token", async () => {
  const tokens: (string | null)[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      tokens.push(request.headers.get("authorization"));
      return new Response("This server knows nobody", { status: 401 });
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  await assert.rejects(openKv({ kind: "connect", url, accessToken: "the-token" }), /401/);
  assert.deepEqual(tokens, ["Bearer the-token"]);
});

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
