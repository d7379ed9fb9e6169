import assert from "node:assert/strict";
import { base64url } from "jose";
import {
  addSelfServiceKey,
  openSelfServiceKey,
  readSelfServiceKeys,
  rotateSelfServiceKey,
} from "../../../../server/store/credentials/self_service_keys.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { test } from "../../../support/memory_kv.ts";
import { random } from "../../../support/records.ts";

const momentOf = (ms: number) => new Date(ms).toISOString();

const BACKUP_KEY = base64url.encode(new Uint8Array(32).fill(7));

test("openSelfServiceKey() makes one key when several processes start together, and returns the same key later", async (kv) => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => openSelfServiceKey(kv, random)));
  const [first] = opened;
  assert.equal(first?.byteLength, 32);
  for (const key of opened) assert.deepEqual(key, first);
  assert.deepEqual(await openSelfServiceKey(kv, random), first);
  assert.deepEqual(await readSelfServiceKeys(kv, 0), [base64url.encode(first)]);
});

test("rotateSelfServiceKey() lets each older key open links until the given time, unless the key ends earlier", async (kv) => {
  const first = base64url.encode(await openSelfServiceKey(kv, random));
  await addSelfServiceKey(kv, { key: BACKUP_KEY, opensUntil: momentOf(5) }, { random });
  const rotate = (at: number, until: number) =>
    rotateSelfServiceKey(kv, {
      random,
      until: momentOf(until),
      audit: { at: momentOf(at), id: `rotation${at}`, action: "rotateLinkKey" },
    });
  const read = (ms: number) => readSelfServiceKeys(kv, ms);
  await rotate(1, 10);
  const [second, ...others] = await read(5);
  assert.notEqual(second, first);
  assert.deepEqual(others, [first, BACKUP_KEY]);
  assert.equal(base64url.encode(await openSelfServiceKey(kv, random)), second);
  assert.deepEqual(await read(10), [second, first]);
  assert.deepEqual(await read(11), [second]);

  await rotate(6, 20);
  const [third, ...older] = await read(7);
  assert.deepEqual(older, [second, first]);
  assert.deepEqual(await read(20), [third, second]);
});

test("openSelfServiceKey() rejects when KV does not answer in time", async (memory) => {
  const never = new Promise<never>(() => {});
  const kv = faultyKv(memory, () => never, () => never, 1);
  await assert.rejects(openSelfServiceKey(kv, random), { message: "KV did not answer in time" });
});

test("addSelfServiceKey() appends a key of a backup to the list of keys, and adds no key twice", async (kv) => {
  await openSelfServiceKey(kv, random);
  const [own] = await readSelfServiceKeys(kv, 0);
  for (const [key, isNew] of [[BACKUP_KEY, true], [BACKUP_KEY, false], [own!, false]] as const) {
    assert.equal(await addSelfServiceKey(kv, { key }, { random }), isNew);
    assert.deepEqual(await readSelfServiceKeys(kv, 0), [own, BACKUP_KEY]);
  }
});

test("addSelfServiceKey() makes a new key in a store without keys before it adds the key of a backup", async (kv) => {
  await addSelfServiceKey(kv, { key: BACKUP_KEY }, { random });
  const keys = await readSelfServiceKeys(kv, 0);
  assert.equal(keys.length, 2);
  assert.equal(keys[1], BACKUP_KEY);
});
