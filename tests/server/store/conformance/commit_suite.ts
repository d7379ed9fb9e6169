/** What the store needs of the commits of an engine, tried on each. @module */
import assert from "node:assert/strict";
import {
  Commit,
  isHigherVersion,
  type Key,
  type Kv,
  UnknownOutcome,
} from "../../../../server/store/kv/engine.ts";
import type { Suite } from "./engines.ts";

const KEY = ["key"];

export const keysOf = (entries: { key: Key }[]) => entries.map(({ key }) => key);

async function read(kv: Kv, key: Key) {
  const [entry] = await kv.get(key === undefined ? [] : [key]);
  assert.ok(entry && !("fault" in entry));
  return entry;
}

/** Sets a value, and gives its version. */
export async function set(kv: Kv, key: Key, value: unknown): Promise<string> {
  return done(await kv.commit(new Commit().set(key, value)));
}

function done(result: string): string {
  assert.notEqual(result, "conflict");
  return result;
}

export const COMMIT_SUITE: Suite = {
  async "commit() makes all its writes, and returns the version of the written entries"({ kv }) {
    await set(kv, ["gone"], 1);
    const commit = new Commit().set(["a"], { b: [1, null, "ü"] }).delete(["gone"]).add(["n"], 3);
    const version = done(await kv.commit(commit));
    assert.deepEqual(await kv.get([["a"], ["gone"], ["n"]]), [
      { key: ["a"], value: { b: [1, null, "ü"] }, version },
      { key: ["gone"], value: null, version: null },
      { key: ["n"], value: 3, version },
    ]);
  },

  async "commit() returns 'conflict' and makes no write when one of its checks fails"({ kv }) {
    const version = await set(kv, KEY, 1);
    const commit = new Commit().check({ key: KEY, version }, { key: ["other"], version })
      .set(KEY, 2).set(["new"], 2).add(["n"], 1);
    assert.equal(await kv.commit(commit), "conflict");
    assert.deepEqual((await read(kv, KEY)).value, 1);
    assert.deepEqual(keysOf(await kv.list({ prefix: ["new"] }, { limit: 10 })), []);
    assert.equal((await read(kv, ["n"])).value, null);
  },

  async "commit() returns 'conflict' when a checked entry has changed, or exists and was absent"(
    { kv },
  ) {
    const absent = await read(kv, KEY);
    done(await kv.commit(new Commit().check(absent).set(KEY, 1)));
    assert.equal(await kv.commit(new Commit().check(absent).set(KEY, 2)), "conflict");
    const present = await read(kv, KEY);
    done(await kv.commit(new Commit().check(present).set(KEY, 3)));
    assert.equal(await kv.commit(new Commit().check(present).set(KEY, 4)), "conflict");
    assert.equal((await read(kv, KEY)).value, 3);
  },

  async "commit() returns 'conflict' when a checked entry was deleted and written again"({ kv }) {
    await set(kv, KEY, 1);
    const old = await read(kv, KEY);
    await kv.commit(new Commit().delete(KEY));
    await set(kv, KEY, 1);
    assert.equal(await kv.commit(new Commit().check(old).set(KEY, 2)), "conflict");
    assert.notEqual((await read(kv, KEY)).version, old.version);
  },

  async "commit() gives an entry a new version even when it writes the same value"({ kv }) {
    assert.notEqual(await set(kv, KEY, 1), await set(kv, KEY, 1));
  },

  async "commit() returns a version that is higher than the versions of all entries that the commit checks"(
    { kv },
  ) {
    for (let n = 0; n < 30; n++) {
      await set(kv, [`a${n % 2}`], n);
      const checked = await Promise.all([read(kv, ["a0"]), read(kv, ["a1"]), read(kv, ["b"])]);
      const version = done(await kv.commit(new Commit().check(...checked).set(["b"], n)));
      for (const { version: checkedVersion } of checked) {
        if (checkedVersion === null) continue;
        assert.ok(isHigherVersion(version, checkedVersion), `${version} and ${checkedVersion}`);
        assert.ok(!isHigherVersion(checkedVersion, version));
      }
      assert.ok(!isHigherVersion(version, version));
    }
  },

  async "commit() stores the last of several writes of one key"({ kv }) {
    await kv.commit(new Commit().set(["a"], 1).delete(["a"]).delete(["b"]).set(["b"], 2));
    assert.deepEqual(
      (await kv.get([["a"], ["b"]])).map((entry) => "value" in entry && entry.value),
      [null, 2],
    );
  },

  async "commit() adds up the numbers that several commits add to one counter at the same time, even below zero"(
    { kv },
  ) {
    const adding = Array.from({ length: 40 }, (_, n) => {
      return kv.commit(new Commit().add(["n"], n % 2 === 0 ? 3 : -5).add(["once"], 1));
    });
    for (const result of await Promise.all(adding)) done(result);
    assert.equal((await read(kv, ["n"])).value, -40);
    assert.equal((await read(kv, ["once"])).value, 40);
  },

  async "commit() lets one of several commits through when all check the same version of an entry at the same time"(
    { kv },
  ) {
    const before = await read(kv, KEY);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => kv.commit(new Commit().check(before).set(KEY, n))),
    );
    const through = results.flatMap((result, n) => result === "conflict" ? [] : n);
    assert.equal(through.length, 1);
    assert.equal((await read(kv, KEY)).value, through[0]);
  },

  async "commit() takes as many checks as the engine's checksPerCommit, and takes 900 writes"(
    { kv },
  ) {
    const keys = Array.from({ length: 900 }, (_, n) => ["many", n]);
    const commit = new Commit();
    for (const key of keys) commit.set(key, "value");
    const version = done(await kv.commit(commit));
    const checked = keys.slice(0, kv.traits.checksPerCommit);
    const entries = checked.map((key) => ({ key, version }));
    done(await kv.commit(new Commit().check(...entries).set(KEY, 1)));
    const last = { key: checked.at(-1)!, version: null };
    assert.equal(await kv.commit(new Commit().check(...entries.slice(1), last)), "conflict");
  },

  async "commit() takes values and keys up to the largest size, and refuses larger values and keys"(
    { kv },
  ) {
    const text = "v".repeat(65_533);
    const bytes = new Uint8Array(65_535).fill(255);
    const key = ["k".repeat(2_000)];
    await kv.commit(
      new Commit().set(key, text).set(["bytes"], bytes).set(["empty"], new Uint8Array()),
    );
    const entries = await kv.get([key, ["bytes"], ["empty"]]);
    assert.deepEqual(entries.map((entry) => "value" in entry && entry.value), [
      text,
      bytes,
      new Uint8Array(),
    ]);
    const tooLarge = new Commit().set(["large"], "v".repeat(65_600)).set(["beside"], 1);
    await assert.rejects(kv.commit(tooLarge));
    assert.equal((await read(kv, ["beside"])).value, null);
    await assert.rejects(kv.commit(new Commit().set(["k".repeat(2_100)], 1)));
    done(await kv.commit(new Commit().set(KEY, 1)));
  },

  async "commit() finds out whether the commit went through when its answer is lost"(
    { kv, loseAnswer },
  ) {
    const before = await read(kv, KEY);
    loseAnswer("done");
    const version = done(await kv.commit(new Commit().check(before).set(KEY, 1).add(["n"], 1)));
    assert.deepEqual(await read(kv, KEY), { key: KEY, value: 1, version });
    assert.equal((await read(kv, ["n"])).value, 1);
    loseAnswer("not done");
    await assert.rejects(kv.commit(new Commit().set(KEY, 2)), (error) => {
      return error instanceof Error && !(error instanceof UnknownOutcome);
    });
    assert.equal((await read(kv, KEY)).value, 1);
  },

  async "commit() goes through when the engine has removed old proofs of commits since the last commit"(
    { kv },
  ) {
    const hour = 60 * 60 * 1000;
    for (let round = 1; round <= 3; round++) {
      await set(kv, KEY, round);
      await kv.sweep(2 * round * hour);
      await kv.sweep((2 * round + 1) * hour);
    }
    assert.equal((await read(kv, KEY)).value, 3);
    await set(kv, KEY, 4);
    assert.equal((await read(kv, KEY)).value, 4);
  },
};
