import assert from "node:assert/strict";
import fc from "fast-check";
import { utf8 } from "../../server/utf8.ts";

Deno.test("utf8() gives what TextEncoder gives when texts follow each other", () => {
  const text = fc.oneof(
    // Half of a surrogate pair becomes U+FFFD.
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
      .map((units) => String.fromCharCode(...units)),
    fc.tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.integer({ min: 1, max: 6_000 }))
      .map(([part, times]) => part.repeat(times).slice(0, 9_000)),
  );
  fc.assert(fc.property(fc.array(text), (texts) => {
    const encoder = new TextEncoder();
    for (const text of texts) assert.deepEqual(new Uint8Array(utf8(text)), encoder.encode(text));
  }));
});
