/** Imports by a service that is killed or stops, and imports that are killed: all of them end right. */
import assert from "node:assert/strict";
import { printed } from "../../cli/support/cli.ts";
import { join } from "node:path";
import { makeTestFolder } from "../../support/process.ts";
import { checkedRecords, list } from "../../cli/support/import_service.ts";
import { cutAnswer, forward, serveLocally } from "../../cli/support/proxy.ts";
import { OPERATOR, OPERATOR_KEY, runOperator } from "../../cli/support/service.ts";
import { type Server, startServer } from "../../support/victim.ts";
import { startCli } from "./support/process.ts";

/** A folder with a service that can be killed, and files to import into it. */
async function useKillableService() {
  const resources = new AsyncDisposableStack();
  const { path } = resources.use(await makeTestFolder());
  const kvPath = join(path, "kv.sqlite3");
  const service = resources.use(await startServer({ KV_PATH: kvPath, OPERATOR_KEY }));
  return {
    service,
    async file(name: string, content: string): Promise<string> {
      await Deno.writeTextFile(join(path, name), content);
      return join(path, name);
    },
    import: (args: string[], url = service.url) => runOperator(url, ["signups", "import", ...args]),
    /** The records; asserts that the counters equal their recount. Ends the service. */
    async records() {
      await service.kill();
      return await checkedRecords(kvPath);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Passes calls on, and runs `atSecond` while the second one is on its way. */
function proxyThat(service: Server, atSecond: () => Promise<unknown>) {
  let calls = 0;
  return serveLocally(async (request) => {
    const pending = forward(request, service, { body: await request.arrayBuffer() });
    if (++calls === 2) await Promise.all([atSecond(), pending.catch(() => {})]);
    return await pending.catch(() => cutAnswer({ "Content-Type": "application/json" }));
  });
}

Deno.test("'signups import' imports every row when the server is killed and started again during the import", async () => {
  await using test = await useKillableService();
  const file = await test.file("list.csv", list(12_000));
  await using proxy = proxyThat(test.service, async () => {
    await test.service.kill();
    await test.service.start();
  });
  const { code, stdout, stderr } = await test.import([file], proxy.url);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /the program calls the service again in 1 s/);
  assert.match(stdout, /^Imported .+ 0 merged, .+ 0 refused\.\n$/);
  assert.equal(Object.keys(await test.records()).length, 12_000);
});

Deno.test("'signups import' imports every row when the server stops and starts again in the middle of a request", async () => {
  await using test = await useKillableService();
  const file = await test.file("list.csv", list(6_000));
  let calls = 0;
  await using proxy = serveLocally(async (request) => {
    const body = await request.arrayBuffer();
    if (++calls !== 2) return await forward(request, test.service, { body });
    // Half of the chunk, and no more of it until the service has stopped.
    const stopped = Promise.withResolvers<void>();
    const half = ReadableStream.from(async function* () {
      yield new Uint8Array(body.slice(0, body.byteLength / 2));
      await stopped.promise;
    }());
    const headers = new Headers(request.headers);
    headers.delete("content-length");
    const answered = forward(request, test.service, { headers, body: half })
      .then(async (answer) => new Response(await answer.text(), answer))
      // The service may be gone before its answer is on the way.
      .catch(() => cutAnswer());
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

Deno.test("'signups import' imports every row once when the command is killed and run again", async () => {
  await using test = await useKillableService();
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
    await cli.end("SIGKILL");
    killed.resolve();
  }
  const stdout = await printed(test.import([file]));
  assert.match(stdout, /^Imported .+: \S+ new, 0 merged, \S+ unchanged, 0 refused\.\n$/);
  assert.equal(Object.keys(await test.records()).length, 12_000);
});
