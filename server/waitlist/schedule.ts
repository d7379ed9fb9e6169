/**
 * The rules of schedules of waves (decisions, "Schedules of waves"): when a run is due, and when a run is left out. A
 * schedule uses the local time of a time zone, so that its runs stay at the same time of day when clocks change.
 * `server/store/invitations/schedules.ts` stores schedules and starts their waves. @module
 */
import type {
  ScheduleReport,
  ScheduleRequest,
  WaveRequest,
} from "../../shared/operator_schemas.ts";
import { type Weekday, WEEKDAYS } from "../../shared/schedule_times.ts";
import { localTimeIn, momentOfLocalTime } from "../../shared/zones.ts";
import { DAY, MINUTE } from "../runtime/mod.ts";
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

/** A run that did not start a wave, with the reason. `at` is the date-time at which this was decided. */
export type LeftOutRun = ScheduleReport["leftOut"][number];

/** A schedule as it is stored. */
export interface Schedule {
  parameters: ScheduleParameters;
  /** The moment at which the schedule was made, a date-time. */
  createdAt: string;
  /** The name of the operator who made the schedule. */
  operator: string;
  state: WaveState;
  /** The next run. Absent if the schedule has ended or was cancelled. */
  nextRun?: ScheduledRun;
  /** The last run that started a wave. */
  lastRun?: ScheduledRun;
  /** The number of runs that started a wave. */
  runs: number;
  /** The latest runs that did not start a wave, the newest last. */
  leftOut?: LeftOutRun[];
}

/**
 * The changes that an operator can make to a schedule: from which states a change is allowed, and the state after the
 * change.
 */
export const SCHEDULE_CHANGES = {
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  cancel: { from: ["running", "paused"], to: "cancelled" },
} as const satisfies Record<string, { from: readonly WaveState[]; to: WaveState }>;

/** Gives the id of the wave that a run starts. */
export const waveIdOf = (schedule: string, { date }: Pick<ScheduledRun, "date">): string =>
  `${schedule}-${date}`;

/**
 * Gives the request by which a run starts its wave.
 * @param startsAt the moment at which the run starts the wave, in milliseconds since 1970
 */
export function waveRequestOfRun(
  parameters: ScheduleParameters,
  startsAt: number,
): Omit<WaveRequest, "wave" | "emails" | "dryRun" | "after"> & { next: number } {
  const {
    every: _every,
    weekday: _weekday,
    at: _at,
    zone: _zone,
    until: _until,
    times: _times,
    expiresAfterDays: days,
    ...request
  } = parameters;
  if (days === undefined) return request;
  return { ...request, expires: new Date(startsAt + days * DAY).toISOString() };
}

/**
 * How late a run may still start its wave, in milliseconds. A run is late, for example, if no process was running when
 * the run was due.
 */
const MISSED_MS = DAY;

/** A schedule stores the latest runs that did not start a wave: at most this number of runs. */
const MAX_LEFT_OUT_RUNS = 10;

/** A schedule after runs were left out, together with these runs. */
export interface LeaveOutResult {
  schedule: Schedule;
  /** The runs that were left out now, without the earlier ones that the schedule also stores. */
  leftOut: LeftOutRun[];
}

/**
 * Leaves out those due runs that must not start a wave any more: runs of a paused schedule, and runs that are late by
 * {@linkcode MISSED_MS} or more.
 * @param now the present moment, in milliseconds since 1970
 */
export function leaveOutDueRuns(schedule: Schedule, now: number): LeaveOutResult {
  let current = schedule;
  const leftOut: LeftOutRun[] = [];
  for (;;) {
    const reason = reasonToLeaveOut(current, now);
    if (!reason) return { schedule: current, leftOut };
    const result = leaveOutNextRun(current, reason, now);
    current = result.schedule;
    leftOut.push(...result.leftOut);
  }
}

/** Gives the reason why the next run must not start a wave; `undefined` if the run may start a wave or is not due. */
function reasonToLeaveOut(
  { state, nextRun }: Schedule,
  now: number,
): LeftOutRun["reason"] | undefined {
  if (!nextRun || nextRun.dueAt > now) return undefined;
  if (state === "paused") return "paused";
  return state === "running" && now - nextRun.dueAt >= MISSED_MS ? "missed" : undefined;
}

