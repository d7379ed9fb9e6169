import assert from "node:assert/strict";
import { openRootKeys, readRootKeys } from "../../../server/store/root_keys.ts";
import {
  createTestClient,
  getAccessToken,
  serveOn,
  startTestService,
} from "../../support/service.ts";
import { requestStats } from "../../support/tokens.ts";

function random(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

Deno.test("openRootKeys() makes one random key of 256 bits when the store is empty", async () => {
  using kv = await Deno.openKv(":memory:");
  assert.deepEqual(await readRootKeys(kv), []);
  const secret = random(32);
  const lengths: number[] = [];
  const keys = await openRootKeys(kv, (length) => {
    lengths.push(length);
    return secret;
  });
  assert.deepEqual(lengths, [32]);
  assert.deepEqual(keys.map((key) => key.secret), [secret]);
  assert.deepEqual(await readRootKeys(kv), keys);
});

Deno.test("openRootKeys() gives the kept key when there is one", async () => {
  using kv = await Deno.openKv(":memory:");
  const keys = await openRootKeys(kv, random);
  assert.deepEqual(await openRootKeys(kv, random), keys);
});

Deno.test("openRootKeys() ends with one key when several start together on an empty store", async () => {
  using kv = await Deno.openKv(":memory:");
  const starts = Array.from({ length: 20 }, () => openRootKeys(kv, random));
  const [first, ...others] = await Promise.all(starts);
  assert.equal(first?.length, 1);
  for (const keys of others) assert.deepEqual(keys, first);
});

Deno.test("openRootKeys() keeps tokens valid when the service starts again on its store", async () => {
  await using first = await startTestService();
  const token = await getAccessToken(first, await createTestClient(first));
  // Disposing of the first one closes the store that they share.
  const second = await serveOn(first.kv);
  const response = await requestStats(second, { authorization: `Bearer ${token}` });
  assert.equal(response.status, 200);

  await using stranger = await startTestService();
  const refused = await requestStats(stranger, { authorization: `Bearer ${token}` });
  assert.equal(refused.status, 401, "every store has a root key of its own");
});
