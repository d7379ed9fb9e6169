import assert from "node:assert/strict";
import { type ServiceProcess, startService } from "../../support/process.ts";
import { statusOf } from "../../support/process_requests.ts";

/** Files that the service may have open: what it needs itself, and some connections. */
const OPEN_FILES = 100;

/** Deno before 2.8 tells of it only once the last connection has ended. */
const test = Deno.version.deno.startsWith("2.5.") ? Deno.test.ignore : Deno.test;

/** Opens connections that send no whole request until the service says that it can accept no more. */
async function useFilesUp(service: ServiceProcess): Promise<AsyncDisposableStack> {
  const connections = new AsyncDisposableStack();
  const beginnings = [
    "",
    "G",
    "GET /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST /api/v1/waitlist HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
    "Content-Length: 50\r\n\r\n{",
    // The preface of HTTP/2 and an empty SETTINGS frame.
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
  ];
  for (let n = 0; n < 2 * OPEN_FILES; n++) {
    try {
      const connection = connections.use(await service.connect());
      await connection.write(new TextEncoder().encode(beginnings[n % beginnings.length]));
    } catch {
      break;
    }
  }
  const line = await service.logged(/^.*"cannot accept connections.*$/m);
  assert.match(line ?? "", /"level":"error".*Too many open files.*LimitNOFILE/);
  return connections;
}

test("main() logs the fault, and listens again, when it cannot accept a connection because too many files are open", async (t) => {
  await using service = await startService({}, { openFiles: OPEN_FILES });
  await using _connections = await useFilesUp(service);
  assert.ok(await service.logged(/"listening again"/));
  for (const path of ["/api/v1/status", "/"]) {
    await t.step(path, async () => {
      assert.equal(await statusOf(service.request(path)), 200);
    });
  }
  const { code, stderr } = await service.end("SIGTERM");
  assert.equal(code, 0);
  assert.match(stderr, /"event":"stopped"\}\n$/);
});

test("main() ends with exit code 1 when it can neither accept connections nor listen again", async () => {
  await using service = await startService({}, { openFiles: OPEN_FILES });
  const { hostname, port } = service.started;
  await using _connections = await useFilesUp(service);
  // The service waits for a second before it listens again.
  using _listener = Deno.listen({ hostname, port });
  const { code, stderr } = await service.end();
  assert.equal(code, 1);
  assert.match(stderr, /"cannot listen again; stopping".*in use/);
  assert.match(stderr, /"event":"stopped"\}\n$/, "what is in memory was written down");
});
