import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { ANNOUNCE_MS, REREAD_MS } from "../../server/oauth/key_ring.ts";
import { readRootKeys, rotateRootKey } from "../../server/store/root_keys.ts";
import { DENOKV } from "../support/denokv.ts";
import { createClusterClient, readStats, requestToken, startCluster } from "./support/cluster.ts";

const ignore = DENOKV === undefined;

function keyOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? "";
}

Deno.test("a cluster agrees on one root key when four processes start together on an empty store", {
  ignore,
}, async () => {
  await using cluster = await startCluster();
  const { servers, kv } = cluster;
  const credentials = await createClusterClient(cluster);
  const tokens = await Promise.all(servers.map((server) => requestToken(server, credentials)));
  assert.deepEqual(tokens.map(keyOf), ["1", "1", "1", "1"]);
  for (const token of tokens) {
    for (const server of servers) await readStats(server, token);
  }
  assert.equal((await readRootKeys(kv)).length, 1);
});

Deno.test("a cluster accepts every token everywhere while the signing key rotates under load", {
  ignore,
}, async () => {
  await using cluster = await startCluster();
  const { servers, kv } = cluster;
  const credentials = await createClusterClient(cluster);
  const early = await Promise.all(servers.map((server) => requestToken(server, credentials)));

  // Half of the usual notice: the processes' readings have less time, and the test is sooner over.
  const notice = ANNOUNCE_MS / 2;
  assert.ok(notice > REREAD_MS);
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
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
