import assert from "node:assert/strict";
import { join } from "node:path";
import { connectKv, openKv } from "../../../server/store/open.ts";
import { ACCESS_TOKEN, BOUNDS, ready, serveAnswers } from "../../support/kv_connect.ts";

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

Deno.test("connectKv() waits for the server when it is not ready yet", async () => {
  const { promise: firstConnection, resolve } = Promise.withResolvers<void>();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  // Something that hangs up at once is there first, then nothing, then the server.
  const hangUp = listener.accept().then((connection) => {
    connection.close();
    listener.close();
    resolve();
  });
  const opening = connectKv({ url: `http://127.0.0.1:${port}`, accessToken: ACCESS_TOKEN }, BOUNDS);
  await firstConnection;
  await hangUp;
  await using _server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, ready);
  (await opening).close();
});

Deno.test("connectKv() names KV_URL and the way out when no server is there in time", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}`;
  listener.close();
  await assert.rejects(
    connectKv({ url, accessToken: ACCESS_TOKEN }, { ...BOUNDS, readyMs: 50 }),
    (error: Error) => {
      assert.ok(error.message.startsWith(`KV_URL '${url}' gives no KV: `), error.message);
      assert.match(error.message, /Start the KV server, or set KV_URL to where it listens$/);
      return true;
    },
  );
});

Deno.test("connectKv() says at once what to change when the server's answer is final", async () => {
  for (
    const [answer, fault, wayOut] of [
      [() => new Response("Invalid access token.", { status: 401 }), /401/, /DENO_KV_ACCESS_TOKEN/],
      [() => new Response("no", { status: 404 }), /404/, /KV Connect server, such as denokv$/],
      [() => new Response("<html>"), /content-type/, /KV Connect server, such as denokv$/],
      [() => Response.json({}), /Bad DatabaseMetadata/, /KV Connect server, such as denokv$/],
    ] as const
  ) {
    await using server = serveAnswers([answer]);
    const { url } = server;
    await assert.rejects(connectKv({ url, accessToken: ACCESS_TOKEN }, BOUNDS), (error: Error) => {
      assert.match(error.message, fault);
      assert.match(error.message, wayOut);
      assert.ok(!error.message.includes(ACCESS_TOKEN), error.message);
      return true;
    });
    assert.equal(server.paths.length, 1);
  }
});

Deno.test("connectKv() gives a call up when the server does not answer in time", async () => {
  const over = Promise.withResolvers<Response>();
  await using server = serveAnswers([ready, () => over.promise]);
  const kv = await connectKv(
    { url: server.url, accessToken: ACCESS_TOKEN },
    { ...BOUNDS, callMs: 50 },
  );
  await assert.rejects(kv.get(["root_key", "1"]), { name: "TimeoutError" });
  await assert.rejects(kv.set(["root_key", "1"], 1), { name: "TimeoutError" });
  assert.deepEqual(server.paths, ["/", "/v2/snapshot_read", "/v2/atomic_write"]);
  over.resolve(new Response(null, { status: 404 }));
  kv.close();
});
