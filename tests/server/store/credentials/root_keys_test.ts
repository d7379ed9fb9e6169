import assert from "node:assert/strict";
import {
  openRootKeys,
  readRootKeys,
  rotateRootKey,
} from "../../../../server/store/credentials/root_keys.ts";
import {
  createTestClient,
  getAccessToken,
  serveOn,
  START,
  startTestService,
  type TestService,
} from "../../../support/service.ts";
import { random } from "../../../support/records.ts";
import { requestStats } from "../../../support/tokens.ts";
import { base64url } from "jose";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";

// Clauses: RFC 8725 §3.5.
test("openRootKeys() makes one random key of 256 bits when the store is empty", async (kv) => {
  assert.deepEqual((await readRootKeys(kv)).rootKeys, []);
  const secret = random(32);
  const lengths: number[] = [];
  const keys = await openRootKeys(kv, (length) => {
    lengths.push(length);
    return secret;
  }, START);
  assert.deepEqual(lengths, [32]);
  assert.deepEqual(keys, [{ keyId: "1", secret: base64url.encode(secret), signsFrom: START }]);
  assert.deepEqual(await readRootKeys(kv), { rootKeys: keys, unreadableIds: [] });
});

Deno.test("openRootKeys() keeps issued tokens valid when the service starts again on the same store", async () => {
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

/** The ids of the stored root keys, and the milliseconds after the start from which each signs. */
async function keptTerms(kv: Kv): Promise<Record<string, number>> {
  const { rootKeys } = await readRootKeys(kv);
  return Object.fromEntries(rootKeys.map(({ keyId, signsFrom }) => [keyId, signsFrom - START]));
}

/** When the last token of the first key has expired: 900 s, and 60 s of slack, after the second key began to sign. */
const RETIRED = 60_000 + 60_000 + 900_000;
const HOUR = 3_600_000;

/** The moments of rotations, in milliseconds after the start, and the keys that are kept after them. */
const ROTATIONS: [what: string, moments: number[], kept: Record<string, number>][] = [
  ["a new key signs 60 s after the rotation", [0], { 1: 0, 2: 60_000 }],
  ["a second rotation within 60 s returns the announced key", [0, 59_999], { 1: 0, 2: 60_000 }],
  ["a process whose clock is 5 s behind returns the announced key", [0, -5_000], {
    1: 0,
    2: 60_000,
  }],
  ["a rotation makes a third key when the announced key has begun to sign", [0, 60_000], {
    1: 0,
    2: 60_000,
    3: 120_000,
  }],
  ["a rotation keeps the first key until its last token has expired", [0, RETIRED - 1], {
    1: 0,
    2: 60_000,
    3: RETIRED + 59_999,
  }],
  [
    "a rotation removes the first key when its last token has expired",
    [0, RETIRED - 1, RETIRED + 60_000],
    { 2: 60_000, 3: RETIRED + 59_999, 4: RETIRED + 120_000 },
  ],
  ["a rotation dates the announced key anew when the clock was an hour ahead and is right again", [
    HOUR,
    0,
  ], { 1: 0, 2: 60_000 }],
  ["a rotation makes a third key when the clock has jumped an hour ahead", [0, HOUR], {
    1: 0,
    2: 60_000,
    3: HOUR + 60_000,
  }],
];

Deno.test("rotateRootKey() announces one new key at a time, and keeps each key until the key's last token has expired", async (t) => {
  for (const [what, moments, kept] of ROTATIONS) {
    await t.step(what, async () => {
      using kv = await openMemoryKv();
      await openRootKeys(kv, random, START);
      for (const moment of moments) {
        const { keyId } = await rotateRootKey(kv, START + moment, random);
        assert.ok(keyId in await keptTerms(kv));
      }
      assert.deepEqual(await keptTerms(kv), kept);
      const roots = await openRootKeys(kv, random, START);
      assert.deepEqual(roots.map(({ keyId }) => keyId), Object.keys(kept));
    });
  }
});

test("rotateRootKey() gives a new key a random secret, and keeps the secret when the key's start time changes", async (kv) => {
  const [first] = await openRootKeys(kv, random, START);
  const second = await rotateRootKey(kv, START + HOUR, random);
  assert.equal(base64url.decode(second.secret).length, 32);
  assert.notDeepEqual(second.secret, first?.secret);
  const again = await rotateRootKey(kv, START, random);
  assert.deepEqual(again, { ...second, signsFrom: START + 60_000 });
  assert.deepEqual(await rotateRootKey(kv, START, random), again);
});

Deno.test("startCredentials() accepts tokens that a readable root key signed even if another root key cannot be read", async () => {
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

test("rotateRootKey() removes an unreadable key together with a newer key whose tokens have all expired", async (kv) => {
  await openRootKeys(kv, random, START);
  await rotateRootKey(kv, START, random);
  await kv.raw.set(["root_key", "1"], new Uint8Array([0x7b]));
  await rotateRootKey(kv, START + 60_000, random);
  assert.deepEqual((await readRootKeys(kv)).unreadableIds, ["1"]);
  for (const hours of [1, 2]) await rotateRootKey(kv, START + hours * 3_600_000, random);
  assert.deepEqual((await readRootKeys(kv)).unreadableIds, []);
});
