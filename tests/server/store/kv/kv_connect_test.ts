import assert from "node:assert/strict";
import { connectKv } from "../../../../server/store/kv/kv_connect.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { answerEmpty, KV_ACCESS_TOKEN, serveAnswers } from "../../../support/kv_connect.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";

/** Longer than a busy machine needs. */
const BOUNDS = { readyMs: 30_000, callMs: 30_000 };

Deno.test("openKv() shows a KV Connect server the access token, and reads its store", async () => {
  await using server = serveAnswers(answerEmpty);
  const { url } = server;
  using store = await openKv({ kind: "connect", url, accessToken: KV_ACCESS_TOKEN });
  assert.equal((await readOne(store.kv, ["sign_up", "ada@example.com"])).value, null);
  assert.deepEqual([...server.tokens], [`Bearer ${KV_ACCESS_TOKEN}`]);
});

Deno.test("connectKv() waits for the server when it is not ready yet", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  // Something that hangs up at once is there first, then nothing, then a server that is not ready.
  const hangUp = listener.accept().then((connection) => {
    connection.close();
    listener.close();
  });
  const url = `http://127.0.0.1:${port}`;
  const opening = connectKv({ url, accessToken: KV_ACCESS_TOKEN }, BOUNDS);
  await hangUp;
  let isReady = false;
  await using _server = serveAnswers((request) => {
    if (isReady) return answerEmpty(request);
    isReady = true;
    return new Response("later", { status: 503 });
  }, port);
  (await opening).close();
});

Deno.test("connectKv() names KV_URL and the way out when no server is there in time", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}`;
  listener.close();
  await assert.rejects(
    connectKv({ url, accessToken: KV_ACCESS_TOKEN }, { ...BOUNDS, readyMs: 50 }),
    (error: Error) => {
      assert.ok(error.message.startsWith(`KV_URL '${url}' gives no KV: `), error.message);
      assert.match(error.message, /Start the KV server, or set KV_URL to where it listens$/);
      return true;
    },
  );
});

Deno.test("connectKv() gives up in time when the server never answers", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepting = listener.accept();
  const url = `http://127.0.0.1:${listener.addr.port}`;
  await assert.rejects(
    connectKv({ url, accessToken: KV_ACCESS_TOKEN }, { ...BOUNDS, readyMs: 50 }),
    /it did not answer\. Start the KV server/,
  );
  (await accepting).close();
});

Deno.test("connectKv() says at once what to change when the server's answer is final", async () => {
  for (
    const [answer, fault, wayOut] of [
      [() => new Response("Invalid access token.", { status: 401 }), /401/, /DENO_KV_ACCESS_TOKEN/],
      [() => new Response("no", { status: 404 }), /404/, /KV Connect server, such as denokv$/],
      [() => new Response("<html>"), /not that of/, /KV Connect server, such as denokv$/],
      [() => Response.json({}), /not that of/, /KV Connect server, such as denokv$/],
    ] as const
  ) {
    await using server = serveAnswers(answer);
    const { url } = server;
    await assert.rejects(
      connectKv({ url, accessToken: KV_ACCESS_TOKEN }, BOUNDS),
      (error: Error) => {
        assert.match(error.message, fault);
        assert.match(error.message, wayOut);
        assert.ok(!error.message.includes(KV_ACCESS_TOKEN), error.message);
        return true;
      },
    );
    assert.equal(server.paths.length, 1);
  }
});
