import assert from "node:assert/strict";
import { ndjsonBody } from "../../../server/http/respond.ts";

Deno.test("ndjsonBody() asks for a batch only when the reader has taken the one before", async () => {
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

Deno.test("ndjsonBody() breaks off and tells why when a batch cannot be made", async () => {
  const errors: unknown[] = [];
  async function* batches() {
    yield [1];
    await Promise.reject(new Error("KV is gone"));
  }
  const reading = new Response(ndjsonBody(batches(), (error) => errors.push(error))).text();
  await assert.rejects(reading, /KV is gone/);
  assert.equal(errors.length, 1);
});
