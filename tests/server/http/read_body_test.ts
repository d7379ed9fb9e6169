import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import fc from "fast-check";
import { MAX_BODY_BYTES, readText } from "../../../server/http/read_body.ts";

const LIMIT = 10;

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { method: "POST", body, headers });
}

/** A body that hands out `chunks` and tells what became of it. */
function stream(chunks: Iterable<Uint8Array<ArrayBuffer>>) {
  const iterator = chunks[Symbol.iterator]();
  const state = { pulls: 0, cancelled: false };
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      state.pulls++;
      const { done, value } = iterator.next();
      if (done) {
        controller.close();
        controller.byobRequest?.respond(0);
      } else controller.enqueue(value);
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { body, state };
}

/** Far more chunks than the limit allows, yet an end, so that no test can hang. */
function manyChunks(size: number): Uint8Array<ArrayBuffer>[] {
  return Array.from({ length: 1_000 }, () => new Uint8Array(size).fill(0x61));
}

// Deno 2.5 takes what is still to happen at the end of the turn for a leak.
Deno.test.afterEach(() => new Promise<void>((resolve) => void setImmediate(resolve)));

Deno.test("MAX_BODY_BYTES is 64 KB, as the API's contract says", () => {
  assert.equal(MAX_BODY_BYTES, 65_536);
});

Deno.test("readText() returns the text when the body is within the limit", async () => {
  assert.deepEqual(await readText(post(null), LIMIT), { text: "" });
  assert.deepEqual(await readText(post(""), LIMIT), { text: "" });
  assert.deepEqual(await readText(post("0123456789"), LIMIT), { text: "0123456789" });
  const declared = post("0123456789", { "Content-Length": "10" });
  assert.deepEqual(await readText(declared, LIMIT), { text: "0123456789" });
});

Deno.test("readText() decodes a character whose bytes are in two chunks", async () => {
  const { body } = stream([...new TextEncoder().encode("aüb€")].map((byte) => Uint8Array.of(byte)));
  assert.deepEqual(await readText(post(body), LIMIT), { text: "aüb€" });
});

Deno.test("readText() counts bytes, not characters", async () => {
  assert.deepEqual(await readText(post("€€€a"), LIMIT), { text: "€€€a" });
  assert.deepEqual(await readText(post("€€€ab"), LIMIT), { failure: "payload_too_large" });
});

Deno.test("readText() reads no byte when Content-Length is above the limit", async (t) => {
  for (const declared of ["11", "65537", "99999999999999999999999"]) {
    await t.step(declared, async () => {
      const { body, state } = stream(manyChunks(1));
      const request = post(body, { "Content-Length": declared });
      assert.deepEqual(await readText(request, LIMIT), { failure: "payload_too_large" });
      assert.equal(state.pulls, 0);
    });
  }
});

Deno.test("readText() stops reading and cancels the body when a chunked body exceeds the limit", async () => {
  const { body, state } = stream(manyChunks(4));
  assert.deepEqual(await readText(post(body), LIMIT), { failure: "payload_too_large" });
  assert.equal(state.pulls, 3, "12 bytes are the first ones past 10");
  assert.equal(state.cancelled, true);
});

Deno.test("readText() refuses a body that goes on after a chunk that ends exactly at the limit", async () => {
  const { body } = stream([5, 5, 1].map((size) => new Uint8Array(size).fill(0x61)));
  assert.deepEqual(await readText(post(body), LIMIT), { failure: "payload_too_large" });
});

Deno.test("readText() refuses a body above the limit when Content-Length gives a smaller length", async () => {
  const request = post("0123456789a", { "Content-Length": "5" });
  assert.deepEqual(await readText(request, LIMIT), { failure: "payload_too_large" });
});

Deno.test("readText() refuses bytes that are not UTF-8", async (t) => {
  const cases: [name: string, bytes: number[]][] = [
    ["a byte that never occurs", [0xff]],
    ["a lone continuation", [0x61, 0x80]],
    ["a cut-off character", [0xe2, 0x82]],
    ["a cut-off character of as many bytes as U+FFFD", [0xf0, 0x9f, 0x98]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["Latin-1", [0x66, 0xfc, 0x72]],
  ];
  for (const [name, bytes] of cases) {
    await t.step(name, async () => {
      const body = new Uint8Array(bytes);
      assert.deepEqual(await readText(post(body), LIMIT), { failure: "not_utf8" });
    });
  }
});

Deno.test("readText() returns the same text as TextDecoder when a body has byte order marks or replacement characters", async () => {
  const parts = ["a", "ü", "€", "😀", "\uFEFF", "\uFFFD"].map((text) =>
    new TextEncoder().encode(text)
  );
  const bytes = fc.array(fc.oneof(fc.constantFrom(...parts), fc.uint8Array({ maxLength: 4 })))
    .map((chunks) => Uint8Array.from(chunks.flatMap((chunk) => [...chunk])));
  await fc.assert(fc.asyncProperty(bytes, async (bytes) => {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let expected: Awaited<ReturnType<typeof readText>>;
    try {
      expected = { text: decoder.decode(bytes) };
    } catch {
      expected = { failure: "not_utf8" };
    }
    for (const headers of [{}, { "Content-Length": String(bytes.byteLength) }]) {
      assert.deepEqual(await readText(post(bytes, headers), MAX_BODY_BYTES), expected);
    }
  }));
});

Deno.test("readText() returns the failure body_cut when the body breaks off", async (t) => {
  for (const headers of [{}, { "Content-Length": "10" }]) {
    await t.step(JSON.stringify(headers), async () => {
      const body = new ReadableStream({
        type: "bytes",
        pull: () => Promise.reject(new Error("connection reset")),
      });
      assert.deepEqual(await readText(post(body, headers), LIMIT), { failure: "body_cut" });
    });
  }
});

Deno.test("readText() stops reading when the body has not arrived by the deadline", async (t) => {
  for (const headers of [{}, { "Content-Length": "10" }]) {
    await t.step(JSON.stringify(headers), async () => {
      let cancelled = false;
      const never = new ReadableStream({
        type: "bytes",
        pull: () => new Promise(() => {}),
        cancel: () => void (cancelled = true),
      });
      assert.deepEqual(await readText(post(never, headers), LIMIT, 1), { failure: "body_cut" });
      assert.equal(cancelled, !("Content-Length" in headers));
    });
  }
});

Deno.test("readText() collects a body in one buffer when the body comes byte by byte", async () => {
  const text = "0123456789".repeat(100);
  const buffers = new Set<number>();
  let sent = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const request = controller.byobRequest!;
      const { buffer, byteOffset } = request.view!;
      buffers.add(buffer.byteLength);
      const atEnd = sent === text.length;
      if (atEnd) controller.close();
      else new Uint8Array(buffer)[byteOffset] = text.charCodeAt(sent++);
      request.respond(atEnd ? 0 : 1);
    },
  });
  assert.deepEqual(await readText(post(body), MAX_BODY_BYTES), { text });
  assert.equal(buffers.size, 1);
  assert.ok(Math.max(...buffers) < 2 * MAX_BODY_BYTES);
});
