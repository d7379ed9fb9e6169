import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { digestSha256, encodeBase64url, hmacSha256, utf8 } from "../../../server/runtime/digest.ts";

Deno.test("digestSha256() gives the digest of FIPS 180-4's example when the text is its own", () => {
  assert.equal(
    digestSha256("abc").toString("hex"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

Deno.test("hmacSha256() gives the code of RFC 4231's second case when key and data are its own", () => {
  const digest = hmacSha256(new TextEncoder().encode("Jefe"));
  assert.equal(
    digest("what do ya want for nothing?").toString("hex"),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

// Each digest is made in the state of the one before it.
Deno.test("digests are those of node:crypto when many are made of any texts", () => {
  const keyed = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 130 }));
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 300 }), { minLength: 2 });
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

Deno.test("utf8() gives what TextEncoder gives when texts follow each other", () => {
  fc.assert(fc.property(fc.array(text), (texts) => {
    const encoder = new TextEncoder();
    for (const text of texts) assert.deepEqual(new Uint8Array(utf8(text)), encoder.encode(text));
  }));
});

Deno.test("encodeBase64url() gives what decodes to the text when texts follow each other", () => {
  fc.assert(fc.property(fc.array(text), (texts) => {
    for (const text of texts) {
      const encoded = encodeBase64url(text);
      assert.match(encoded, /^[\w-]*$/);
      assert.equal(Buffer.from(encoded, "base64url").toString(), text.toWellFormed());
    }
  }));
});
