import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { LETTERS_AT_ONCE } from "../../../server/letters/work/letter_work.ts";
import { findWave } from "../../../server/store/invitations/records.ts";
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { test } from "../../support/postgres.ts";
import { addresses, letterFaults, lettersByAddress } from "../../support/mail.ts";
import { mailVariables, makeAllDue } from "../../support/mail.ts";
import { operate, type Serving } from "../../support/process_requests.ts";
import { listenTo } from "../../support/receiver.ts";
import { storeAddresses, storedSignUps } from "../../support/records.ts";
import { withEvents } from "../../support/service.ts";
import { startSmtpServer } from "../../support/smtp_server.ts";
import { startCluster } from "./support/cluster.ts";

const PEOPLE = 500, INVITED = 300;

/** Starts a wave until there is an answer: on a busy machine, a call may break off as it waits for the others. */
async function startWave(server: Serving, wave: unknown): Promise<WaveReport> {
  for (;;) {
    try {
      const response = await operate(server, "/waves", wave);
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return JSON.parse(text);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

test("a cluster invites each person of a wave once, by one letter and one event, when four processes are asked", async () => {
  await using mailServer = await startSmtpServer();
  await using receiver = listenTo(() => new Response());
  await using cluster = await startCluster({
    variables: { ...mailVariables(mailServer), ...withEvents(receiver.url) },
  });
  const { servers, kv } = cluster;
  await storeAddresses(kv, addresses(PEOPLE), new Date(Date.now() - 60_000).toISOString(), {});
  const wave = { wave: "first", next: INVITED, link: "https://app.example.com/?code={code}" };
  const answers = await Promise.all(servers.map((server) => startWave(server, wave)));
  assert.equal(new Set(answers.map(({ startedAt }) => startedAt)).size, 1, "it is one wave");
  for (let state = "running"; state === "running";) {
    const { wave } = (await findWave(kv, "first"))!;
    assert.ok(wave.invited <= INVITED);
    state = wave.state!;
    await delay(50);
  }
  assert.equal((await findWave(kv, "first"))?.wave.invited, INVITED);
  // A claim whose answer was late holds its letter for five minutes, for which nobody waits here.
  await mailServer.taken(INVITED - servers.length * LETTERS_AT_ONCE);
  await Promise.all(servers.map((server) => server.stop()));
  const cuts = new Map([...await makeAllDue(kv)].map((id) => [id, 1]));
  await servers[0]!.start();
  await mailServer.until(() => lettersByAddress(mailServer).size === INVITED);
  const ids = () => new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
  while (ids().size < INVITED) await delay(50);
  await servers[0]!.stop();

  const people = Object.entries(await storedSignUps(kv));
  const invited = people.filter(([, { state }]) => state === "invited").map(([email]) => email);
  assert.equal(invited.length, INVITED);
  assert.deepEqual(letterFaults(mailServer, { wanted: invited, cuts }), []);
  const codes = people.flatMap(([, { invitationCode }]) => invitationCode ?? []);
  assert.equal(new Set(codes).size, INVITED);
  const events = new Map(receiver.received.map(({ headers, body }) => {
    const { type, data } = JSON.parse(body);
    assert.equal(type, "signup.invited");
    return [headers["webhook-id"], data.email as string];
  }));
  assert.deepEqual([...events.values()].sort(), invited.toSorted());
});
