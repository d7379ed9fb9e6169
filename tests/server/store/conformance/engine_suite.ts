/**
 * What the store needs of an engine (`store/kv/engine.ts`), tried on each.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  Commit,
  type Entry,
  type Key,
  type Kv,
  type Selector,
  UnknownOutcome,
} from "../../../../server/store/kv/engine.ts";
import { CREDENTIALS_CHANGED } from "../../../../server/store/kv/keys.ts";
import { compareWithModel } from "./engine_model.ts";
import type { Suite } from "./engines.ts";

const KEY = ["key"];

const keysOf = (entries: { key: Key }[]) => entries.map(({ key }) => key);

async function read(kv: Kv, key: Key) {
  const [entry] = await kv.get(key === undefined ? [] : [key]);
  assert.ok(entry && !("fault" in entry));
  return entry;
}

/** Sets a value, and gives its version. */
async function set(kv: Kv, key: Key, value: unknown): Promise<string> {
  return done(await kv.commit(new Commit().set(key, value)));
}

function done(result: string): string {
  assert.notEqual(result, "conflict");
  return result;
}

export const ENGINE_SUITE: Suite = {
  async "commit() makes all writes, and gives their version"({ kv }) {
    await set(kv, ["gone"], 1);
    const commit = new Commit().set(["a"], { b: [1, null, "ü"] }).delete(["gone"]).add(["n"], 3);
    const version = done(await kv.commit(commit));
    assert.deepEqual(await kv.get([["a"], ["gone"], ["n"]]), [
      { key: ["a"], value: { b: [1, null, "ü"] }, version },
      { key: ["gone"], value: null, version: null },
      { key: ["n"], value: 3, version },
    ]);
  },

  async "commit() makes no write when one of its checks fails"({ kv }) {
    const version = await set(kv, KEY, 1);
    const commit = new Commit().check({ key: KEY, version }, { key: ["other"], version })
      .set(KEY, 2).set(["new"], 2).add(["n"], 1);
    assert.equal(await kv.commit(commit), "conflict");
    assert.deepEqual((await read(kv, KEY)).value, 1);
    assert.deepEqual(keysOf(await kv.list({ prefix: ["new"] }, { limit: 10 })), []);
    assert.equal((await read(kv, ["n"])).value, null);
  },

  async "commit() checks that an entry is as it was, or still absent"({ kv }) {
    const absent = await read(kv, KEY);
    done(await kv.commit(new Commit().check(absent).set(KEY, 1)));
    assert.equal(await kv.commit(new Commit().check(absent).set(KEY, 2)), "conflict");
    const present = await read(kv, KEY);
    done(await kv.commit(new Commit().check(present).set(KEY, 3)));
    assert.equal(await kv.commit(new Commit().check(present).set(KEY, 4)), "conflict");
    assert.equal((await read(kv, KEY)).value, 3);
  },

  async "commit() fails an old check when its key was deleted and made again"({ kv }) {
    await set(kv, KEY, 1);
    const old = await read(kv, KEY);
    await kv.commit(new Commit().delete(KEY));
    await set(kv, KEY, 1);
    assert.equal(await kv.commit(new Commit().check(old).set(KEY, 2)), "conflict");
    assert.notEqual((await read(kv, KEY)).version, old.version);
  },

  async "commit() gives an entry another version when it writes the same value"({ kv }) {
    assert.notEqual(await set(kv, KEY, 1), await set(kv, KEY, 1));
  },

  async "commit() lets the last of several writes of a key count"({ kv }) {
    await kv.commit(new Commit().set(["a"], 1).delete(["a"]).delete(["b"]).set(["b"], 2));
    assert.deepEqual(
      (await kv.get([["a"], ["b"]])).map((entry) => "value" in entry && entry.value),
      [
        null,
        2,
      ],
    );
  },

  async "commit() adds to a counter what all commits at once add, below zero, too"({ kv }) {
    const adding = Array.from({ length: 40 }, (_, n) => {
      return kv.commit(new Commit().add(["n"], n % 2 === 0 ? 3 : -5).add(["once"], 1));
    });
    for (const result of await Promise.all(adding)) done(result);
    assert.equal((await read(kv, ["n"])).value, -40);
    assert.equal((await read(kv, ["once"])).value, 40);
  },

  async "commit() lets one of several changes of an entry go through when they come at once"(
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

  async "commit() takes as many checks as the engine says, and 900 writes"({ kv }) {
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

  async "commit() takes values and keys up to their bounds, and refuses larger ones"({ kv }) {
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

  async "get() gives entries in the order that it was asked for, those that are absent, too"(
    { kv },
  ) {
    const commit = new Commit();
    for (let n = 0; n < 25; n += 2) commit.set(["some", n], n);
    await kv.commit(commit);
    const asked = Array.from({ length: 25 }, (_, n) => ["some", 24 - n]);
    const entries = await kv.get(asked);
    assert.deepEqual(keysOf(entries), asked);
    assert.deepEqual(
      entries.map((entry) => "value" in entry && entry.value),
      asked.map(([, n]) => Number(n) % 2 === 0 ? n : null),
    );
    assert.deepEqual(await kv.get([]), []);
  },

  async "list() gives the keys in order: texts by their bytes, then numbers, and the shorter key first"(
    { kv },
  ) {
    const inOrder: Key[] = [
      ["o", ""],
      ["o", "", "z"],
      ["o", "a"],
      ["o", "a", "b"],
      ["o", "a", 1],
      ["o", "a\0"],
      ["o", "a\0b"],
      ["o", "aa"],
      ["o", "z"],
      ["o", "é"],
      ["o", "😀"],
      ["o", -Infinity],
      ["o", -1.5],
      ["o", 0],
      ["o", 0, "x"],
      ["o", 1],
      ["o", 9],
      ["o", 10],
      ["o", 1_800_000_000_000],
      ["o", Infinity],
    ];
    for (const [index] of inOrder.entries()) {
      await set(kv, inOrder[(index * 7) % inOrder.length]!, index);
    }
    const forward = await kv.list({ prefix: ["o"] }, { limit: 500 });
    assert.deepEqual(keysOf(forward), inOrder);
    const backward = await kv.list({ prefix: ["o"] }, { limit: 500, reverse: true });
    assert.deepEqual(keysOf(backward), inOrder.toReversed());
    const page = await kv.list({ prefix: ["o"], after: ["o", "a", "b"] }, { limit: 3 });
    assert.deepEqual(keysOf(page), inOrder.slice(4, 7));
  },

  async "list() keeps to its prefix, its start and its end"({ kv }) {
    for (const last of ["a", "b", "c", "d"]) await set(kv, ["p", last], last);
    for (const key of [["o", "z"], ["p"], ["p\0", "a"], ["q", "a"]]) await set(kv, key, 0);
    const listed = async (selector: Omit<Selector, "prefix">, options = {}) => {
      const entries = await kv.list({ prefix: ["p"], ...selector }, { limit: 10, ...options });
      return keysOf(entries).map(([, last]) => last).join("");
    };
    assert.equal(await listed({}), "abcd");
    assert.equal(await listed({ start: ["p", "b"] }), "bcd");
    assert.equal(await listed({ after: ["p", "b"] }), "cd");
    assert.equal(await listed({ after: ["p", "bb"] }), "cd", "a key that does not exist");
    assert.equal(await listed({ end: ["p", "c"] }), "ab");
    assert.equal(await listed({ start: ["p", "b"], end: ["p", "d"] }), "bc");
    assert.equal(await listed({ after: ["p", "a"], end: ["p", "d"] }, { limit: 1 }), "b");
    assert.equal(await listed({ end: ["p", "d"] }, { limit: 2, reverse: true }), "cb");
    assert.equal(await listed({ start: ["p", "b"] }, { reverse: true }), "dcb");
    assert.equal(await listed({ start: ["p", "x"] }), "");
  },

  async "list() gives what one moment has while commits move two counters together"({ kv }) {
    let isOver = false;
    const moving = (async () => {
      for (let n = 0; n < 200; n++) await kv.commit(new Commit().add(["c", 1], 1).add(["c", 2], 1));
      isOver = true;
    })();
    while (!isOver) {
      const [one, two] = await kv.list<number>({ prefix: ["c"] }, { limit: 10 }) as Entry<number>[];
      assert.equal(one?.value, two?.value);
    }
    await moving;
  },

  // An engine need not tell of the changes of other keys.
  async "watch() tells when it has begun, and of each change from then on"({ kv }) {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: changed, resolve: change } = Promise.withResolvers<void>();
    let calls = 0;
    const watch = kv.watch(CREDENTIALS_CHANGED, () => ++calls === 1 ? begin() : change());
    await begun;
    await set(kv, CREDENTIALS_CHANGED, 1);
    await changed;
    await watch.close();
  },

  async "commit() tells what became of a commit when its answer is lost"({ kv, loseAnswer }) {
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

  async "commit() goes through when the engine has swept what it keeps for itself meanwhile"(
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

  "does what a plain model does in 10,000 random operations": ({ kv }) => compareWithModel(kv),
};
