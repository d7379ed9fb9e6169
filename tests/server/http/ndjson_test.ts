import assert from "node:assert/strict";
import { type Line, ndjsonBody, readLines } from "../../../server/http/ndjson.ts";

async function linesOf(chunks: (string | Uint8Array)[], maxBytes = 100): Promise<Line[]> {
  const encoder = new TextEncoder();
  const bytes = chunks.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  return (await Array.fromAsync(readLines(ReadableStream.from(bytes), maxBytes))).flat();
}

Deno.test("readLines() gives the lines when they come in chunks of any cut", async () => {
  const text = "one\n\nzwölf\r\nthree\rmore\nlast";
  const expected = ["one", "", "zwölf", "three\rmore", "last"].map((text) => ({ text }));
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const chunks: Uint8Array[] = [];
    for (let from = 0; from < bytes.length; from += size) {
      chunks.push(bytes.subarray(from, from + size));
    }
    assert.deepEqual(await linesOf(chunks), expected, `chunks of ${size}`);
  }
  assert.deepEqual(await linesOf([`${text}\n`]), expected);
});

Deno.test("readLines() gives nothing when there is no body", async () => {
  assert.deepEqual(await Array.fromAsync(readLines(null, 100)), []);
  assert.deepEqual(await linesOf([]), []);
});

Deno.test("readLines() names the fault and goes on when a line is too long or no UTF-8", async () => {
  assert.deepEqual(await linesOf(["12345\n123456\n", "123", "45", "67", "8\nok"], 5), [
    { text: "12345" },
    { fault: "too_long" },
    { fault: "too_long" },
    { text: "ok" },
  ]);
  assert.deepEqual(await linesOf(["a\n", new Uint8Array([0xc3, 10]), "b\n"]), [
    { text: "a" },
    { fault: "not_utf8" },
    { text: "b" },
  ]);
});

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
