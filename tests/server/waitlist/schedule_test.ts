import assert from "node:assert/strict";
import fc from "fast-check";
import {
  findNextRun,
  leaveOutDueRuns,
  leaveOutNextRun,
  noteStartedRun,
  type Schedule,
  type ScheduleTimes,
} from "../../../server/waitlist/schedule.ts";
import { WEEKDAYS } from "../../../shared/schedule_times.ts";

const BERLIN = "Europe/Berlin";

/** Lists the first runs after a date-time: the day in the zone, and the moment in UTC. */
function runsAfter(times: ScheduleTimes, after: string, count = 3): string[] {
  const runs: string[] = [];
  for (let from = Date.parse(after); runs.length < count;) {
    const run = findNextRun(times, from);
    if (!run) break;
    runs.push(`${run.date} ${new Date(run.dueAt).toISOString().slice(0, 16)}`);
    from = run.dueAt;
  }
  return runs;
}

Deno.test("findNextRun() keeps the time of day in the schedule's zone when daylight saving time ends", () => {
  const times: ScheduleTimes = { every: "week", weekday: "monday", at: "09:00", zone: BERLIN };
  assert.deepEqual(runsAfter(times, "2026-10-18T00:00:00Z"), [
    "2026-10-19 2026-10-19T07:00",
    "2026-10-26 2026-10-26T08:00",
    "2026-11-02 2026-11-02T08:00",
  ]);
});

Deno.test("findNextRun() returns only a run after the given time", () => {
  const times: ScheduleTimes = { every: "day", at: "09:00", zone: "UTC" };
  assert.equal(runsAfter(times, "2026-11-27T08:59:59Z")[0], "2026-11-27 2026-11-27T09:00");
  assert.equal(runsAfter(times, "2026-11-27T09:00:00Z")[0], "2026-11-28 2026-11-28T09:00");
});

Deno.test("findNextRun() returns the next existing minute when daylight saving time leaves out the run's time of day", () => {
  const times: ScheduleTimes = { every: "day", at: "02:30", zone: BERLIN };
  assert.deepEqual(runsAfter(times, "2026-03-28T12:00:00Z", 2), [
    "2026-03-29 2026-03-29T01:00",
    "2026-03-30 2026-03-30T00:30",
  ]);
});

Deno.test("findNextRun() returns one run on a day on which clocks show the run's time of day twice", () => {
  const times: ScheduleTimes = { every: "day", at: "02:30", zone: BERLIN };
  assert.deepEqual(runsAfter(times, "2026-10-24T12:00:00Z", 2), [
    "2026-10-25 2026-10-25T00:30",
    "2026-10-26 2026-10-26T01:30",
  ]);
});

Deno.test("findNextRun() returns a run on the last day of a schedule, and undefined after that day", () => {
  const times: ScheduleTimes = { every: "day", at: "00:00", zone: BERLIN, until: "2026-11-28" };
  assert.deepEqual(runsAfter(times, "2026-11-27T12:00:00Z"), ["2026-11-28 2026-11-27T23:00"]);
});

Deno.test("findNextRun() agrees with Temporal on random days of six years in five zones", () => {
  const zones = [BERLIN, "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC"];
  fc.assert(fc.property(
    fc.constantFrom(...zones),
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
    fc.constantFrom(undefined, ...WEEKDAYS),
    fc.date({
      min: new Date("2023-01-01"),
      max: new Date("2029-01-01"),
      noInvalidDate: true,
    }),
    (zone, hour, minute, weekday, after) => {
      const at = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
      const every = weekday ? "week" : "day";
      const run = findNextRun({ every, at, zone, ...weekday && { weekday } }, after.getTime())!;
      const due = Temporal.Instant.fromEpochMilliseconds(run.dueAt).toZonedDateTimeISO(zone);
      assert.ok(run.dueAt > after.getTime());
      assert.ok(run.dueAt - after.getTime() <= (weekday ? 8 : 2) * 24 * 60 * 60_000);
      if (weekday) assert.equal(WEEKDAYS[due.dayOfWeek - 1], weekday);
      const wanted = due.toPlainDate().toPlainDateTime({ hour, minute });
      const isThere = wanted.toZonedDateTime(zone).toPlainTime().equals({ hour, minute });
      if (isThere) assert.equal(due.toPlainTime().toString(), `${at}:00`);
      else assert.ok(due.toPlainTime().toString() > `${at}:00`);
    },
  ));
});

