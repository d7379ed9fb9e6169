import assert from "node:assert/strict";
import fc from "fast-check";
import { findWave } from "../../../../server/store/invitations/waves.ts";
import {
  changeSchedule,
  createSchedule,
  listSchedules,
} from "../../../../server/store/invitations/schedules.ts";
import { Commit, type Kv, UnknownOutcome } from "../../../../server/store/kv/engine.ts";
import { findNextRun, type ScheduleParameters } from "../../../../server/waitlist/schedule.ts";
import type { AuditEntry, ScheduleReport } from "../../../../shared/operator_schemas.ts";
import {
  INVITING,
  LINK,
  nth,
  schedulesOf,
  storeWaiting,
  wavesOf,
} from "../../../support/invitations.ts";
import { recordLog } from "../../../support/log.ts";
import { listAll, openMemoryKv, test } from "../../../support/memory_kv.ts";
import { storedSignUps } from "../../../support/records.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const DAILY: ScheduleParameters = {
  next: 2,
  link: LINK,
  every: "day",
  at: "09:00",
  zone: "Europe/Berlin",
};

const WEEKLY: ScheduleParameters = { ...DAILY, every: "week", weekday: "monday" };

/** When the first run of the schedules is due. */
const MONDAY = Date.parse("2026-11-23T08:00:00Z");

const MADE_AT = MONDAY - HOUR;

const AUDIT: AuditEntry = {
  at: new Date(MADE_AT).toISOString(),
  id: "a",
  action: "createSchedule",
  operator: "operator",
};

async function make(kv: Kv, parameters: ScheduleParameters): Promise<void> {
  const options = { ...INVITING, kv, now: () => MADE_AT };
  const made = await createSchedule("s", parameters, AUDIT, options);
  assert.ok(!("conflict" in made), JSON.stringify(made));
}

/** A process whose clock a test sets. It does all work on schedules and waves that is due. */
function startProcess(kv: Kv, { sendsLetters = true } = {}) {
  const clock = { now: MADE_AT };
  const now = () => clock.now;
  const { lines, log } = recordLog("info", now);
  const outbox = { ...INVITING.outbox, sendsLetters };
  const waves = wavesOf(kv, { now, outbox });
  const schedules = schedulesOf(kv, { now, log, outbox });
  return {
    lines,
    schedules,
    async workAt(moment: number): Promise<void> {
      clock.now = moment;
      await schedules.run();
      await waves.run();
    },
    leftOut: () =>
      lines.filter(({ event }) =>
        `${event}`.startsWith("a run of a schedule was left out, because ")
      )
        .map(({ date, reason }) => `${date} ${reason}`),
  };
}

const find = async (kv: Kv): Promise<ScheduleReport> => (await listSchedules(kv))[0]!;

/** The waves that schedules have started, by their audit entries, sorted. */
async function startedWaves(kv: Kv): Promise<unknown[]> {
  const entries = await listAll<AuditEntry>(kv, { prefix: ["audit"] });
  return entries.filter(({ value }) => value.action === "scheduledWave")
    .map(({ value }) => value.details?.wave).toSorted();
}

async function wavesOfPeople(kv: Kv): Promise<(string | undefined)[]> {
  const records = await storedSignUps(kv);
  return Array.from({ length: Object.keys(records).length }, (_, n) => records[nth(n)]?.wave);
}

test("schedules.run() starts a new wave at each run of a schedule, with the date in the wave's id", async (kv) => {
  await storeWaiting(kv, 5);
  await make(kv, { ...WEEKLY, expiresAfterDays: 14 });
  const process = startProcess(kv);
  await process.workAt(MONDAY - 1);
  assert.deepEqual(await startedWaves(kv), []);
  await process.workAt(MONDAY);
  await process.workAt(MONDAY + 7 * DAY + 59_000);
  const first = "s-2026-11-23";
  const second = "s-2026-11-30";
  assert.deepEqual(await wavesOfPeople(kv), [first, first, second, second, undefined]);
  const { wave } = (await findWave(kv, second))!;
  assert.equal(wave.schedule, "s");
  assert.deepEqual(wave.parameters, {
    next: 2,
    link: LINK,
    expires: new Date(MONDAY + 21 * DAY + 59_000).toISOString(),
  });
  const { runs, lastWave, nextRun, state } = await find(kv);
  assert.deepEqual([state, runs, lastWave, nextRun?.date], ["running", 2, second, "2026-12-07"]);
  assert.deepEqual(await startedWaves(kv), [first, second]);
});

