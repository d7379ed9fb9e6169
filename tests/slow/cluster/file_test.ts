import assert from "node:assert/strict";
import { join } from "node:path";
import { readClients } from "../../../server/store/credentials/clients.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { SCHEMA_VERSION } from "../../../server/store/kv/schema.ts";
import {
  openRootKeys,
  readRootKeys,
  rotateRootKey,
} from "../../../server/store/credentials/keys.ts";
import { readCounts } from "../../../server/store/people/statistics/counts.ts";
import { DENOKV_FILE, startDenokv, test } from "../../support/denokv.ts";
import { readStats } from "../../support/process_requests.ts";
import { random, storeSignUp } from "../../support/records.ts";
import { createClusterClient, requestToken, startCluster } from "./support/cluster.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

// server/README.md, "Outgrow one machine": denokv goes on with the file that one process had.
test("a cluster goes on with a file when denokv is started on it, and gives it back", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, DENOKV_FILE);
  {
    using one = await openKv({ kind: "file", path });
    await one.kv.commit(new Commit().set(["schema"], { version: SCHEMA_VERSION }));
    await openRootKeys(one.kv, random, 0);
    await storeSignUp(one.kv, { email: "ada@example.com" }, new Date().toISOString());
  }
  await using cluster = await startCluster({ folder });
  const { servers, denokv, kv } = cluster;
  const keys = await readRootKeys(kv);
  assert.equal(keys.length, 1);
  const token = await requestToken(servers[0]!, await createClusterClient(cluster));
  for (const server of servers) assert.equal((await readStats(server, token)).total, 1);
  await storeSignUp(kv, { email: "grace@example.com" }, new Date().toISOString());
  const rotated = await rotateRootKey(kv, Date.now(), random);
  const client = await createClusterClient(cluster);
  await denokv.kill();

  using again = await openKv({ kind: "file", path });
  assert.equal((await readCounts(again.kv, Date.now())).total, 2);
  assert.deepEqual(await readRootKeys(again.kv), [...keys, rotated]);
  assert.ok((await readClients(again.kv)).some(({ clientId }) => clientId === client.clientId));
});

// The other way: a store that began on denokv goes on as a file, and on denokv again.
test("a store that began on denokv goes on as a file, and on denokv again", async () => {
  const folder = await Deno.makeTempDir();
  await using denokv = await startDenokv(folder);
  const made = await (async () => {
    using first = await denokv.open();
    await openRootKeys(first.kv, random, 0);
    await rotateRootKey(first.kv, Date.now(), random);
    return await readRootKeys(first.kv);
  })();
  assert.equal(made.length, 2);
  await denokv.kill();
  {
    using file = await openKv({ kind: "file", path: join(folder, DENOKV_FILE) });
    assert.deepEqual(await openRootKeys(file.kv, random, 0), made);
  }
  denokv.startAgain();
  using second = await denokv.open();
  assert.deepEqual(await openRootKeys(second.kv, random, 0), made);
});
