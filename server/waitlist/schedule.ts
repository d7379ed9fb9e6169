/**
 * The rules of schedules of waves (decisions, "Schedules of waves"): when the runs are due, and which runs are left
 * out. A schedule has the local time of its time zone, so that a run keeps its time of day when clocks change.
 * `server/store/invitations/schedules.ts` stores schedules and starts their waves. @module
 */
import type {
  ScheduleReport,
  ScheduleRequest,
  WaveRequest,
} from "../../shared/operator_schemas.ts";
import { type Weekday, WEEKDAYS } from "../../shared/schedule_times.ts";
import { DAY } from "../runtime/mod.ts";
import type { WaveState } from "./waves.ts";

/** The parameters of a schedule. A second request for the same schedule must have the same parameters. */
export type ScheduleParameters = Omit<ScheduleRequest, "id" | "dryRun">;

/** The days and the time at which a schedule runs. */
export type ScheduleTimes = Pick<
  ScheduleParameters,
  "every" | "weekday" | "at" | "zone" | "until"
>;

/** A run of a schedule. */
export interface ScheduledRun {
  /** The day on which the run is due in the schedule's time zone, as `YYYY-MM-DD`. */
  date: string;
  /** The moment at which the run is due, in milliseconds since 1970. */
  dueAt: number;
}

/** A run that made no wave, and the reason. Its moment `at` is a date-time. */
export type LeftOutRun = ScheduleReport["leftOut"][number];

/** A schedule as it is stored. */
export interface Schedule {
  parameters: ScheduleParameters;
  /** The moment at which the schedule was made, a date-time. */
  createdAt: string;
  /** The name of the operator who made the schedule. */
  operator: string;
  state: WaveState;
  /** The next run. Absent if the schedule is done or cancelled. */
  nextRun?: ScheduledRun;
  /** The last run that made a wave. */
  lastRun?: ScheduledRun;
  /** The number of runs that made a wave. */
  runs: number;
  /** The last runs that were left out, the newest last. */
  leftOut?: LeftOutRun[];
}

/** The changes of a schedule by an operator: the states that allow the change, and the state after the change. */
export const SCHEDULE_CHANGES = {
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  cancel: { from: ["running", "paused"], to: "cancelled" },
} as const satisfies Record<string, { from: readonly WaveState[]; to: WaveState }>;

/** Gives the id of the wave that a run makes. */
export const waveIdOf = (schedule: string, { date }: Pick<ScheduledRun, "date">): string =>
  `${schedule}-${date}`;

/** Gives the request for the wave of a run. @param at the moment of the run, in milliseconds since 1970 */
export function waveOfRun(
  parameters: ScheduleParameters,
  at: number,
): Omit<WaveRequest, "wave" | "emails" | "dryRun" | "after"> & { next: number } {
  const { every: _, weekday: _weekday, at: _at, zone: _zone, until: _until, ...others } =
    parameters;
  const { times: _times, expiresAfterDays: days, ...wave } = others;
  const expires = days === undefined ? undefined : new Date(at + days * DAY).toISOString();
  return { ...wave, ...expires !== undefined && { expires } };
}

/** How late a missed run may still make its wave, in milliseconds. */
const MISSED_MS = DAY;

/** How many left-out runs a schedule remembers. */
const LEFT_OUT_KEPT = 10;

/** A schedule after some of its runs have passed, and the passed runs that were left out. */
export interface PassedRuns {
  schedule: Schedule;
  leftOut: LeftOutRun[];
}

/**
 * Leaves out the due runs that cannot happen any more: the runs of a paused schedule, and runs that are more than
 * {@linkcode MISSED_MS} late.
 * @param now the present moment, in milliseconds since 1970
 */
export function leaveOutRuns(schedule: Schedule, now: number): PassedRuns {
  let passed: PassedRuns = { schedule, leftOut: [] };
  for (;;) {
    const { state, nextRun: run } = passed.schedule;
    const isPaused = state === "paused";
    const isRunning = state === "running";
    if (!run || run.dueAt > now || !isPaused && !isRunning) return passed;
    if (isRunning && now - run.dueAt < MISSED_MS) return passed;
    const { schedule, leftOut } = leaveOut(passed.schedule, isPaused ? "paused" : "missed", now);
    passed = { schedule, leftOut: [...passed.leftOut, ...leftOut] };
  }
}