const HOUR = 60 * 60_000;

const MONDAY = Date.parse("2026-11-30T08:00:00Z");

/** A schedule whose next run is due on Monday, 30 November, at 09:00 in Berlin. */
const WEEKLY: Schedule = {
  parameters: {
    next: 100,
    link: "https://app.example.com/{code}",
    every: "week",
    weekday: "monday",
    at: "09:00",
    zone: BERLIN,
  },
  createdAt: "2026-11-27T12:00:00.000Z",
  operator: "operator",
  state: "running",
  nextRun: { date: "2026-11-30", dueAt: MONDAY },
  runs: 0,
};

const datesOf = ({ leftOut }: ReturnType<typeof leaveOutDueRuns>) =>
  leftOut.map(({ date, reason }) => `${date} ${reason}`);

Deno.test("leaveOutDueRuns() keeps a run that was missed by less than 24 hours, and leaves out older runs", () => {
  assert.deepEqual(leaveOutDueRuns(WEEKLY, MONDAY - 1), { schedule: WEEKLY, leftOut: [] });
  assert.deepEqual(leaveOutDueRuns(WEEKLY, MONDAY + 24 * HOUR - 1), {
    schedule: WEEKLY,
    leftOut: [],
  });
  const passed = leaveOutDueRuns(WEEKLY, MONDAY + 24 * HOUR);
  assert.deepEqual(datesOf(passed), ["2026-11-30 missed"]);
  assert.equal(passed.schedule.nextRun?.date, "2026-12-07");
  assert.equal(passed.schedule.runs, 0);
  const later = leaveOutDueRuns(WEEKLY, MONDAY + (2 * 7 * 24 + 1) * HOUR);
  assert.deepEqual(datesOf(later), ["2026-11-30 missed", "2026-12-07 missed"]);
  assert.equal(later.schedule.nextRun?.date, "2026-12-14", "it is due, and happens");
});

Deno.test("leaveOutDueRuns() leaves out each due run of a paused schedule, and no run of a cancelled schedule", () => {
  const paused = leaveOutDueRuns({ ...WEEKLY, state: "paused" }, MONDAY);
  assert.deepEqual(datesOf(paused), ["2026-11-30 paused"]);
  assert.equal(paused.schedule.state, "paused");
  const cancelled: Schedule = { ...WEEKLY, state: "cancelled" };
  assert.deepEqual(leaveOutDueRuns(cancelled, MONDAY), { schedule: cancelled, leftOut: [] });
});

Deno.test("leaveOutDueRuns() ends a schedule after its last day, and stores the last ten runs that were left out", () => {
  const { leftOut, schedule } = leaveOutDueRuns({
    ...WEEKLY,
    parameters: { ...WEEKLY.parameters, every: "day", until: "2026-12-20" },
  }, MONDAY + 100 * 24 * HOUR);
  assert.equal(leftOut.length, 21);
  assert.deepEqual(schedule.leftOut, leftOut.slice(-10));
  assert.deepEqual([schedule.state, schedule.nextRun], ["done", undefined]);
});

Deno.test("noteStartedRun() counts only runs that started a wave, and ends the schedule at the planned number of runs", () => {
  const twice = { ...WEEKLY, parameters: { ...WEEKLY.parameters, times: 2 } };
  const first = noteStartedRun(twice);
  assert.deepEqual(
    [first.state, first.runs, first.lastRun, first.nextRun?.date],
    ["running", 1, WEEKLY.nextRun, "2026-12-07"],
  );
  const { schedule } = leaveOutNextRun(first, "previous", MONDAY);
  assert.deepEqual([schedule.state, schedule.runs], ["running", 1], "it is not counted");
  const second = noteStartedRun(schedule);
  assert.deepEqual([second.state, second.runs, second.nextRun], ["done", 2, undefined]);
  assert.equal(second.lastRun?.date, "2026-12-14");
});
