import assert from "node:assert/strict";
import { base64url } from "jose";
import {
  addSelfServiceKey,
  openSelfServiceKeys,
  readSelfServiceKeys,
} from "../../../../server/store/credentials/self_service_keys.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { random } from "../../../support/records.ts";

const BACKUP_KEY = base64url.encode(new Uint8Array(32).fill(7));

Deno.test("openSelfServiceKeys() makes one key when processes start together, and keeps it for good", async () => {
  using kv = await Deno.openKv(":memory:");
  const opened = await Promise.all(
    Array.from({ length: 5 }, () => openSelfServiceKeys(kv, random)),
  );
  const [first] = opened;
  assert.equal(first?.length, 1);
  assert.equal(first[0]?.byteLength, 32);
  for (const keys of opened) assert.deepEqual(keys, first);
  assert.deepEqual(await openSelfServiceKeys(kv, random), first);
  assert.deepEqual(await readSelfServiceKeys(kv), first.map((key) => base64url.encode(key)));
});

Deno.test("openSelfServiceKeys() gives an error when KV does not answer", async () => {
  using memory = await Deno.openKv(":memory:");
  const never = new Promise<never>(() => {});
  const kv = faultyKv(memory, () => never, () => never, 1);
  await assert.rejects(openSelfServiceKeys(kv, random), { message: "KV did not answer in time" });
});

Deno.test("addSelfServiceKey() adds a key behind the store's own, once", async () => {
  using kv = await Deno.openKv(":memory:");
  await openSelfServiceKeys(kv, random);
  const [own] = await readSelfServiceKeys(kv);
  for (const [key, isNew] of [[BACKUP_KEY, true], [BACKUP_KEY, false], [own!, false]] as const) {
    assert.equal(await addSelfServiceKey(kv, key, { random }), isNew);
    assert.deepEqual(await readSelfServiceKeys(kv), [own, BACKUP_KEY]);
  }
});

Deno.test("addSelfServiceKey() leaves the first place to a key of the store when there is none yet", async () => {
  using kv = await Deno.openKv(":memory:");
  await addSelfServiceKey(kv, BACKUP_KEY, { random });
  const keys = await readSelfServiceKeys(kv);
  assert.equal(keys.length, 2);
  assert.equal(keys[1], BACKUP_KEY);
});
