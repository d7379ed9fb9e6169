import assert from "node:assert/strict";
import { Commit } from "../../../../../server/store/kv/engine.ts";
import { CREDENTIALS_CHANGED } from "../../../../../server/store/kv/keys.ts";
import { encodeKey } from "../../../../../server/store/kv/postgres/rows.ts";
import { decodeRow, joinRows, packCommit } from "../../../../../server/store/kv/postgres/rows.ts";

const version = "7";

Deno.test("packCommit() puts entries in the order of their keys, in runs, and counters last", () => {
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

Deno.test("packCommit() lets no entry have two versions", () => {
  const entry = { key: ["b"], version };
  const numbersOf = (commit: Commit) => packCommit(commit)[4];
  assert.deepEqual(numbersOf(new Commit().check(entry, entry)), [version]);
  assert.deepEqual(numbersOf(new Commit().check(entry, { ...entry, version: "8" })), ["-1"]);
});

Deno.test("packCommit() tells of keys that processes watch, and of no others", () => {
  const commit = new Commit().set(CREDENTIALS_CHANGED, true).set(["client", "a"], 1);
  assert.equal(packCommit(commit)[6], encodeKey(CREDENTIALS_CHANGED).toString("hex"));
});

Deno.test("decodeRow() gives JSON, bytes, counters, and names a value that cannot be read", () => {
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

Deno.test("joinRows() adds the parts of a counter up", () => {
  assert.deepEqual(joinRows([["k", "5", "-1", null], ["k", "9007199254740993", "8", null]]), [
    ...["k", "9007199254740998", "7"],
    null,
  ]);
});
