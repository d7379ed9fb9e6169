/**
 * The entries of schedules of waves: makes, lists and changes schedules, plans the runs of a schedule, lists the runs
 * that were left out, and stores the schedules of a backup. `schedule_work.ts` starts the waves. @module
 */
import { isDeepStrictEqual } from "node:util";
import { type LineOf, storedScheduleSchema } from "../../../shared/backup_lines.ts";
import type {
  AuditEntry,
  Overview,
  SchedulePlan,
  ScheduleReport,
} from "../../../shared/operator_schemas.ts";
import { DAY, type Runtime } from "../../runtime/mod.ts";
import {
  endSchedule,
  findNextRun,
  leaveOutDueRuns,
  listNextRuns,
  type Schedule,
  SCHEDULE_CHANGES,
  type ScheduleParameters,
  waveIdOf,
  waveRequestOfRun,
} from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addEntry,
  changeEntry,
  type EntryBatch,
  findValue,
  type Key,
  type Kv,
  nameOf,
  readEntries,
  scheduleKey,
  SCHEDULES,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { type PlanOptions, planWave } from "./plan.ts";

/** The largest number of runs in a plan. */
const PLANNED_RUNS = 3;

/** How long the overview shows a run that was left out, in milliseconds. */
const LEFT_OUT_MS = 7 * DAY;

/** The reason why a schedule was not made. */
export type ScheduleConflict =
  | { conflict: "other_parameters"; schedule: Schedule }
  | { conflict: "no_letters" }
  /** The last day of the schedule is over, so the schedule has no run. */
  | { conflict: "no_run" };

/** A change of a schedule by an operator: `pause`, `resume` or `cancel`. */
export type ScheduleChangeName = keyof typeof SCHEDULE_CHANGES;

/** The reason why a schedule does not allow a change: its state. */
export interface ScheduleRefusal {
  refusedAs: ScheduleReport["state"];
}

/** What the functions of this file need. */
interface ScheduleOptions extends Pick<Runtime, "now"> {
  kv: Kv;
  outbox: Pick<OutboxOptions, "sendsLetters">;
}

/** Makes a schedule, or finds the schedule that has its id. @param audit the audit entry, which names the operator */
export async function createSchedule(
  id: string,
  parameters: ScheduleParameters,
  audit: AuditEntry,
  { kv, outbox, now }: ScheduleOptions,
): Promise<ScheduleReport | ScheduleConflict> {
  const decide = (stored?: Schedule) => {
    const conflict = conflictOf(parameters, stored, { outbox, now });
    if (conflict) return { result: conflict };
    if (stored) return { result: toScheduleReport(id, stored) };
    const newValue: Schedule = {
      parameters,
      createdAt: new Date(now()).toISOString(),
      operator: audit.operator ?? "",
      state: "running",
      nextRun: findNextRun(parameters, now())!,
      runs: 0,
    };
    return { newValue, result: toScheduleReport(id, newValue) };
  };
  return await changeEntry<Schedule, ScheduleReport | ScheduleConflict>(
    kv,
    scheduleKey(id),
    decide,
    (commit) => setAuditEntry(commit, audit),
  );
}

/**
 * Gives the reason why a schedule cannot be made; `undefined` if there is no such reason.
 * @param stored the stored schedule with the wanted id; `undefined` if there is none
 */
function conflictOf(
  parameters: ScheduleParameters,
  stored: Schedule | undefined,
  { outbox, now }: Pick<ScheduleOptions, "outbox" | "now">,
): ScheduleConflict | undefined {
  if (parameters.letters && !outbox.sendsLetters) return { conflict: "no_letters" };
  if (!stored) return findNextRun(parameters, now()) ? undefined : { conflict: "no_run" };
  const isSame = isDeepStrictEqual(parameters, stored.parameters);
  return isSame ? undefined : { conflict: "other_parameters", schedule: stored };
}

/** Says what the next runs of a schedule would do if nobody joined or left, and changes nothing. */
export async function planSchedule(
  id: string,
  parameters: ScheduleParameters,
  { kv, outbox, now, planning }: ScheduleOptions & { planning: PlanOptions },
): Promise<SchedulePlan | ScheduleConflict> {
  const stored = await findValue<Schedule>(kv, scheduleKey(id));
  const conflict = conflictOf(parameters, stored, { outbox, now });
  if (conflict) return conflict;
  const runs = listNextRuns(parameters, now(), { maxRuns: PLANNED_RUNS });
  if (runs.length === 0) return { conflict: "no_run" };
  const { next } = parameters;
  const wavesTogether = { ...waveRequestOfRun(parameters, now()), next: next * runs.length };
  const { wouldInvite, passedOver } = await planWave(wavesTogether, undefined, planning);
  return {
    runs: runs.map((run, index) => {
      const { expires } = waveRequestOfRun(parameters, run.dueAt);
      return {
        wave: waveIdOf(id, run),
        date: run.date,
        dueAt: new Date(run.dueAt).toISOString(),
        ...expires !== undefined && { expires },
        wouldInvite: Math.max(0, Math.min(next, wouldInvite - index * next)),
      };
    }),
    passedOver,
  };
}