/** Moves a schedule past its next run, without a wave. @param now the present moment, in milliseconds since 1970 */
export function leaveOutNextRun(
  schedule: Schedule,
  reason: LeftOutRun["reason"],
  now: number,
): LeaveOutResult {
  const run = { date: schedule.nextRun!.date, reason, at: new Date(now).toISOString() };
  const leftOut = [...schedule.leftOut ?? [], run].slice(-MAX_LEFT_OUT_RUNS);
  return { schedule: { ...toFollowingRun(schedule), leftOut }, leftOut: [run] };
}

/** Moves a schedule past its next run, which has started its wave, and counts this run. */
export function noteStartedRun(schedule: Schedule): Schedule {
  const { nextRun: startedRun, runs, parameters: { times } } = schedule;
  const noted = { ...toFollowingRun(schedule), lastRun: startedRun!, runs: runs + 1 };
  return times !== undefined && noted.runs >= times ? endSchedule(noted, "done") : noted;
}

/**
 * Moves a schedule to the run that follows its next run. The following run is always later, so that no run happens
 * twice.
 */
function toFollowingRun(schedule: Schedule): Schedule {
  const following = findNextRun(schedule.parameters, schedule.nextRun!.dueAt);
  return following ? { ...schedule, nextRun: following } : endSchedule(schedule, "done");
}

/** Gives a schedule in a final state, without a next run. */
export const endSchedule = (
  { nextRun: _, ...schedule }: Schedule,
  state: "done" | "cancelled",
): Schedule => ({ ...schedule, state });

/**
 * Lists the next runs after a moment: at most `maxRuns` runs, and not more than the schedule allows (`times`).
 * @param after the moment, in milliseconds since 1970
 */
export function listNextRuns(
  parameters: ScheduleParameters,
  after: number,
  { maxRuns }: { maxRuns: number },
): ScheduledRun[] {
  const runs: ScheduledRun[] = [];
  while (runs.length < Math.min(maxRuns, parameters.times ?? maxRuns)) {
    const run = findNextRun(parameters, runs.at(-1)?.dueAt ?? after);
    if (!run) break;
    runs.push(run);
  }
  return runs;
}

/**
 * A search for the next run after a moment looks at the day of the moment and at this number of later days. Eight days
 * are enough: if a weekly run was due earlier on the day of the moment, the next run is due seven days later.
 */
const SEARCHED_DAYS = 8;

/**
 * Finds the first run that is due later than a moment.
 * @param after the moment, in milliseconds since 1970
 * @returns the run; `undefined` if the schedule has no further run
 */
export function findNextRun(
  { every, weekday, at, zone, until }: ScheduleTimes,
  after: number,
): ScheduledRun | undefined {
  for (let days = 0; days <= SEARCHED_DAYS; days++) {
    const date = dayOf(localTimeIn(zone, after) + days * DAY);
    if (until !== undefined && date > until) return undefined;
    if (every === "week" && weekdayOf(date) !== weekday) continue;
    const dueAt = momentOrNext(Date.parse(`${date}T${at}:00.000Z`), zone);
    if (dueAt > after) return { date, dueAt };
  }
}

/** Gives the day of a local time as `YYYY-MM-DD`. @param localTime milliseconds as if the local time were UTC */
const dayOf = (localTime: number): string => new Date(localTime).toISOString().slice(0, 10);

/** Gives the weekday of a day `YYYY-MM-DD`. In JavaScript, day 0 is Sunday; in `WEEKDAYS`, it is Monday. */
const weekdayOf = (date: string): Weekday =>
  WEEKDAYS[(new Date(`${date}T00:00:00.000Z`).getUTCDay() + 6) % 7]!;

/**
 * Gives the moment of a local time, in milliseconds since 1970. A local time that a change of clocks skips means the
 * next minute that exists.
 * @param localTime the local time, in milliseconds as if it were UTC
 */
const momentOrNext = (localTime: number, zone: string): number =>
  momentOfLocalTime(localTime, zone) ?? momentOrNext(localTime + MINUTE, zone);
