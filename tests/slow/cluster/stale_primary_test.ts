/** The real process with two hosts in `KV_URL`, of which one is replaced by the other and comes back. @module */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { openUrl, test } from "../../support/postgres.ts";
import {
  fromNewSource,
  sendSignUp,
  type Serving,
  statusOf,
  untilReadyIs,
} from "../../support/process_requests.ts";
import { assertEachOnce, sendSignUps } from "./support/sign_up_load.ts";
import { type Replicated, startReplicated } from "./support/replicated.ts";

/** Within which the service goes on by itself after a promotion, in milliseconds. */
const GOES_ON_MS = 6_000;

/** Waits until a sign-up is acknowledged; gives the milliseconds since the promotion. */
async function goesOn(service: Serving, promotedAt: number): Promise<number> {
  while (await statusOf(sendSignUp(service, { email: "visitor1@example.com" })) !== 200);
  return performance.now() - promotedAt;
}

interface Trial {
  name: string;
  /** Ends the primary, as far as the trial has it. */
  lose: (hosts: Replicated) => Promise<void>;
  /** Brings it back while the service works on the other host; absent where it stays away. */
  comeBack?: (hosts: Replicated) => Promise<void>;
}

const kill = ({ primary }: Replicated) => primary.kill();
const hang = ({ primary }: Replicated) => primary.signalAll("SIGSTOP");

const TRIALS: Trial[] = [
  { name: "is killed", lose: kill },
  { name: "hangs", lose: hang },
  {
    name: "is stopped, and goes on when it was replaced",
    lose: hang,
    comeBack: ({ primary }) => primary.signalAll("SIGCONT"),
  },
  {
    name: "is killed, and comes back waiting for its standby",
    lose: kill,
    comeBack: ({ primary }) => primary.start(),
  },
  {
    name: "is killed, and comes back as a server that takes writes",
    lose: kill,
    async comeBack({ primary }) {
      await primary.addSetting("synchronous_standby_names = ''");
      await primary.start();
    },
  },
];

for (const { name, lose, comeBack } of TRIALS) {
  test(`A process loses no acknowledged sign-up when a standby was promoted and the former primary ${name}`, async () => {
    await using hosts = await startReplicated();
    await using service = await hosts.startService();
    const warned = service.logged(/"event":"KV needs attention".*is a former primary/);
    const { refused, acknowledged } = await sendSignUps({ servers: [service] }, async () => {
      await lose(hosts);
      await delay(1_000);
      await hosts.promote();
      const ms = await goesOn(service, performance.now());
      console.log(`the service went on ${Math.round(ms)} ms after the promotion`);
      assert.ok(ms < GOES_ON_MS, `it took ${ms} ms`);
      if (!comeBack) return;
      await comeBack(hosts);
      assert.ok(await warned);
      // New connections are made while the former primary is there.
      await hosts.standby.sql(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'waitlist'",
      );
      await goesOn(service, performance.now());
    });
    console.log(`${refused} requests were not acknowledged`);
    // The next beat of the process tells that all is well.
    await untilReadyIs(service);
    using store = await openUrl(hosts.standby.variables.KV_URL);
    await assertEachOnce(store, acknowledged);
  });
}

test("No process, not even one that is started later, writes to a former primary; sign-ups get 500 instead", async () => {
  await using hosts = await startReplicated();
  {
    await using service = await hosts.startService();
    await hosts.primary.kill();
    await hosts.promote();
    await goesOn(service, performance.now());
    await hosts.primary.addSetting("synchronous_standby_names = ''");
    await hosts.primary.start();
    assert.ok(await service.logged(/"event":"KV needs attention".*is a former primary/));
    // The process notes it there, so that others learn of it.
    const noted = `select count(*) from waitlist.kv where number = 2
      and key >= '\\x0274696d656c696e65' and key < '\\x0274696d656c696e66'`;
    while (await hosts.primary.sql(noted) === "0") await delay(100);
    await hosts.standby.kill();
    const signUp = () => statusOf(sendSignUp(service, { email: "late@example.com" }));
    for (let times = 0; times < 5; times++) assert.equal(await signUp(), 500);
    assert.ok(
      await service.logged(/"event":"KV does not answer".*All servers that answer are former/),
    );
    const ready = await service.request("/ready", { headers: fromNewSource() });
    assert.deepEqual(await ready.json(), { ready: false, missing: ["kv"] });
  }
  await assert.rejects(
    openUrl(hosts.KV_URL),
    /is a former primary, because its timeline 1 is lower than the timeline 2 of another server/,
  );
  await hosts.standby.start();
  using store = await openUrl(hosts.KV_URL);
  await store.kv.get([["a"]]);
});
