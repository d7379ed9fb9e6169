import assert from "node:assert/strict";
import { addSelfServiceKey, openRootKeys } from "../../../../server/store/credentials/keys.ts";
import { openSelfServiceKey, readRootKeys } from "../../../../server/store/credentials/keys.ts";
import { readSelfServiceKeys, rotateRootKey } from "../../../../server/store/credentials/keys.ts";
import { rotateSelfServiceKey } from "../../../../server/store/credentials/keys.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { createTestClient, getAccessToken, serveOn, START } from "../../../support/service.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { random } from "../../../support/records.ts";
import { requestStats } from "../../../support/tokens.ts";
import { base64url } from "jose";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";

// Clauses: RFC 8725 §3.5.
Deno.test("openRootKeys() makes one random key of 256 bits when the store is empty", async () => {
  using kv = await openMemoryKv();
  assert.deepEqual((await readRootKeys(kv)).roots, []);
  const secret = random(32);
  const lengths: number[] = [];
  const keys = await openRootKeys(kv, (length) => {
    lengths.push(length);
    return secret;
  }, START);
  assert.deepEqual(lengths, [32]);
  assert.deepEqual(keys, [{ keyId: "1", secret: base64url.encode(secret), signsFrom: START }]);
  assert.deepEqual(await readRootKeys(kv), { roots: keys, unreadable: [] });
});

Deno.test("openRootKeys() keeps tokens valid when the service starts again on its store", async () => {
  await using first = await startTestService();
  const token = await getAccessToken(first, await createTestClient(first));
  // Disposing of the first service closes the store that both share.
  const second = await serveOn(first.kv);
  const response = await requestStats(second, { authorization: `Bearer ${token}` });
  assert.equal(response.status, 200);
  await second.stop();

  await using stranger = await startTestService();
  const refused = await requestStats(stranger, { authorization: `Bearer ${token}` });
  assert.equal(refused.status, 401, "every store has a root key of its own");
});

/** The ids of the stored root keys, and when each begins to sign. */
async function keptTerms(kv: Kv): Promise<Record<string, number>> {
  const { roots } = await readRootKeys(kv);
  return Object.fromEntries(roots.map(({ keyId, signsFrom }) => [keyId, signsFrom]));
}

Deno.test("rotateRootKey() stores a new random key that signs 60 s later", async () => {
  using kv = await openMemoryKv();
  const [first] = await openRootKeys(kv, random, START);
  const second = await rotateRootKey(kv, START, random);
  assert.deepEqual(await keptTerms(kv), { 1: START, 2: START + 60_000 });
  assert.equal(second.keyId, "2");
  assert.equal(base64url.decode(second.secret).length, 32);
  assert.notDeepEqual(second.secret, first?.secret);
});

Deno.test("rotateRootKey() gives the announced key when there is one", async () => {
  using kv = await openMemoryKv();
  await openRootKeys(kv, random, START);
  const second = await rotateRootKey(kv, START, random);
  assert.deepEqual(await rotateRootKey(kv, START + 59_999, random), second);
  // The same happens in a process whose clock is behind that of the process which rotated.
  assert.deepEqual(await rotateRootKey(kv, START - 5_000, random), second);
  assert.equal((await rotateRootKey(kv, START + 60_000, random)).keyId, "3");
});

Deno.test("rotateRootKey() removes the keys that verify nothing any more, for good", async () => {
  using kv = await openMemoryKv();
  await openRootKeys(kv, random, START);
  await rotateRootKey(kv, START, random);
  // The second key signs from START + 60 s. The last token of the first key expires 900 s and 60 s later.
  const retired = START + 60_000 + 60_000 + 900_000;
  await rotateRootKey(kv, retired - 1, random);
  assert.deepEqual(Object.keys(await keptTerms(kv)), ["1", "2", "3"]);
  await rotateRootKey(kv, retired + 60_000, random);
  assert.deepEqual(Object.keys(await keptTerms(kv)), ["2", "3", "4"]);
  const roots = await openRootKeys(kv, random, START);
  assert.deepEqual(roots.map(({ keyId }) => keyId), ["2", "3", "4"]);
});

Deno.test("rotateRootKey() announces a key again when a clock that was ahead had announced it", async () => {
  using kv = await openMemoryKv();
  await openRootKeys(kv, random, START);
  const early = await rotateRootKey(kv, START + 3_600_000, random);
  const rotated = await rotateRootKey(kv, START, random);
  assert.deepEqual(rotated, { ...early, signsFrom: START + 60_000 });
  assert.deepEqual(await keptTerms(kv), { 1: START, 2: START + 60_000 });
});

