import assert from "node:assert/strict";
import { Commit, type Key } from "../../../../../server/store/kv/engine.ts";
import { CREDENTIALS_CHANGED } from "../../../../../server/store/kv/keys.ts";
import {
  addUpRows,
  decodeKey,
  decodeRow,
  encodeKey,
  packCommit,
  rangeOf,
} from "../../../../../server/store/kv/postgres/rows.ts";
import { Buffer } from "node:buffer";

const version = "7";

Deno.test("packCommit() sorts the entries of a commit by key, and puts counters last", () => {
  const commit = new Commit()
    .check({ key: ["b"], version }, { key: ["c"], version: null }, { key: ["d"], version })
    .add(["a"], 2).set(["e"], 1).delete(["d"]).delete(["c"]).set(["a2"], "x").add(["a"], -5);
  const [data, keyEnds, valueEnds, kinds, numbers, runs, notices] = packCommit(commit);
  // Each key has three bytes, but for one of four; a text of one character is three bytes of JSON.
  assert.equal(String(data).replaceAll("\x02", "").replaceAll("\0", "|"), 'a2|"x"b|c|d|e|1a|');
  assert.deepEqual(keyEnds, [4, 10, 13, 16, 19, 23]);
  assert.deepEqual(valueEnds, [7, 10, 13, 16, 20, 23]);
  assert.deepEqual(kinds, [1, 0, 0, 2, 1, 3]);
  assert.deepEqual(numbers, [null, version, "0", version, null, -3]);
  assert.deepEqual(runs, [1, 3, 5, 6]);
  assert.equal(notices, null);
});

Deno.test("packCommit() makes a commit fail when the commit checks one entry against two versions", () => {
  const entry = { key: ["b"], version };
  const numbersOf = (commit: Commit) => packCommit(commit)[4];
  assert.deepEqual(numbersOf(new Commit().check(entry, entry)), [version]);
  assert.deepEqual(numbersOf(new Commit().check(entry, { ...entry, version: "8" })), ["-1"]);
});

Deno.test("packCommit() adds notifications only for keys that processes watch", () => {
  const commit = new Commit().set(CREDENTIALS_CHANGED, true).set(["client", "a"], 1);
  assert.equal(packCommit(commit)[6], encodeKey(CREDENTIALS_CHANGED).toString("hex"));
});

Deno.test("decodeRow() returns JSON values, bytes and counters, and a fault for a value that cannot be read", () => {
  const hex = (text: string) => `\\x${new TextEncoder().encode(text).toHex()}`;
  const key = hex("\x02a\0");
  const valueOf = (...columns: [string | null, string | null]) =>
    decodeRow([key, version, ...columns]);
  assert.deepEqual(valueOf(null, hex('{"b":1}')), { key: ["a"], value: { b: 1 }, version });
  assert.deepEqual(valueOf(null, "\\x0007ff"), {
    key: ["a"],
    value: new Uint8Array([7, 255]),
    version,
  });
  assert.deepEqual(valueOf("-4", null), { key: ["a"], value: -4, version });
  assert.deepEqual(valueOf(null, hex("{")), { key: ["a"], fault: "KV cannot read its value." });
});

Deno.test("addUpRows() adds up the numbers of the rows of one counter", () => {
  assert.deepEqual(addUpRows([["k", "5", "-1", null], ["k", "9007199254740993", "8", null]]), [
    ...["k", "9007199254740998", "7"],
    null,
  ]);
});

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