/** Leaves out the next run of a schedule. @param now the present moment, in milliseconds since 1970 */
export function leaveOut(
  schedule: Schedule,
  reason: LeftOutRun["reason"],
  now: number,
): PassedRuns {
  const run = { date: schedule.nextRun!.date, reason, at: new Date(now).toISOString() };
  const leftOut = [...schedule.leftOut ?? [], run].slice(-LEFT_OUT_KEPT);
  return { schedule: { ...toFollowingRun(schedule), leftOut }, leftOut: [run] };
}

/** Counts the next run of a schedule as a run that has made its wave. */
export function passRun(schedule: Schedule): Schedule {
  const { nextRun: lastRun, runs, parameters: { times } } = schedule;
  const passed = { ...toFollowingRun(schedule), lastRun: lastRun!, runs: runs + 1 };
  return times !== undefined && passed.runs >= times ? withoutNextRun(passed) : passed;
}

/** Moves a schedule to the run after its next run. Runs only move to later moments, so that none happens twice. */
function toFollowingRun(schedule: Schedule): Schedule {
  const following = nextRun(schedule.parameters, schedule.nextRun!.dueAt);
  return following ? { ...schedule, nextRun: following } : withoutNextRun(schedule);
}

const withoutNextRun = ({ nextRun: _, ...schedule }: Schedule): Schedule => ({
  ...schedule,
  state: "done",
});

/** Cancels a schedule, and removes its next run. */
export const cancelled = ({ nextRun: _, ...schedule }: Schedule): Schedule => ({
  ...schedule,
  state: "cancelled",
});

/**
 * Lists the next runs after a moment, at most `most`, and no more than a schedule has.
 * @param after in milliseconds since 1970
 */
export function nextRuns(
  parameters: ScheduleParameters,
  after: number,
  { most }: { most: number },
): ScheduledRun[] {
  const runs: ScheduledRun[] = [];
  while (runs.length < Math.min(most, parameters.times ?? most)) {
    const run = nextRun(parameters, runs.at(-1)?.dueAt ?? after);
    if (!run) break;
    runs.push(run);
  }
  return runs;
}

const MINUTE = 60_000;

/**
 * Finds the first run that is due later than a moment.
 * @param after the moment, in milliseconds since 1970
 * @returns the run; `undefined` if the schedule has no further run
 */
export function nextRun(times: ScheduleTimes, after: number): ScheduledRun | undefined {
  const { every, weekday, at, zone, until } = times;
  // The search covers today and eight days, because today's run may be over and the next weekly run is 7 days later.
  for (let days = 0; days <= 8; days++) {
    const date = dayOf(clocksIn(zone, after) + days * DAY);
    if (until !== undefined && date > until) return undefined;
    if (every === "week" && weekdayOf(date) !== weekday) continue;
    const dueAt = momentOf(Date.parse(`${date}T${at}:00.000Z`), zone);
    if (dueAt > after) return { date, dueAt };
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Gives the weekday of a day. In JavaScript, Sunday is day 0 of the week. */
const weekdayOf = (date: string): Weekday =>
  WEEKDAYS[(new Date(`${date}T00:00:00.000Z`).getUTCDay() + 6) % 7]!;

/**
 * Gives the moment of a local time. If the local time comes twice because clocks are set back, it is the first of the
 * two moments. If a change of clocks skips the local time, it is the next minute that exists.
 * @param clocks the local time, in milliseconds as if it were UTC
 */
function momentOf(clocks: number, zone: string): number {
  // One of these two offsets from UTC is right, because clocks change by less than a day.
  const offsets = [clocks - DAY, clocks + DAY].map((near) => clocksIn(zone, near) - near);
  const moments = offsets.map((offset) => clocks - offset)
    .filter((moment) => clocksIn(zone, moment) === clocks);
  return moments.length > 0 ? Math.min(...moments) : momentOf(clocks + MINUTE, zone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Gives the local time of a zone at a moment, in milliseconds as if it were UTC. */
function clocksIn(zone: string, moment: number): number {
  let format = formats.get(zone);
  if (!format) {
    // The locale "sv" is used because it writes `2026-11-27 09:30:00`, which can be parsed.
    const parts = { dateStyle: "short", timeStyle: "medium", timeZone: zone } as const;
    formats.set(zone, format = new Intl.DateTimeFormat("sv", parts));
  }
  return Date.parse(`${format.format(moment).replace(" ", "T")}.000Z`) + moment % 1_000;
}