Deno.test("rotateRootKey() keeps a key that still verifies when the clock jumped an hour ahead", async () => {
  using kv = await openMemoryKv();
  await openRootKeys(kv, random, START);
  await rotateRootKey(kv, START, random);
  await rotateRootKey(kv, START + 3_600_000, random);
  assert.deepEqual(Object.keys(await keptTerms(kv)), ["1", "2", "3"]);
});

const momentOf = (ms: number) => new Date(ms).toISOString();

const BACKUP_KEY = base64url.encode(new Uint8Array(32).fill(7));

Deno.test("openSelfServiceKey() makes one key when processes start together, and keeps it", async () => {
  using kv = await openMemoryKv();
  const opened = await Promise.all(Array.from({ length: 5 }, () => openSelfServiceKey(kv, random)));
  const [first] = opened;
  assert.equal(first?.byteLength, 32);
  for (const key of opened) assert.deepEqual(key, first);
  assert.deepEqual(await openSelfServiceKey(kv, random), first);
  assert.deepEqual(await readSelfServiceKeys(kv, 0), [base64url.encode(first)]);
});

Deno.test("rotateSelfServiceKey() lets older keys open links until the earlier of their times, and then no more", async () => {
  using kv = await openMemoryKv();
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

Deno.test("openSelfServiceKey() gives an error when KV does not answer", async () => {
  using memory = await openMemoryKv();
  const never = new Promise<never>(() => {});
  const kv = faultyKv(memory, () => never, () => never, 1);
  await assert.rejects(openSelfServiceKey(kv, random), { message: "KV did not answer in time" });
});

Deno.test("addSelfServiceKey() adds a key behind the store's own, once", async () => {
  using kv = await openMemoryKv();
  await openSelfServiceKey(kv, random);
  const [own] = await readSelfServiceKeys(kv, 0);
  for (const [key, isNew] of [[BACKUP_KEY, true], [BACKUP_KEY, false], [own!, false]] as const) {
    assert.equal(await addSelfServiceKey(kv, key, { random }), isNew);
    assert.deepEqual(await readSelfServiceKeys(kv, 0), [own, BACKUP_KEY]);
  }
});

Deno.test("addSelfServiceKey() makes the store's own key first when there is none yet", async () => {
  using kv = await openMemoryKv();
  await addSelfServiceKey(kv, BACKUP_KEY, { random });
  const keys = await readSelfServiceKeys(kv, 0);
  assert.equal(keys.length, 2);
  assert.equal(keys[1], BACKUP_KEY);
});

Deno.test("startCredentials() accepts the tokens of all other root keys when one cannot be read", async () => {
  const kv = await openMemoryKv();
  await using one = await serveOn(kv);
  const client = await createTestClient(one);
  const old = await getAccessToken(one, client);
  await rotateRootKey(kv, START, random);
  one.clock.now = START + 61_000;
  await one.repeatOnce();
  const young = await getAccessToken(one, client);
  const take = async (service: TestService, token: string) =>
    (await requestStats(service, { authorization: `Bearer ${token}` })).status;

  await kv.raw.set(["root_key", "1"], new Uint8Array([0x7b]));
  await using two = await serveOn({ ...kv, close: () => {} });
  two.clock.now = one.clock.now;
  assert.deepEqual([await take(two, old), await take(two, young)], [401, 200]);
  const warnings = two.log.filter(({ keyId }) => keyId === "1");
  assert.deepEqual(warnings.map(({ level, event }) => [level, event]), [
    ["warn", "a root key cannot be read, so tokens that it signed may be refused"],
  ]);
  // A process that knows the key goes on using it.
  await one.repeatOnce();
  assert.deepEqual([await take(one, old), await take(one, young)], [200, 200]);

  await kv.raw.set(["root_key", "2"], new Uint8Array([0x7b]));
  await assert.rejects(serveOn({ ...kv, close: () => {} }), /There is no root key/);
  assert.equal((await rotateRootKey(kv, one.clock.now, random)).keyId, "3");
});

Deno.test("rotateRootKey() removes an unreadable key together with newer keys that verify nothing", async () => {
  using kv = await openMemoryKv();
  await openRootKeys(kv, random, START);
  await rotateRootKey(kv, START, random);
  await kv.raw.set(["root_key", "1"], new Uint8Array([0x7b]));
  await rotateRootKey(kv, START + 60_000, random);
  assert.deepEqual((await readRootKeys(kv)).unreadable, ["1"]);
  for (const hours of [1, 2]) await rotateRootKey(kv, START + hours * 3_600_000, random);
  assert.deepEqual((await readRootKeys(kv)).unreadable, []);
});
