/** Real processes on a primary whose synchronous standby is away for a while. @module */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "../../support/postgres.ts";
import {
  fromNewSource,
  issueClient,
  readStats,
  sendSignUp,
  statusOf,
  untilReadyIs,
} from "../../support/process_requests.ts";
import { getAccessToken } from "../../support/service.ts";
import { startReplicated } from "./support/replicated.ts";

/** For how long the standby is away, and the time between two sign-ups, in milliseconds. */
const AWAY_MS = 25_000, PACE_MS = 25;

/** What server/docs/deploy.md promises of a process, and how soon all is well again, in milliseconds. */
const CONNECTIONS = 9, BACK_MS = 1_000;

test("Processes open no further connections, and answer calls that write nothing, while the synchronous standby is away", async () => {
  await using hosts = await startReplicated();
  await using one = await hosts.startService();
  await using other = await hosts.startService();
  const services = [one, other];
  const credentials = await issueClient(one);
  await Promise.all(services.map((each) => getAccessToken(each, credentials, "", fromNewSource())));
  const backends = async () =>
    Number(
      await hosts.primary.sql(
        "select count(*) from pg_stat_activity where application_name = 'waitlist'",
      ),
    );
  let isOver = false, sent = 0;
  const statuses = new Map<number, number>();
  const sending: Promise<void>[] = [];
  const load = (async () => {
    while (!isOver) {
      const service = services[sent % 2]!;
      const answer = statusOf(sendSignUp(service, { email: `visitor${sent++}@example.com` }));
      sending.push(
        answer.then((status) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)),
      );
      await delay(PACE_MS);
    }
  })();
  await delay(1_000);
  await hosts.standby.kill();
  const goneAt = performance.now();
  let most = 0;
  while (performance.now() - goneAt < AWAY_MS) {
    most = Math.max(most, await backends());
    for (const service of services) {
      const token = await getAccessToken(service, credentials, "", fromNewSource());
      assert.ok((await readStats(service, token)).total >= 0);
      const status = service.request("/api/v1/status", { headers: fromNewSource() });
      assert.equal(await statusOf(status), 200);
    }
    await delay(500);
  }
  console.log(`${most} connections at the most`);
  assert.ok(most <= CONNECTIONS * services.length, `${most} connections`);
  for (const service of services) {
    const ready = await service.request("/ready");
    assert.deepEqual(await ready.json(), { ready: false, missing: ["writes"] });
    assert.ok(
      await service.logged(/"event":"KV takes no writes".*waits for its synchronous standby/),
    );
  }

  await hosts.standby.start();
  const back = "select count(*) from pg_stat_replication where sync_state = 'sync'";
  while (await hosts.primary.sql(back) === "0") await delay(10);
  const backAt = performance.now();
  const isAcknowledged = async (n: number) => {
    const email = `back${n}.${sent++}@example.com`;
    return await statusOf(sendSignUp(services[n]!, { email })) === 200;
  };
  for (const n of services.keys()) while (!await isAcknowledged(n));
  const ms = performance.now() - backAt;
  console.log(`sign-ups were acknowledged ${Math.round(ms)} ms after the standby's return`);
  assert.ok(ms < BACK_MS, `it took ${ms} ms`);
  isOver = true;
  await load;
  await Promise.all(sending);
  console.log(JSON.stringify(Object.fromEntries(statuses)));
  for (const service of services) {
    await untilReadyIs(service);
  }
});
