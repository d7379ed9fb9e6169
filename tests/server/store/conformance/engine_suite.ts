/** What the store needs of an engine (`store/kv/engine.ts`), tried on each. @module */
import assert from "node:assert/strict";
import { Commit, type Entry, type Key, type Selector } from "../../../../server/store/kv/engine.ts";
import { CREDENTIALS_CHANGED } from "../../../../server/store/kv/keys.ts";
import { COMMIT_SUITE, keysOf, set } from "./commit_suite.ts";
import { compareWithModel } from "./engine_model.ts";
import type { Suite } from "./engines.ts";

export const ENGINE_SUITE: Suite = {
  ...COMMIT_SUITE,
  async "get() returns an entry for each key in the order of the keys, also for absent keys"(
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

  async "list() sorts keys: texts by their bytes, then numbers, and a shorter key before its continuations"(
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

  async "list() returns only entries within the prefix, start, after and end of its selector"(
    { kv },
  ) {
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

  async "list() returns more entries than the engine reads in one batch"({ kv }) {
    const commits = [0, 1].map((part) => {
      const commit = new Commit();
      for (let n = 0; n < 300; n++) commit.set(["m", part, n], n);
      return kv.commit(commit);
    });
    await Promise.all(commits);
    const options = { limit: 550, reverse: true };
    const listed = await kv.list({ prefix: ["m"] }, options);
    const all = await kv.list({ prefix: ["m"] }, { limit: 600 });
    assert.equal(all.length, 600);
    assert.deepEqual(keysOf(listed), keysOf(all).toReversed().slice(0, 550));
  },

  async "list() returns a snapshot in which two counters agree while commits change both counters"(
    { kv },
  ) {
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

  // An engine need not report changes of other keys.
  async "watch() calls its function once at the beginning, and again after a change of the key"(
    { kv },
  ) {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: changed, resolve: change } = Promise.withResolvers<void>();
    let calls = 0;
    const watch = kv.watch(CREDENTIALS_CHANGED, () => ++calls === 1 ? begin() : change());
    await begun;
    await set(kv, CREDENTIALS_CHANGED, 1);
    await changed;
    await watch.close();
  },

  "The engine gives the same results as a simple model in 10,000 random operations": ({ kv }) =>
    compareWithModel(kv),
};
