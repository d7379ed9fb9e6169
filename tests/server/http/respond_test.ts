import assert from "node:assert/strict";
import { listen } from "../../support/listen.ts";
import { test, type TestRequestInit } from "../../support/service.ts";
import { ndjsonBody } from "../../../server/http/respond.ts";

test("respond() sends each request its own RateLimit headers when several requests share a prepared answer", async (service) => {
  const ids: (string | null)[] = [];
  const seen = async (path: string, init?: TestRequestInit) => {
    const { status, headers } = await service.request(path, init);
    ids.push(headers.get("x-request-id"));
    return [
      status,
      ...["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`)),
    ];
  };
  assert.deepEqual(await seen("/api/v1"), [200, "30", "29", "40"]);
  assert.deepEqual(await seen("/sandbox/api/v1"), [200, "120", "119", "40"]);
  service.clock.now += 1_000;
  assert.deepEqual(await seen("/api/v1"), [200, "30", "28", "39"]);
  for (let call = 0; call < 28; call++) await seen("/api/v1");
  // Two limits refuse on one path.
  assert.deepEqual(await seen("/api/v1/status", { method: "POST" }), [429, "30", "0", "39"]);
  for (let call = 0; call < 120; call++) await seen("/api/v1/status");
  assert.deepEqual(await seen("/api/v1/status"), [429, "120", "0", "39"]);
  assert.deepEqual(await seen("/api/v1/status", { from: "192.0.2.2" }), [200, "120", "119", "39"]);
  assert.deepEqual(await seen("/api/v1/status", { method: "POST" }), [429, "30", "0", "39"]);
  assert.equal(new Set(ids).size, ids.length, "each call has an id of its own");
});

Deno.test("respond() sends Content-Length and the whole body in one chunk when several requests share a prepared answer", async () => {
  await using service = await listen();
  for (let call = 0; call < 3; call++) {
    const response = await fetch(`${service.baseUrl}/api/v1`, {
      headers: { "Accept-Encoding": "identity" },
    });
    const text = await response.text();
    assert.equal(response.headers.get("content-length"), String(text.length));
    assert.equal(JSON.parse(text).service, "waitlist-web");
  }
});

Deno.test("ndjsonBody() requests no batch before the client reads, and closes the source of the batches when the client leaves", async () => {
  let asked = 0;
  let left = false;
  async function* batches() {
    try {
      for (;;) yield await Promise.resolve([{ n: ++asked }, { n: ++asked }]);
    } finally {
      left = true;
    }
  }
  const reader = ndjsonBody(batches(), () => {}).getReader();
  assert.equal(asked, 0);
  const { value } = await reader.read();
  assert.equal(new TextDecoder().decode(value), '{"n":1}\n{"n":2}\n');
  assert.equal(asked, 2);
  await reader.cancel();
  assert.ok(left, "the source learns that the reader has gone");
});

Deno.test("ndjsonBody() lets the event loop turn between two batches, so that requests are handled meanwhile", async () => {
  let turns = 0;
  const turnsAtBatch: number[] = [];
  async function* batches() {
    for (let batch = 0; batch < 5; batch++) {
      turnsAtBatch.push(turns);
      yield await Promise.resolve([batch]);
    }
  }
  const countTurn = () => {
    turns++;
    turn = setImmediate(countTurn);
  };
  let turn = setImmediate(countTurn);
  await new Response(ndjsonBody(batches(), () => {})).text();
  clearImmediate(turn);
  assert.equal(new Set(turnsAtBatch).size, 5, turnsAtBatch.join(", "));
});

Deno.test("ndjsonBody() ends the answer early and reports the error when a batch fails", async () => {
  const errors: unknown[] = [];
  async function* batches() {
    yield [1];
    await Promise.reject(new Error("KV is gone"));
  }
  const reading = new Response(ndjsonBody(batches(), (error) => errors.push(error))).text();
  await assert.rejects(reading, /KV is gone/);
  assert.equal(errors.length, 1);
});
