import assert from "node:assert/strict";
import { skipAbsentKeys } from "../../../../server/store/kv/absent_keys.ts";
import {
  Commit,
  type Key,
  type ListOptions,
  type Selector,
} from "../../../../server/store/kv/engine.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { random } from "../../../support/records.ts";
import { testWith } from "../../../support/test_with.ts";

const keyOf = (n: number): Key => ["sign_up", `person${n}@example.com`];
const keysFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => keyOf(first + n));

/**
 * A store with the people 0 to 299, the layer over it, and the calls that the engine gets: the keys of the last
 * `ask()`, and the number of pages of lists.
 */
async function openPeople() {
  const memory = await openMemoryKv();
  for (let first = 0; first < 300; first += 100) {
    const commit = new Commit();
    for (const key of keysFrom(first, 100)) commit.set(key, key[1]);
    await memory.commit(commit);
  }
  const asked: Key[] = [];
  const lists = { read: 0 };
  const engine = {
    ...memory,
    list<T>(selector: Selector, options: ListOptions) {
      lists.read++;
      return memory.list<T>(selector, options);
    },
    get<T>(keys: readonly Key[]) {
      asked.push(...keys);
      return memory.get<T>(keys);
    },
  };
  const kv = skipAbsentKeys(engine, random);
  const ask = async (keys: Key[]) => {
    asked.length = 0;
    const entries = await kv.get<string>(keys);
    return entries.map((entry) => "fault" in entry ? entry.fault : entry.value);
  };
  return { memory, kv, ask, asked, lists, [Symbol.dispose]: () => memory.close() };
}

/** The same, with a layer that has read the lists. */
async function openKnown() {
  const people = await openPeople();
  const { ask, asked } = people;
  // The first call for so many absent keys lets the lists be read.
  while ((await ask(keysFrom(1_000, 50)), asked.length === 50)) await Promise.resolve();
  return people;
}

const testOnStart = testWith(openPeople);
const test = testWith(openKnown);

testOnStart(
  "skipAbsentKeys() reads the lists of existing keys only after a get() call for many absent records",
  async ({ ask, lists }) => {
    // The page of a list reads as many keys of people who exist.
    await ask(keysFrom(0, 100));
    assert.equal(lists.read, 0);
    // Letters also read the letter limits of these people, which most people do not have.
    const limits = keysFrom(0, 50).map(([, email]): Key => ["brake", email!]);
    await ask([...keysFrom(0, 50), ...limits]);
    assert.equal(lists.read, 0);
    await ask(keysFrom(1_000, 50));
    assert.ok(lists.read > 0);
  },
);

test("skipAbsentKeys() asks the engine for each key that may exist, and adds absent keys to its call when fewer than ten keys may exist", async ({ ask, asked }) => {
  assert.deepEqual(await ask(keysFrom(1_000, 50)), Array(50).fill(null));
  assert.equal(asked.length, 10);
  const there = [keyOf(0), keyOf(150), keyOf(299)];
  const others = await ask([...keysFrom(2_000, 30), ...there, ["schema"]]);
  assert.deepEqual(others.slice(30), [...there.map(([, email]) => email), null]);
  assert.equal(asked.length, 10);
  assert.equal((await ask(keysFrom(290, 20))).filter((value) => value !== null).length, 10);
  assert.deepEqual(await ask(keysFrom(0, 300)), keysFrom(0, 300).map(([, email]) => email));
  assert.equal(asked.length, 300);
});

test("skipAbsentKeys() asks the engine for every key of a call that has only ten keys", async (known) => {
  await known.ask(keysFrom(1_000, 10));
  assert.equal(known.asked.length, 10);
});

test("skipAbsentKeys() asks the engine for each key that a commit has tried to write, even if the commit ended in a conflict", async ({ kv, ask, memory }) => {
  await kv.commit(new Commit().set(keyOf(1_000), "new"));
  assert.equal((await ask(keysFrom(1_000, 50)))[0], "new");
  const refused = new Commit().check({ key: keyOf(0), version: null }).set(keyOf(1_001), "late");
  assert.equal(await kv.commit(refused), "conflict");
  await memory.commit(new Commit().set(keyOf(1_001), "late"));
  assert.equal((await ask(keysFrom(1_000, 50)))[1], "late");
});

test("skipAbsentKeys() asks the engine for a key again when a commit conflicts because another process has written the key", async ({ kv, ask, memory }) => {
  await memory.commit(new Commit().set(keyOf(1_000), "from elsewhere"));
  assert.equal((await ask(keysFrom(1_000, 50)))[0], null);
  const commit = new Commit().check({ key: keyOf(1_000), version: null }).set(["other"], 1);
  assert.equal(await kv.commit(commit), "conflict");
  assert.equal((await ask(keysFrom(1_000, 50)))[0], "from elsewhere");
});
