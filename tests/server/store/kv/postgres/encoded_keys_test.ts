import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Key } from "../../../../../server/store/kv/engine.ts";
import {
  decodeKey,
  encodeKey,
  rangeOf,
} from "../../../../../server/store/kv/postgres/encoded_keys.ts";

const IN_ORDER: Key[] = [
  [""],
  ["", "z"],
  ["a"],
  ["a", ""],
  ["a", "b"],
  ["a", -Infinity],
  ["a", -1.5],
  ["a", -1],
  ["a", 0],
  ["a", 0.5],
  ["a", 1_800_000_000_000],
  ["a", Infinity],
  ["a\0"],
  ["a\0", "b"],
  ["a\0\0b"],
  ["aa"],
  ["é"],
  ["😀"],
  [-2],
  [3, "x"],
];

Deno.test("encodeKey() gives bytes that sort as the keys do, and decodeKey() returns the keys again", () => {
  const encoded = IN_ORDER.map(encodeKey);
  assert.deepEqual(encoded.toReversed().sort(Buffer.compare), encoded);
  assert.deepEqual(encoded.map(decodeKey), IN_ORDER);
});

Deno.test("encodeKey() refuses a key of more than 2,048 bytes with an error that names the key's table", () => {
  assert.equal(encodeKey(["k".repeat(2_046)]).length, 2_048);
  assert.throws(() => encodeKey(["table", "k".repeat(2_040)]), /'table' has 2049 bytes; 2048/);
});

Deno.test("rangeOf() gives the range of a selector's keys, which includes 'start' and excludes 'after' and 'end'", () => {
  const select = (selector: Parameters<typeof rangeOf>[0]) => {
    const [from, end] = rangeOf(selector);
    return IN_ORDER.filter((key) => {
      const bytes = encodeKey(key);
      return Buffer.compare(bytes, from) >= 0 && Buffer.compare(bytes, end) < 0;
    });
  };
  assert.deepEqual(select({ prefix: [] }), IN_ORDER);
  assert.deepEqual(select({ prefix: ["a"] }), IN_ORDER.slice(3, 12));
  assert.deepEqual(select({ prefix: ["a"], start: ["a", -1] }), IN_ORDER.slice(7, 12));
  assert.deepEqual(select({ prefix: ["a"], after: ["a", -1] }), IN_ORDER.slice(8, 12));
  assert.deepEqual(select({ prefix: ["a"], end: ["a", -1] }), IN_ORDER.slice(3, 7));
});
