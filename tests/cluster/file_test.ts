import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../server/store/open.ts";
import { openRootKeys, readRootKeys } from "../../server/store/root_keys.ts";
import { readCounts } from "../../server/store/statistics.ts";
import { DENOKV, DENOKV_FILE } from "../support/denokv.ts";
import { storeSignUp } from "../support/records.ts";
import { createClusterClient, readStats, requestToken, startCluster } from "./support/cluster.ts";

// README, "Outgrowing one machine": denokv goes on with the file that one process had.
Deno.test("a cluster goes on with a file when denokv is started on it, and gives it back", {
  ignore: DENOKV === undefined,
}, async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, DENOKV_FILE);
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  {
    using one = await openKv({ kind: "file", path });
    await openRootKeys(one.kv, random);
    await storeSignUp(one.kv, { email: "ada@example.com" }, new Date().toISOString());
  }
  await using cluster = await startCluster(folder);
  const { servers, denokv, kv } = cluster;
  const keys = await readRootKeys(kv);
  assert.equal(keys.length, 1);
  const token = await requestToken(servers[0]!, await createClusterClient(cluster));
  for (const server of servers) assert.equal((await readStats(server, token)).total, 1);
  await storeSignUp(kv, { email: "grace@example.com" }, new Date().toISOString());
  await denokv.kill();

  using again = await openKv({ kind: "file", path });
  assert.equal((await readCounts(again.kv, Date.now())).total, 2);
  assert.deepEqual(await readRootKeys(again.kv), keys);
});
