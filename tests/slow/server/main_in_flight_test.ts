import assert from "node:assert/strict";
import { type ServiceProcess, startService } from "../../support/process.ts";
import { storedSignUps } from "../../support/records.ts";
import { openFileKv } from "../../support/memory_kv.ts";

const SIGN_UP = '{"email":"ada@example.com","consent":true}';

/** Sends a sign-up as far as the middle of its body, which the service has then begun to read. */
async function beginSignUp(service: ServiceProcess): Promise<Deno.TcpConn> {
  const connection = await service.connect();
  const head = [
    "POST /api/v1/waitlist HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${SIGN_UP.length}`,
    "Expect: 100-continue",
    "Connection: close",
  ];
  await send(connection, `${head.join("\r\n")}\r\n\r\n${SIGN_UP.slice(0, 20)}`);
  // The service says `100 Continue` as it begins to read the body.
  assert.ok(await connection.read(new Uint8Array(100)));
  return connection;
}

async function send(connection: Deno.TcpConn, text: string): Promise<void> {
  await connection.write(new TextEncoder().encode(text));
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`main() stores and answers a sign-up whose request is still arriving when the process gets ${signal}`, async () => {
    await using service = await startService();
    const connection = await beginSignUp(service);
    service.signal(signal);
    await service.logged(/"event":"stopping"/);
    await send(connection, SIGN_UP.slice(20));
    const answer = await new Response(connection.readable).text();
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /\r\n\r\n\{"accepted":true\}$/);
    const { code, stderr } = await service.end();
    assert.equal(code, 0);
    const events = stderr.trimEnd().split("\n").map((line) => JSON.parse(line).event);
    assert.deepEqual(events, [
      "started",
      "stopping",
      "summary",
      "stopped",
    ]);
    using kv = await openFileKv(service.started.store);
    assert.deepEqual(Object.keys(await storedSignUps(kv)), ["ada@example.com"]);
  });
}

Deno.test("main() refuses new connections and closes all open connections when it stops", async () => {
  await using service = await startService();
  // A request that never arrives whole keeps the service stopping for as long as it ever does.
  using _connection = await beginSignUp(service);
  service.signal("SIGTERM");
  await service.logged(/"event":"stopping"/);
  // Until the service refuses, it answers.
  for (;;) {
    try {
      const response = await service.request("/robots.txt", { headers: { Connection: "close" } });
      await response.body?.cancel();
    } catch {
      // Node resets a connection that comes just before it refuses others.
      const refusal = await service.connect().then((connection) => connection.close(), String);
      if (refusal?.startsWith("ConnectionRefused")) break;
    }
  }
  await assert.rejects(service.connect(), Deno.errors.ConnectionRefused);
  const { code, stderr } = await service.end();
  assert.equal(code, 0);
  assert.match(stderr, /"event":"stopped"\}\n$/);
});
