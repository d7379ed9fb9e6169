import assert from "node:assert/strict";
import { createLog } from "../../../../server/runtime/mod.ts";
import { startExpiry } from "../../../../server/store/expiry/mod.ts";
import { noteConfirmationTaken } from "../../../../server/waitlist/letter_outcomes.ts";
import { changeRecord, OUTBOX, storeAddresses, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { openMemoryKv, type TestKv } from "../../../support/memory_kv.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const AT = new Date(START).toISOString();
const ADA = "ada@example.com";

/** A store with a person whose letter was taken at the start, and who does not confirm. */
async function openJoined(): Promise<TestKv> {
  const kv = await openMemoryKv();
  await storeAddresses(kv, [ADA], AT);
  await changeRecord(kv, ADA, (record) => ({ record: noteConfirmationTaken(record, AT) }));
  return kv;
}

/** A process that starts at a moment of its clock, and erases expired people at once. */
async function startProcess(kv: Kv, now = START) {
  const clock = { now, monotonic: 0 };
  const jumps: unknown[] = [];
  const expiry = startExpiry({
    kv,
    runtime: {
      now: () => clock.now,
      monotonic: () => clock.monotonic,
      log: createLog({
        level: "warn",
        now: () => clock.now,
        write: (line) => jumps.push(JSON.parse(line).jumpHours),
      }),
      repeat: () => ({ close: () => Promise.resolve() }),
    },
    outbox: OUTBOX,
    unconfirmedDays: 14,
    remindAfterDays: undefined,
  });
  await expiry.run();
  return {
    clock,
    /** The jumps in the log, in hours. */
    jumps,
    async jump(ms: number) {
      clock.now += ms;
      await expiry.run();
    },
    async pass(ms: number) {
      clock.now += ms;
      clock.monotonic += ms;
      await expiry.run();
    },
  };
}

const people = async (kv: Kv) => Object.keys(await storedSignUps(kv)).length;

Deno.test("startExpiry() erases nobody when the clock is 15 days ahead for a minute and then right again", async () => {
  using kv = await openJoined();
  const { jump, pass, jumps } = await startProcess(kv);
  await jump(15 * DAY);
  await pass(MINUTE);
  await jump(-15 * DAY);
  await pass(MINUTE);
  assert.equal(await people(kv), 1);
  assert.deepEqual(jumps, [360, -360]);
  await pass(14 * DAY);
  assert.equal(await people(kv), 0, "the clock has been right for longer than a day");
});

Deno.test("startExpiry() erases nobody for a day after the clock jumps ahead, and then erases expired people", async () => {
  using kv = await openJoined();
  const { jump, pass } = await startProcess(kv);
  await jump(15 * DAY);
  await pass(DAY - 1);
  assert.equal(await people(kv), 1);
  await pass(1);
  assert.equal(await people(kv), 0);
});

Deno.test("startExpiry() adds up small jumps of the clock, and logs a jump when their sum is over an hour", async () => {
  using kv = await openJoined();
  const { jump, jumps } = await startProcess(kv);
  await jump(HOUR);
  assert.deepEqual(jumps, []);
  await jump(MINUTE);
  assert.deepEqual(jumps, [1]);
});

// Such a process knows only the moment of the last run, from the store.
Deno.test("startExpiry() erases nobody for a day when the clock at the start is 15 days later than at the last run", async () => {
  using kv = await openJoined();
  await startProcess(kv);
  const { clock, jumps, pass } = await startProcess(kv, START + 15 * DAY);
  assert.deepEqual(jumps, [360]);
  await pass(20 * HOUR);
  const next = await startProcess(kv, clock.now + HOUR);
  assert.equal(await people(kv), 1, "a restart does not end the day");
  await next.pass(3 * HOUR);
  assert.equal(await people(kv), 0, "nor does it begin another");
  assert.deepEqual(next.jumps, []);
});

Deno.test("startExpiry() erases an expired person in a process whose clock is right, even if the clock of another process has jumped", async () => {
  using kv = await openJoined();
  const [wrong, right] = [await startProcess(kv), await startProcess(kv)];
  await wrong.jump(15 * DAY);
  await right.pass(14 * DAY - 1);
  assert.deepEqual([await people(kv), right.jumps], [1, []]);
  await right.pass(1);
  assert.equal(await people(kv), 0);
});

Deno.test("startExpiry() erases expired people at its start when the service was stopped for a day", async () => {
  using kv = await openJoined();
  const { pass } = await startProcess(kv);
  await pass(13 * DAY);
  const { jumps } = await startProcess(kv, START + 14 * DAY);
  assert.deepEqual([await people(kv), jumps], [0, []]);
});
