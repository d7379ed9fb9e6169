import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { LETTERS_AT_ONCE } from "../../../server/letters/work/letter_work.ts";
import { outboxCountKey } from "../../../server/store/kv/keys.ts";
import { readOutboxCounts } from "../../../server/store/outbox/counts.ts";
import { utcDay } from "../../../server/waitlist/utc_day.ts";
import { test } from "../../support/postgres.ts";
import { addresses, assertOneLetterEach, joinAll, letterFaults } from "../../support/mail.ts";
import { mailVariables, makeAllDue } from "../../support/mail.ts";
import { startSmtpServer } from "../../support/smtp_server.ts";
import { type Cluster, startCluster } from "./support/cluster.ts";
import { readOne } from "../../../server/store/kv/calls.ts";

/** The processes in turn. A request that finds a process down goes to the next one; it fails if all are down. */
function inTurn({ servers }: Cluster) {
  let turn = 0;
  return {
    async request(path: string, init?: RequestInit): Promise<Response> {
      const first = turn++;
      for (let failures = 0;;) {
        try {
          return await servers[(first + failures) % servers.length]!.request(path, init);
        } catch (error) {
          if (!(error instanceof TypeError) || ++failures === servers.length) throw error;
        }
      }
    },
  };
}

/** Signs addresses up at the processes in turn. Prints the state of the cluster if a request has failed. */
async function joinCluster(cluster: Cluster, emails: string[]): Promise<void> {
  let failures: number | undefined;
  try {
    failures = await joinAll(inTurn(cluster), emails);
  } finally {
    if (failures !== 0) {
      console.log(
        `${failures ?? "Too many"} sign-ups were answered 500\n\n${await cluster.describe()}`,
      );
    }
  }
}

/** Waits until nothing waits in the outbox. */
async function waitUntilEmpty({ kv }: Cluster): Promise<void> {
  while ((await readOne<number>(kv, outboxCountKey("due"))).value !== 0) await delay(50);
}

/** Asserts that nothing waits in the outbox. */
async function assertEmpty({ kv }: Cluster): Promise<void> {
  const counts = await readOutboxCounts(kv, utcDay(Date.now()));
  assert.deepEqual({ ...counts, sent: 0 }, { due: 0, held: 0, refused: 0, sent: 0 });
}

test("Four processes that share the outbox send each letter once", async () => {
  await using mailServer = await startSmtpServer();
  await using cluster = await startCluster({ variables: mailVariables(mailServer) });
  const emails = addresses(2_000);
  await joinCluster(cluster, emails);
  await mailServer.taken(emails.length);
  await waitUntilEmpty(cluster);
  await cluster.stop();
  assertOneLetterEach(mailServer, emails);
  await assertEmpty(cluster);
});

test("Four processes lose no letter, and repeat only letters that were being sent, when one process is killed", async () => {
  await using mailServer = await startSmtpServer();
  await mailServer.behave({ delayMs: 100 });
  await using cluster = await startCluster({ variables: mailVariables(mailServer) });
  const emails = addresses(2_000);
  const killing = mailServer.taken(100).then(() => cluster.servers[0]!.kill());
  await Promise.all([joinCluster(cluster, emails), killing]);
  // The killed process has left as many claims as it sends letters at the same time; the rest is the others'.
  await mailServer.taken(emails.length - LETTERS_AT_ONCE);
  await cluster.stop();
  // Nobody waits five minutes for the leases.
  const cuts = new Map([...await makeAllDue(cluster.kv)].map((id) => [id, 1]));
  await cluster.servers[0]!.start();
  await waitUntilEmpty(cluster);
  await cluster.stop();
  assert.deepEqual(letterFaults(mailServer, { wanted: emails, cuts }), []);
  await assertEmpty(cluster);
});

test("Four processes together keep the limit MAIL_PER_MINUTE", async () => {
  const perSecond = 2;
  await using mailServer = await startSmtpServer();
  await using cluster = await startCluster({
    variables: mailVariables(mailServer, 60 * perSecond),
  });
  const emails = addresses(20);
  const start = performance.now();
  await joinCluster(cluster, emails);
  await mailServer.taken(emails.length);
  const seconds = (performance.now() - start) / 1000;
  // The first and the last second have their permits, however little of them there was.
  assert.ok(emails.length <= perSecond * (seconds + 2), `all were sent in ${seconds} s`);
  assertOneLetterEach(mailServer, emails);
});