/** Reads all schedules, some at a time, in the order of their ids. */
export const readSchedules = (kv: Kv): AsyncGenerator<EntryBatch<Schedule>> =>
  readEntries<Schedule>(kv, { ...SCHEDULES, form: { schema: storedScheduleSchema } });

/** Gives the id of the schedule in an entry. */
export const scheduleIdOf = ({ key }: { key: Key }): string => nameOf(key);

async function readAllSchedules(kv: Kv): Promise<{ id: string; schedule: Schedule }[]> {
  const schedules: { id: string; schedule: Schedule }[] = [];
  for await (const { entries } of readSchedules(kv)) {
    schedules.push(
      ...entries.map((entry) => ({ id: scheduleIdOf(entry), schedule: entry.value })),
    );
  }
  return schedules;
}

/** Lists all schedules in the order of their ids. */
export async function listSchedules(kv: Kv): Promise<ScheduleReport[]> {
  return (await readAllSchedules(kv)).map(({ id, schedule }) => toScheduleReport(id, schedule));
}

/** Gives a schedule as operators see it. */
function toScheduleReport(id: string, schedule: Schedule): ScheduleReport {
  const { parameters, nextRun, lastRun, leftOut = [] } = schedule;
  const { letters = true, ...otherParameters } = parameters;
  return {
    id,
    ...otherParameters,
    letters,
    state: schedule.state,
    createdAt: schedule.createdAt,
    operator: schedule.operator,
    runs: schedule.runs,
    ...lastRun && { lastWave: waveIdOf(id, lastRun) },
    ...nextRun && { nextRun: { ...nextRun, dueAt: new Date(nextRun.dueAt).toISOString() } },
    leftOut,
  };
}

/**
 * Lists the runs that were left out in the last seven days, by schedule and reason.
 * @param now the present moment, in milliseconds since 1970
 */
export async function readLeftOutRuns(
  kv: Kv,
  now: number,
): Promise<NonNullable<Overview["leftOutRuns"]>> {
  const since = new Date(now - LEFT_OUT_MS).toISOString();
  return (await readAllSchedules(kv)).flatMap(({ id, schedule: { leftOut = [] } }) => {
    const recentRuns = leftOut.filter(({ at }) => at > since);
    const runsByReason = Map.groupBy(recentRuns, ({ reason }) => reason);
    return Array.from(runsByReason, ([reason, runs]) => {
      return { schedule: id, reason, dates: runs.map(({ date }) => date) };
    });
  });
}

/** Pauses, resumes or cancels a schedule. A repeated call changes nothing and returns the schedule. */
export async function changeSchedule(
  id: string,
  change: ScheduleChangeName,
  audit: AuditEntry,
  { kv, now }: Pick<ScheduleOptions, "kv" | "now">,
): Promise<ScheduleReport | "unknown" | ScheduleRefusal> {
  const { from, to: state } = SCHEDULE_CHANGES[change];
  type ChangeOutcome = ScheduleReport | "unknown" | ScheduleRefusal;
  return await changeEntry<Schedule, ChangeOutcome>(kv, scheduleKey(id), (schedule) => {
    if (!schedule) return { result: "unknown" };
    if (schedule.state === state) return { result: toScheduleReport(id, schedule) };
    if (!from.some((allowed) => allowed === schedule.state)) {
      return { result: { refusedAs: schedule.state } };
    }
    const newValue = applyChange(schedule, change, now());
    return { newValue, result: toScheduleReport(id, newValue) };
  }, (commit) => setAuditEntry(commit, audit));
}

/** Gives a schedule after a change. @param now the present moment, in milliseconds since 1970 */
function applyChange(
  schedule: Schedule,
  change: ScheduleChangeName,
  now: number,
): Schedule {
  if (change === "cancel") return endSchedule(schedule, "cancelled");
  if (change === "pause") return { ...schedule, state: "paused" };
  // Leaves out the runs that were due during the pause. The worker leaves them out as well, but perhaps no process has
  // looked at the schedule since such a run was due, and the run would start a wave now.
  const passed = leaveOutDueRuns(schedule, now).schedule;
  return passed.nextRun ? { ...passed, state: "running" } : passed;
}

/**
 * Stores a schedule of a backup. A running schedule is stored as paused, so that an operator must resume it.
 * @returns false if the store has a schedule with the same id
 */
export function addSchedule(
  kv: Kv,
  { id, schedule }: LineOf<"schedule">,
  audit?: AuditEntry,
): Promise<boolean> {
  // The cast holds, because the line of the backup has the form of a stored schedule, perhaps with members of later
  // versions.
  const storedSchedule = schedule as Schedule;
  const restored: Schedule = storedSchedule.state === "running"
    ? { ...storedSchedule, state: "paused" }
    : storedSchedule;
  return addEntry(kv, scheduleKey(id), restored, (commit) => setAuditEntry(commit, audit));
}