test("schedules.run() starts the wave of a late run only if the run is less than 24 hours late", async (kv) => {
  await storeWaiting(kv, 9);
  await make(kv, WEEKLY);
  const process = startProcess(kv);
  await process.workAt(MONDAY + DAY - 1);
  await process.workAt(MONDAY + DAY - 1);
  assert.deepEqual(await startedWaves(kv), ["s-2026-11-23"]);
  // The service is down for two further runs.
  await process.workAt(MONDAY + 15 * DAY);
  assert.deepEqual(await startedWaves(kv), ["s-2026-11-23"]);
  assert.deepEqual(process.leftOut(), ["2026-11-30 missed", "2026-12-07 missed"]);
  const { leftOut, nextRun } = await find(kv);
  assert.deepEqual(leftOut.map(({ date, reason }) => `${date} ${reason}`), process.leftOut());
  assert.equal(nextRun?.date, "2026-12-14");
});

test("schedules.run() starts no wave of a schedule twice when the clock is set back", async (kv) => {
  await storeWaiting(kv, 9);
  await make(kv, DAILY);
  const process = startProcess(kv);
  await process.workAt(MONDAY);
  for (const days of [1, -1, 0, 1, 2]) await process.workAt(MONDAY + days * DAY);
  assert.deepEqual(await startedWaves(kv), [0, 1, 2].map((days) => `s-2026-11-${23 + days}`));
});

test("schedules.run() leaves out a run of a schedule while the previous wave is paused, and starts a wave when the previous wave is cancelled", async (kv) => {
  await storeWaiting(kv, 9);
  await make(kv, DAILY);
  const process = startProcess(kv);
  await process.workAt(MONDAY);
  const entry = (await findWave(kv, "s-2026-11-23"))!.wave;
  const setState = (state: string) =>
    kv.commit(new Commit().set(["wave", "s-2026-11-23"], { ...entry, state }));
  await setState("running");
  await process.schedules.run();
  assert.deepEqual(process.leftOut(), [], "no run is due");
  await setState("paused");
  await process.workAt(MONDAY + DAY);
  assert.deepEqual(process.leftOut(), ["2026-11-24 previous"]);
  assert.match(
    `${process.lines.at(-1)?.event}`,
    /because the wave of the previous run is not done yet$/,
  );
  await setState("cancelled");
  await process.workAt(MONDAY + 2 * DAY);
  assert.deepEqual(await startedWaves(kv), ["s-2026-11-23", "s-2026-11-25"]);
});

test("schedules.run() leaves out a run when the wave's id is already taken, or when the wave needs letters and mail is off", async (kv) => {
  await storeWaiting(kv, 9);
  await make(kv, DAILY);
  const parameters = { link: LINK };
  const taken = { parameters, salt: "", invited: 1, startedAt: AUDIT.at, state: "done" };
  await kv.commit(new Commit().set(["wave", "s-2026-11-23"], taken));
  const process = startProcess(kv);
  await process.workAt(MONDAY);
  const withoutMail = startProcess(kv, { sendsLetters: false });
  await withoutMail.workAt(MONDAY + DAY);
  assert.deepEqual([...process.leftOut(), ...withoutMail.leftOut()], [
    "2026-11-23 taken",
    "2026-11-24 noLetters",
  ]);
  assert.deepEqual(await startedWaves(kv), []);
});

