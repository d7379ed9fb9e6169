import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { erasureMarksOf, joinErasureKeys } from "../../../server/waitlist/erasure.ts";

const EMAIL = "ada@example.com";
const key = (byte: number) => new Uint8Array(32).fill(byte);

Deno.test("erasureMarksOf() makes one erasure mark with each erasure key, and puts the mark of the store's own key first", () => {
  const both = new Uint8Array([...key(1), ...key(2)]);
  const marks = [key(1), key(2)].map((each) => {
    return createHash("sha256").update(each).update(EMAIL).digest("base64url");
  });
  assert.deepEqual(erasureMarksOf(key(1), EMAIL), [marks[0]]);
  assert.deepEqual(erasureMarksOf(both, EMAIL), marks);
});

Deno.test("joinErasureKeys() keeps the store's own key first, and appends only erasure keys that are new", () => {
  const ours = key(1);
  assert.deepEqual(joinErasureKeys(ours, key(1)), ours);
  const both = joinErasureKeys(ours, key(2));
  assert.deepEqual(both, new Uint8Array([...key(1), ...key(2)]));
  assert.deepEqual(joinErasureKeys(both, new Uint8Array([...key(2), ...key(3)])).length, 96);
  assert.deepEqual(joinErasureKeys(new Uint8Array(), both), both);
});
