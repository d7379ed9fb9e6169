import assert from "node:assert/strict";
import { startService } from "../../support/process.ts";
import { statusOf } from "../../support/process_requests.ts";
import { json } from "../../support/service.ts";

/** Connections of one client that takes its time. */
const CONNECTIONS = 400;

Deno.test("main() keeps answering while hundreds of connections send their requests very slowly", async () => {
  await using service = await startService();
  const head = "POST /api/v1/waitlist HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
  const beginnings = ["", "P", head, `${head}Content-Length: 50\r\n\r\n{`];
  await using connections = new AsyncDisposableStack();
  await Promise.all(Array.from({ length: CONNECTIONS }, async (_, n) => {
    const connection = connections.use(await service.connect());
    await connection.write(new TextEncoder().encode(beginnings[n % beginnings.length]));
  }));
  assert.equal(await statusOf(service.request("/api/v1/status")), 200);
  // The connections that have begun a sign-up count; another address has its own window.
  const signUp = { email: "ada@example.com", consent: true };
  const joined = await service.request("/sandbox/api/v1/waitlist", json(signUp));
  assert.equal(joined.status, 200);
  assert.deepEqual(await joined.json(), { accepted: true });
});
