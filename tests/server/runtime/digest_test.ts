import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import {
  digestSha256,
  encodeBase64url,
  encodeUtf8,
  hmacSha256,
} from "../../../server/runtime/digest.ts";
import { unicodeText } from "../../support/unicode_text.ts";

Deno.test("digestSha256() returns the digest of the example in FIPS 180-4", () => {
  assert.equal(
    digestSha256("abc").toString("hex"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

Deno.test("hmacSha256() returns the authentication code of the second test case of RFC 4231", () => {
  const digest = hmacSha256(new TextEncoder().encode("Jefe"));
  assert.equal(
    digest("what do ya want for nothing?").toString("hex"),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

// Each digest is made in the state of the one before it.
Deno.test("digestSha256() and hmacSha256() agree with node:crypto on random texts", () => {
  const keyed = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 130 }));
  const texts = fc.array(unicodeText({ maxLength: 300 }), { minLength: 2 });
  fc.assert(fc.property(keyed, texts, ([key, prefix], texts) => {
    const digest = hmacSha256(key, prefix);
    const digests = texts.map((text) => [digestSha256(text), digest(text)]);
    const expected = texts.map((text) => [
      createHash("sha256").update(text).digest(),
      createHmac("sha256", key).update(prefix).update(text).digest(),
    ]);
    assert.deepEqual(digests, expected);
  }));
});

/** Texts of all lengths around the room that there is, with half surrogate pairs, which become U+FFFD. */
const text = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
    .map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.integer({ min: 1, max: 6_000 }))
    .map(([part, times]) => part.repeat(times).slice(0, 9_000)),
);

Deno.test("encodeUtf8() returns the same bytes as TextEncoder for several texts in a row", () => {
  fc.assert(fc.property(fc.array(text), (texts) => {
    const encoder = new TextEncoder();
    for (const text of texts) {
      assert.deepEqual(new Uint8Array(encodeUtf8(text)), encoder.encode(text));
    }
  }));
});

Deno.test("encodeBase64url() encodes several texts in a row, and each text can be decoded again", () => {
  fc.assert(fc.property(fc.array(text), (texts) => {
    for (const text of texts) {
      const encoded = encodeBase64url(text);
      assert.match(encoded, /^[\w-]*$/);
      assert.equal(Buffer.from(encoded, "base64url").toString(), text.toWellFormed());
    }
  }));
});
