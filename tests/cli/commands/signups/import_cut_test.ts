/** Imports that are cut, of a service that is killed, and killed themselves: all of them end right. */
import assert from "node:assert/strict";
import { startCli } from "../../support/cli.ts";
import { list, useImportService } from "../../support/import_service.ts";
import type { KillableService } from "../../support/killable_service.ts";
import { serveLocally } from "../../support/proxy.ts";
import { OPERATOR } from "../../support/service.ts";

Deno.test("signups import ends right by itself when the connection is cut", async () => {
  await using test = await useImportService();
  const file = await test.file("list.csv", list(12_000));
  let calls = 0;
  // The second chunk is stored, and its answer lost.
  await using proxy = serveLocally(async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = await request.arrayBuffer();
    const url = test.service.url + pathname + search;
    const response = await fetch(url, { method, headers, body });
    if (++calls !== 2) return response;
    await response.body?.cancel();
    return new Response(ReadableStream.from(cutStream()), { headers: response.headers });
  });
  const { code, stdout, stderr } = await test.import([file], proxy.url);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^waitlist: .+; sending it again in 1 s\.\n$/);
  assert.equal(stdout, `Imported ${file}: 7,000 new, 0 merged, 5,000 unchanged, 0 refused.\n`);
  assert.equal(Object.keys(await test.records()).length, 12_000);
});

async function* cutStream(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode("{");
  throw new Error("cut");
}

/** Passes calls on, and runs `atSecond` while the second one is on its way. */
function proxyThat(service: KillableService, atSecond: () => Promise<void>) {
  let calls = 0;
  return serveLocally(async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = await request.arrayBuffer();
    const pending = fetch(service.url + pathname + search, { method, headers, body });
    if (++calls === 2) await Promise.all([atSecond(), pending.catch(() => {})]);
    try {
      return await pending;
    } catch {
      return new Response(ReadableStream.from(cutStream()), {
        headers: { "Content-Type": "application/json" },
      });
    }
  });
}

Deno.test("signups import ends right by itself when the server is killed and starts again", async () => {
  await using test = await useImportService();
  const file = await test.file("list.csv", list(12_000));
  await using proxy = proxyThat(test.service, async () => {
    await test.service.kill();
    await test.service.start();
  });
  const { code, stdout, stderr } = await test.import([file], proxy.url);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /sending it again in 1 s/);
  assert.match(stdout, /^Imported .+ 0 merged, .+ 0 refused\.\n$/);
  assert.equal(Object.keys(await test.records()).length, 12_000);
});

Deno.test("signups import ends right by itself when the server stops in the middle of a body", async () => {
  await using test = await useImportService();
  const file = await test.file("list.csv", list(6_000));
  let calls = 0;
  await using proxy = serveLocally(async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const headers = new Headers(request.headers);
    const url = test.service.url + pathname + search;
    const body = await request.arrayBuffer();
    if (++calls !== 2) return await fetch(url, { method, headers, body });
    // Half of the chunk, and no more of it until the service has stopped.
    const stopped = Promise.withResolvers<void>();
    const half = ReadableStream.from(async function* () {
      yield new Uint8Array(body.slice(0, body.byteLength / 2));
      await stopped.promise;
    }());
    headers.delete("content-length");
    const answered = fetch(url, { method, headers, body: half })
      .then(async (answer) => new Response(await answer.text(), answer))
      // The service may be gone before its answer is on the way.
      .catch(() => new Response(ReadableStream.from(cutStream())));
    await test.service.stop();
    stopped.resolve();
    await test.service.start();
    return await answered;
  });
  const { code, stdout, stderr } = await test.import([file], proxy.url);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Imported .+ 0 merged, .+ 0 refused\.\n$/);
  assert.equal(Object.keys(await test.records()).length, 6_000);
});

Deno.test("signups import ends right when it is killed and run again", async () => {
  await using test = await useImportService();
  const file = await test.file("list.csv", list(12_000));
  const second = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  await using proxy = proxyThat(test.service, () => {
    second.resolve();
    return killed.promise;
  });
  const env = { ...OPERATOR, WAITLIST_BASE_URL: proxy.url };
  {
    await using cli = startCli(["signups", "import", file], { env });
    await second.promise;
    cli.process.kill("SIGKILL");
    await cli.finished;
    killed.resolve();
  }
  const { code, stdout, stderr } = await test.import([file]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Imported .+: \S+ new, 0 merged, \S+ unchanged, 0 refused\.\n$/);
  assert.equal(Object.keys(await test.records()).length, 12_000);
});
