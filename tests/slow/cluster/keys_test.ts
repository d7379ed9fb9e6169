import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { ANNOUNCE_MS } from "../../../server/oauth/key_ring.ts";
import type { RootKey } from "../../../server/oauth/key_ring.ts";
import { readRootKeys, rotateRootKey } from "../../../server/store/credentials/root_keys.ts";
import { test } from "../../support/postgres.ts";
import { readStats } from "../../support/process_requests.ts";
import { random } from "../../support/records.ts";
import { createClusterClient, requestToken, startCluster } from "./support/cluster.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { readOne } from "../../../server/store/kv/calls.ts";

function keyOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? "";
}

test("Four processes that start together on an empty store use the same root key", async () => {
  await using cluster = await startCluster();
  const { servers, kv } = cluster;
  const credentials = await createClusterClient(cluster);
  const tokens = await Promise.all(servers.map((server) => requestToken(server, credentials)));
  assert.deepEqual(tokens.map(keyOf), ["1", "1", "1", "1"]);
  for (const token of tokens) {
    for (const server of servers) await readStats(server, token);
  }
  assert.equal((await readRootKeys(kv)).rootKeys.length, 1);
});

test("Each of four processes accepts the tokens of all processes while the signing key rotates under load", async () => {
  await using cluster = await startCluster();
  const { servers, kv } = cluster;
  const credentials = await createClusterClient(cluster);
  const early = await Promise.all(servers.map((server) => requestToken(server, credentials)));

  // Two seconds of the usual minute: the processes learn of the key within one, and the test is sooner over.
  const notice = 2_000;
  // The rotation is dated back, and so must the first key be, which would count as announced otherwise.
  const first = await readOne<RootKey>(kv, ["root_key", "1"]);
  await kv.commit(new Commit().set(first.key, { ...first.value, signsFrom: 0 }));
  await rotateRootKey(kv, Date.now() - (ANNOUNCE_MS - notice), random);

  const signedBy = servers.map(() => new Set(["1"]));
  const rotated = () => signedBy.every((keys) => keys.has("2"));
  const giveUp = Date.now() + 2 * ANNOUNCE_MS;
  let calls = 0;
  async function callInTurn(): Promise<void> {
    while (!rotated()) {
      assert.ok(Date.now() < giveUp, "the new key does not sign everywhere");
      const at = calls++ % servers.length;
      const issuer = servers[at];
      assert.ok(issuer);
      const token = await requestToken(issuer, credentials);
      signedBy[at]?.add(keyOf(token));
      await Promise.all(servers.map((server) => readStats(server, token)));
    }
  }
  await Promise.all(Array.from({ length: 8 }, callInTurn));
  for (const token of early) {
    for (const server of servers) await readStats(server, token);
  }
  console.log(`${calls} tokens, each accepted by all ${servers.length} processes`);
});
