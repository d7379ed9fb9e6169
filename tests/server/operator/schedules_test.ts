import assert from "node:assert/strict";
import type { Overview, ScheduleReport } from "../../../shared/operator_schemas.ts";
import { backup, restore } from "../../support/backups.ts";
import { LINK, storeWaiting } from "../../support/invitations.ts";
import { listAll } from "../../support/memory_kv.ts";
import {
  assertRefused,
  call,
  readAudit,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";

const SCHEDULES = "/schedules";

/** A request without letters, which a service without mail takes. The clock of tests is at Saturday, 21 November 2026. */
const REQUEST = {
  id: "weekly",
  next: 4,
  link: LINK,
  letters: false,
  every: "week",
  weekday: "monday",
  at: "09:00",
  zone: "Europe/Berlin",
};

const MONDAY = Date.parse("2026-11-23T08:00:00Z");
const WEEK = 7 * 24 * 60 * 60_000;

test("createSchedule returns the next three runs in a dry run, and otherwise creates the schedule once", async (service) => {
  await storeWaiting(service.kv, 10, (n) => n === 0 ? { state: "unconfirmed" } : {});
  const plan = await call(service, SCHEDULES, { ...REQUEST, expiresAfterDays: 7, dryRun: true });
  assert.deepEqual(plan, {
    runs: [["2026-11-23", 4], ["2026-11-30", 4], ["2026-12-07", 1]].map(([date, wouldInvite]) => {
      const dueAt = `${date}T08:00:00.000Z`;
      const expires = new Date(Date.parse(dueAt) + WEEK).toISOString();
      return { wave: `weekly-${date}`, date, dueAt, expires, wouldInvite };
    }),
    passedOver: { unconfirmed: 1, undeliverable: 0, complained: 0, invited: 0 },
  });
  const twice = await call(service, SCHEDULES, { ...REQUEST, times: 2, dryRun: true });
  assert.equal(twice.runs.length, 2, "there are no further runs");
  assert.deepEqual(await listAll(service.kv, { prefix: ["schedule"] }), []);
  assert.deepEqual(await readAudit(service), []);

  const made = await call<ScheduleReport>(service, SCHEDULES, REQUEST);
  assert.deepEqual(made, {
    ...REQUEST,
    state: "running",
    createdAt: "2026-11-21T12:00:20.000Z",
    operator: "operator",
    runs: 0,
    nextRun: { date: "2026-11-23", dueAt: "2026-11-23T08:00:00.000Z" },
    leftOut: [],
  } as ScheduleReport);
  service.clock.now += 1_000;
  assert.deepEqual(await call(service, SCHEDULES, REQUEST), made);
  assert.deepEqual(await call(service, SCHEDULES), { schedules: [made] });
  const other = await refusalOf(service.operate(SCHEDULES, { ...REQUEST, next: 5 }));
  assert.match(
    other,
    /^409 conflict: The schedule 'weekly' was made with other parameters: next 4/,
  );
  const letters = await refusalOf(service.operate(SCHEDULES, { ...REQUEST, letters: true }));
  assert.match(letters, /^409 conflict: The service sends no e-mails/);
});

test("createSchedule refuses a body and names the field when a day, time, zone, id or number in the body is wrong", async (service) => {
  await assertRefused(service, SCHEDULES, [
    [{ ...REQUEST, weekday: undefined }, /^Field 'weekday' goes with 'every' as 'week'/],
    [{ ...REQUEST, every: "day" }, /^Field 'weekday' goes with 'every' as 'week'/],
    [{ ...REQUEST, zone: "Europe/Nowhere" }, /^Field 'zone' is 'Europe\/Nowhere'; give the IANA/],
    [{ ...REQUEST, zone: "+02:00" }, /^Field 'zone' is/],
    [{ ...REQUEST, at: "9:00" }, /^Field 'at' is '9:00'; give a time of day/],
    [{ ...REQUEST, id: "a".repeat(54) }, /^Field 'id' is .+ give 1 to 53/],
    [{ ...REQUEST, until: "2026-11-22" }, /^Field 'until' leaves no run/],
    [{ ...REQUEST, until: "2026-02-30" }, /^Field 'until' is/],
    [{ ...REQUEST, times: 0 }, /^Field 'times' is 0/],
    [{ ...REQUEST, next: undefined }, /^Field 'next' is absent/],
  ]);
  assert.deepEqual(await listAll(service.kv, { prefix: ["schedule"] }), []);
});

test("A schedule starts its waves, but starts no wave while the schedule is paused or after it is cancelled", async (service) => {
  await storeWaiting(service.kv, 20);
  await call(service, SCHEDULES, REQUEST);
  service.clock.now = MONDAY;
  await service.workOutbox();
  const [wave] = (await call(service, "/waves")).waves;
  assert.deepEqual([wave.wave, wave.schedule, wave.state, wave.invited, wave.operator], [
    "weekly-2026-11-23",
    "weekly",
    "done",
    4,
    undefined,
  ]);
  const [entry] = (await readAudit(service)).filter(({ action }) => action === "scheduledWave");
  assert.deepEqual(entry?.details, {
    next: 4,
    letters: false,
    schedule: "weekly",
    wave: "weekly-2026-11-23",
    invited: 4,
    complete: true,
  });

  await call(service, `${SCHEDULES}/weekly/pause`, undefined, "POST");
  service.clock.now = MONDAY + WEEK;
  await service.repeatOnce();
  const paused = { schedule: "weekly", reason: "paused", dates: ["2026-11-30"] };
  assert.deepEqual((await call<Overview>(service, "/overview")).leftOutRuns, [paused]);
  const resumed = await call(service, `${SCHEDULES}/weekly/resume`, undefined, "POST");
  assert.deepEqual([resumed.state, resumed.nextRun.date, resumed.runs, resumed.lastWave], [
    "running",
    "2026-12-07",
    1,
    "weekly-2026-11-23",
  ]);
  const cancelled = await call(service, `${SCHEDULES}/weekly/cancel`, undefined, "POST");
  assert.deepEqual([cancelled.state, cancelled.nextRun], ["cancelled", undefined]);
  const again = service.operate(`${SCHEDULES}/weekly/resume`, undefined, { method: "POST" });
  assert.match(await refusalOf(again), /^409 conflict: The schedule 'weekly' is cancelled; it/);
  const unknown = service.operate(`${SCHEDULES}/none/pause`, undefined, { method: "POST" });
  assert.match(await refusalOf(unknown), /^404 not_found: There is no schedule 'none'/);
  service.clock.now = MONDAY + 2 * WEEK - 1;
  await service.workOutbox();
  assert.equal((await call(service, "/waves")).waves.length, 1);
  assert.equal((await call<Overview>(service, "/overview")).leftOutRuns?.length, 1);
  service.clock.now += 1;
  assert.equal((await call<Overview>(service, "/overview")).leftOutRuns, undefined, "a week ago");
});

test("A restore pauses schedules, and leaves out the runs that were due before the restore", async (old) => {
  await storeWaiting(old.kv, 9);
  await call(old, SCHEDULES, REQUEST);
  const lines = await backup(old);
  await using service = await startOperatedService();
  service.clock.now = MONDAY;
  await restore(service, lines);
  await service.repeatOnce();
  const [schedule] = (await call(service, SCHEDULES)).schedules;
  assert.deepEqual([schedule.state, schedule.runs], ["paused", 0]);
  assert.deepEqual(schedule.leftOut.map(({ date }: { date: string }) => date), ["2026-11-23"]);
  assert.deepEqual((await call(service, "/waves")).waves, []);
  const resumed = await call(service, `${SCHEDULES}/weekly/resume`, undefined, "POST");
  assert.equal(resumed.nextRun.date, "2026-11-30");
});
