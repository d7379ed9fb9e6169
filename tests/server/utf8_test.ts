import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { base64url, utf8 } from "../../server/utf8.ts";

/** Texts of all lengths around the room that there is, with half surrogate pairs, which become U+FFFD. */
const text = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
    .map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.integer({ min: 1, max: 6_000 }))
    .map(([part, times]) => part.repeat(times).slice(0, 9_000)),
);

Deno.test("utf8() gives what TextEncoder gives when texts follow each other", () => {
  fc.assert(fc.property(fc.array(text), (texts) => {
    const encoder = new TextEncoder();
    for (const text of texts) assert.deepEqual(new Uint8Array(utf8(text)), encoder.encode(text));
  }));
});

Deno.test("base64url() gives what decodes to the text when texts follow each other", () => {
  fc.assert(fc.property(fc.array(text), (texts) => {
    for (const text of texts) {
      const encoded = base64url(text);
      assert.match(encoded, /^[\w-]*$/);
      assert.equal(Buffer.from(encoded, "base64url").toString(), text.toWellFormed());
    }
  }));
});
