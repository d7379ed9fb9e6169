import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { listSchedules } from "../../../server/store/invitations/schedules.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import type { Schedule } from "../../../server/waitlist/schedule.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { LINK } from "../../support/invitations.ts";
import { addresses } from "../../support/mail.ts";
import { listAll } from "../../support/memory_kv.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { test } from "../../support/postgres.ts";
import { storeAddresses, storedSignUps } from "../../support/records.ts";
import { startCluster } from "./support/cluster.ts";

const SCHEDULES = 20;

/** How many people each run invites. */
const NEXT = 3;

test("Four processes that look for due runs of schedules start the wave of each run once", async () => {
  await using cluster = await startCluster({ variables: { OPERATOR_KEY } });
  const { kv } = cluster;
  const people = addresses(100);
  await storeAddresses(kv, people, new Date(Date.now() - 60_000).toISOString(), {});
  const dueAt = Date.now() - 60_000;
  const date = new Date(dueAt).toISOString().slice(0, 10);
  const commit = new Commit();
  const ids = Array.from({ length: SCHEDULES }, (_, index) => `s${index}`);
  for (const id of ids) {
    const schedule: Schedule = {
      parameters: {
        next: NEXT,
        link: LINK,
        letters: false,
        every: "day",
        at: new Date(dueAt).toISOString().slice(11, 16),
        zone: "UTC",
      },
      createdAt: new Date(dueAt).toISOString(),
      operator: "operator",
      state: "running",
      nextRun: { date, dueAt },
      runs: 0,
    };
    commit.set(["schedule", id], schedule);
  }
  await kv.commit(commit);
  const countInvited = async () =>
    Object.values(await storedSignUps(kv)).filter(({ state }) => state === "invited").length;
  while (await countInvited() < SCHEDULES * NEXT) await delay(200);
  await cluster.stop();

  assert.equal(await countInvited(), SCHEDULES * NEXT);
  const audit = await listAll<AuditEntry>(kv, { prefix: ["audit"] });
  const started = audit.filter(({ value }) => value.action === "scheduledWave")
    .map(({ value }) => value.details?.schedule);
  assert.deepEqual(started.toSorted(), ids.toSorted());
  for (const { id, runs, leftOut, nextRun } of await listSchedules(kv)) {
    assert.deepEqual([runs, leftOut], [1, []], id);
    assert.ok(nextRun!.date > date, id);
  }
});
