import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { assertError, newAddress, PREFIXES } from "../../support/answers.ts";
import { assertNothingStored } from "../../support/records.ts";
import { startTestService } from "../../support/service.ts";

const SIGN_UP = '{"email":"ada@example.com","consent":true}';
const PATHS = PREFIXES.flatMap((prefix) => [`${prefix}/api/v1/waitlist`, `${prefix}/api/waitlist`]);

// Contract, error table; decisions: absent and multipart/form-data are 415.
// Clauses: RFC 9110 §15.5.16.
Deno.test("joinWaitlist() refuses other media types with 415 unsupported_media_type", async () => {
  await using service = await startTestService();
  const types = [
    null,
    "text/plain",
    "text/json",
    "application/xml",
    "application/octet-stream",
    "application/ld+json",
    "application/jsonp",
    "application",
    "*/*",
    "application/json, application/json",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "charset=utf-8; application/json",
  ];
  for (const path of PATHS) {
    for (const type of types) {
      const response = await service.request(path, {
        method: "POST",
        headers: type === null ? {} : { "Content-Type": type },
        // Bytes, as a string would get a `Content-Type` of its own.
        body: new TextEncoder().encode(SIGN_UP),
        from: newAddress(),
      });
      const message = await assertError(response, 415, "unsupported_media_type");
      assert.ok(message.includes("application/json"), message);
    }
  }
  await assertNothingStored(service.kv);
});

// Decisions, "Sign-up": a Content-Encoding other than identity is 415.
Deno.test("joinWaitlist() refuses an encoded body with 415, and names Content-Encoding", async () => {
  await using service = await startTestService();
  const zipped = new Uint8Array(gzipSync(SIGN_UP));
  for (const path of PATHS) {
    for (const coding of ["gzip", "GZIP", "x-gzip", "br", "deflate", "gzip, identity", "x"]) {
      const response = await service.request(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Content-Encoding": coding },
        body: zipped,
        from: newAddress(),
      });
      assert.equal(response.headers.get("accept-encoding"), "identity", coding);
      const message = await assertError(response, 415, "unsupported_media_type");
      assert.ok(message.includes("Content-Encoding"), message);
    }
  }
  await assertNothingStored(service.kv);
  for (const coding of ["identity", "Identity", ""]) {
    const response = await service.request("/api/v1/waitlist", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Content-Encoding": coding },
      body: SIGN_UP,
    });
    assert.equal(response.status, 200, coding);
    await response.body?.cancel();
  }
});
