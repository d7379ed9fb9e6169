import assert from "node:assert/strict";
import fc from "fast-check";
import { setTimeout as delay } from "node:timers/promises";
import { LETTERS_AT_ONCE } from "../../../server/letters/work/letter_work.ts";
import { findWave } from "../../../server/store/invitations/waves.ts";
import { stateOfWave } from "../../../server/waitlist/waves.ts";
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { test } from "../../support/postgres.ts";
import { assertWavesHold, codeOf, LINK, type Redeemed } from "../../support/invitations.ts";
import {
  addresses,
  letterFaults,
  lettersByAddress,
  mailVariables,
  makeAllDue,
} from "../../support/mail.ts";
import { fromNewSource, operate, type Serving } from "../../support/process_requests.ts";
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

test("A wave that is started at four processes invites each person once, by one letter and one event", async () => {
  await using mailServer = await startSmtpServer();
  await using receiver = listenTo(() => new Response());
  await using cluster = await startCluster({
    variables: { ...mailVariables(mailServer), ...withEvents(receiver.url) },
  });
  const { servers, kv } = cluster;
  await storeAddresses(kv, addresses(PEOPLE), new Date(Date.now() - 60_000).toISOString(), {});
  const wave = { wave: "first", next: INVITED, link: LINK };
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
  await cluster.stop();
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

/** The most that each wave of the random history may invite. */
const NEXT: Record<string, number> = { a: 150, b: 300, c: 100, d: 250 };

const email = fc.constantFrom(...addresses(1_000));
const id = fc.constantFrom(...Object.keys(NEXT));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ start: id }) },
  {
    weight: 2,
    arbitrary: fc.record({
      of: id,
      change: fc.constantFrom("pause", "pause", "resume", "resume", "resume", "cancel"),
    }),
  },
  { weight: 6, arbitrary: fc.record({ redeem: email, reference: fc.constantFrom("x", "y", "z") }) },
  { weight: 2, arbitrary: fc.record({ renew: email }) },
  fc.record({ erase: email }),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

test("Waves, codes, counters and lists are consistent after random calls at four processes", async () => {
  await using cluster = await startCluster({ variables: { OPERATOR_KEY } });
  const { servers, kv } = cluster;
  await storeAddresses(kv, addresses(1_000), new Date(Date.now() - 60_000).toISOString(), {});
  const redeemed: Redeemed[] = [];
  const take = async (server: Serving, each: Step): Promise<number> => {
    const call = async (path: string, body?: unknown): Promise<number> => {
      const response = await operate(server, path, body, fromNewSource());
      const text = await response.text();
      assert.ok([200, 404, 409].includes(response.status), `${path} ${response.status} ${text}`);
      return response.status;
    };
    if ("start" in each) {
      return await call("/waves", {
        wave: each.start,
        next: NEXT[each.start],
        link: LINK,
        letters: false,
      });
    }
    if ("change" in each) return await call(`/waves/${each.of}/${each.change}`);
    if ("erase" in each) return await call("/signups/erase", { email: each.erase });
    if ("renew" in each) {
      const expires = new Date(Date.now() + 3_600_000).toISOString();
      return await call("/invitations/renew", { code: await codeOf(kv, each.renew), expires });
    }
    const { reference } = each, code = await codeOf(kv, each.redeem);
    const status = await call("/invitations/redeem", { code, reference });
    if (status === 200) redeemed.push({ code, reference });
    return status;
  };
  const seed = Date.now() & 0x7fffffff;
  console.log(`The seed of the history is ${seed}.`);
  const histories = fc.sample(fc.array(step, { minLength: 100, maxLength: 100, size: "max" }), {
    seed,
    numRuns: servers.length,
  });
  await Promise.all(servers.map(async (server, index) => {
    for (const each of histories[index]!) {
      // A call may break off on a busy machine; asked again, it has the same outcome.
      for (let tries = 3;; tries--) {
        try {
          await take(server, each);
          break;
        } catch (error) {
          if (!(error instanceof TypeError) || tries === 0) throw error;
        }
      }
    }
  }));
  for (const wave of Object.keys(NEXT)) {
    await operate(servers[0]!, `/waves/${wave}/resume`, {}, fromNewSource());
    while (stateOfWave((await findWave(kv, wave))?.wave ?? { state: "done" }) === "running") {
      await delay(50);
    }
  }
  await cluster.stop();
  const accepted = await assertWavesHold(kv, NEXT, redeemed);
  assert.ok(accepted > 20, `${accepted} have accepted`);
});
