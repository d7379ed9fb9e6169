import assert from "node:assert/strict";
import { startService } from "../../support/process.ts";
import { statusOf } from "../../support/process_requests.ts";

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`main() ends with exit code 0 when ${signal} comes`, async () => {
    await using service = await startService();
    await statusOf(service.request("/api/v1/status"));
    const { code, stderr } = await service.end(signal);
    assert.equal(code, 0);
    const events = stderr.trimEnd().split("\n").map((line) => JSON.parse(line).event);
    assert.deepEqual(events, ["started", "stopping", "summary", "stopped"]);
  });
}

Deno.test("main() ends with exit code 0 when a request is never finished", async () => {
  await using service = await startService();
  using connection = await service.connect();
  const head = [
    "POST /api/v1/waitlist HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    "Content-Length: 100",
    "Expect: 100-continue",
  ];
  await connection.write(new TextEncoder().encode(head.join("\r\n") + "\r\n\r\n{"));
  // The service says `100 Continue` as it begins to read the body.
  assert.ok(await connection.read(new Uint8Array(100)));
  const { code, stderr } = await service.end("SIGTERM");
  assert.equal(code, 0);
  assert.match(stderr, /"event":"stopped"\}\n$/, "what is in memory was written down");
});
