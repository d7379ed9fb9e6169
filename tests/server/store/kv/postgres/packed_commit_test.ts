import assert from "node:assert/strict";
import { Commit } from "../../../../../server/store/kv/engine.ts";
import { CREDENTIALS_CHANGED } from "../../../../../server/store/kv/keys.ts";
import { encodeKey } from "../../../../../server/store/kv/postgres/encoded_keys.ts";
import { packCommit } from "../../../../../server/store/kv/postgres/packed_commit.ts";

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