test("schedules.run() leaves out the runs that are due while the schedule is paused, and ends a schedule after the given number of waves", async (kv) => {
  await storeWaiting(kv, 9);
  await make(kv, { ...DAILY, times: 2 });
  const process = startProcess(kv);
  await process.workAt(MONDAY);
  const change = (name: "pause" | "resume", at: number) =>
    changeSchedule("s", name, AUDIT, { kv, now: () => at });
  await change("pause", MONDAY + HOUR);
  await process.workAt(MONDAY + DAY);
  // No process has looked since this run was due.
  const resumed = await change("resume", MONDAY + 2 * DAY);
  assert.ok(typeof resumed === "object" && "leftOut" in resumed);
  assert.deepEqual(resumed.leftOut.map(({ date, reason }) => `${date} ${reason}`), [
    "2026-11-24 paused",
    "2026-11-25 paused",
  ]);
  assert.deepEqual([resumed.state, resumed.nextRun?.date], ["running", "2026-11-26"]);
  for (const days of [2, 3, 4, 5]) await process.workAt(MONDAY + days * DAY);
  assert.deepEqual(await startedWaves(kv), ["s-2026-11-23", "s-2026-11-26"]);
  const { state, runs, nextRun } = await find(kv);
  assert.deepEqual([state, runs, nextRun], ["done", 2, undefined]);
});

Deno.test("schedules.run() starts one wave for a run of a schedule when the process is killed before or after the commit", async (t) => {
  for (const dies of ["before", "after"]) {
    await t.step(`the process is killed ${dies} the commit`, async () => {
      using kv = await openMemoryKv();
      await storeWaiting(kv, 9);
      await make(kv, DAILY);
      const killed = startProcess({
        ...kv,
        async commit(commit) {
          if (dies === "after") await kv.commit(commit);
          throw new UnknownOutcome(new Error("killed"));
        },
      });
      await killed.workAt(MONDAY);
      const events = killed.lines.map(({ event }) => event);
      assert.ok(
        events.includes("could not start the due wave of a schedule; will start this wave later"),
      );
      const other = startProcess(kv);
      await other.workAt(MONDAY + 30_000);
      await other.workAt(MONDAY + 60_000);
      assert.deepEqual(await startedWaves(kv), ["s-2026-11-23"]);
      assert.equal((await find(kv)).runs, 1);
      assert.equal((await findWave(kv, "s-2026-11-23"))?.wave.invited, 2);
    });
  }
});

test("schedules.run() works on readable schedules when another schedule cannot be read", async (kv) => {
  await storeWaiting(kv, 9);
  await make(kv, DAILY);
  await kv.commit(new Commit().set(["schedule", "damaged"], { state: "running" }));
  await startProcess(kv).workAt(MONDAY);
  assert.deepEqual(await startedWaves(kv), ["s-2026-11-23"]);
});

Deno.test("schedules.run() starts one wave for each due run of a schedule when processes with different clocks work at random times", async () => {
  const beat = fc.record({
    processes: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 }),
    // No run is missed by 24 hours, as every process works behind each beat.
    passes: fc.integer({ min: 1, max: 22 * HOUR }),
    // How far clocks differ.
    skew: fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 4, maxLength: 4 }),
  });
  const schedules = [DAILY, WEEKLY, { ...DAILY, at: "02:30", until: "2026-12-03" }];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...schedules),
      fc.array(beat, { minLength: 5, maxLength: 30 }),
      async (parameters, beats) => {
        using kv = await openMemoryKv();
        await make(kv, parameters);
        const processes = Array.from({ length: 4 }, () => startProcess(kv));
        let moment = MADE_AT;
        let last = MADE_AT;
        for (const { processes: some, passes, skew } of beats) {
          moment += passes;
          last = Math.max(last, ...some.map((index) => moment + skew[index]!));
          await Promise.all(some.map((index) => processes[index]!.workAt(moment + skew[index]!)));
        }
        const due: string[] = [];
        for (let run = findNextRun(parameters, MADE_AT); run && run.dueAt <= last;) {
          due.push(`s-${run.date}`);
          run = findNextRun(parameters, run.dueAt);
        }
        assert.deepEqual(await startedWaves(kv), due);
        assert.deepEqual(processes.flatMap(({ leftOut }) => leftOut()), []);
        assert.equal((await find(kv)).runs, due.length);
      },
    ),
    { numRuns: 30 },
  );
});
