import assert from "node:assert/strict";
import { test } from "../../support/postgres.ts";
import { readStats, sendSignUp } from "../../support/process_requests.ts";
import { createClusterClient, requestToken, startCluster } from "./support/cluster.ts";
import { assertEachOnce, sendSignUps } from "./support/sign_up_load.ts";

test("A sign-up at one process is at once in the statistics of every other process", async () => {
  await using cluster = await startCluster();
  const { servers } = cluster;
  const [first] = servers;
  assert.ok(first);
  const token = await requestToken(first, await createClusterClient(cluster));
  let total = 0;
  for (const [index, joined] of servers.entries()) {
    for (const asked of servers) {
      total++;
      const response = await sendSignUp(joined, { email: `visitor${total}@example.com` });
      assert.equal(response.status, 200, await response.text());
      assert.equal((await readStats(asked, token)).total, total, `process ${index}`);
    }
  }
});

test("Four processes store each address once when 64 connections send 10,000 sign-ups", async () => {
  await using cluster = await startCluster();
  const { refused, acknowledged } = await sendSignUps(cluster);
  assert.equal(refused, 0, "requests that were not acknowledged");
  await assertEachOnce(cluster, acknowledged);
});

test("Four processes store each sign-up exactly once when one of the processes is killed and started again", async () => {
  await using cluster = await startCluster();
  const [victim] = cluster.servers;
  const { refused, acknowledged } = await sendSignUps(cluster, async () => {
    await victim?.kill();
    await victim?.start();
  });
  assert.ok(refused > 0, "the process was missed");
  await assertEachOnce(cluster, acknowledged);
});
