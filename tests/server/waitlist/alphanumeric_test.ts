import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { decodeAlphanumeric, encodeAlphanumeric } from "../../../server/waitlist/alphanumeric.ts";

Deno.test("encodeAlphanumeric() encodes bytes as letters and digits, and decodeAlphanumeric() returns the same bytes", () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  fc.assert(fc.property(bytes, (bytes) => {
    const text = encodeAlphanumeric(bytes);
    assert.match(text, /^[A-Za-z0-9]*$/);
    assert.deepEqual(decodeAlphanumeric(text), bytes);
  }));
  for (let size = 0; size < 12; size++) {
    for (const byte of [0, 255]) {
      const bytes = Buffer.alloc(size, byte);
      assert.deepEqual(decodeAlphanumeric(encodeAlphanumeric(bytes)), bytes);
    }
  }
});

Deno.test("decodeAlphanumeric() returns undefined for a text that encodeAlphanumeric() never makes", async (t) => {
  for (const text of ["0", "0000", "4_", "-0", "é0", "48", "zzzzzzz", "0000000z", "🙂"]) {
    await t.step(`the text is ${text}`, () => {
      assert.equal(decodeAlphanumeric(text), undefined);
    });
  }
  const text = fc.string({ unit: fc.constantFrom(..."0Az9_-."), maxLength: 20 });
  fc.assert(fc.property(text, (text) => {
    const bytes = decodeAlphanumeric(text);
    if (bytes) assert.equal(encodeAlphanumeric(bytes), text);
  }));
});
