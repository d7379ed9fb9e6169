/**
 * Starts the waves of schedules. Every process looks for due runs. One commit makes the wave of a run and moves the
 * schedule to its next run. The commit checks the entries of the wave and of the schedule, so that each run happens
 * once. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  isWaveOver,
  leaveOutDueRuns,
  leaveOutNextRun,
  type LeftOutRun,
  noteStartedRun,
  type Schedule,
  type ScheduleParameters,
  stateOfWave,
  type Wave,
  waveIdOf,
  waveRequestOfRun,
} from "../../waitlist/mod.ts";
import { newAuditEntry } from "../audit/mod.ts";
import {
  Commit,
  commitChange,
  type Kv,
  readAll,
  readOne,
  scheduleKey,
  waveKey,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { readSchedules, scheduleIdOf } from "./schedules.ts";
import { newWave, setRunning } from "./waves.ts";
import type { WaveWork } from "./work.ts";

/** The time between two searches for due runs, in milliseconds. */
const POLL_MS = 20_000;

/** The result of a process's work on the due runs of a schedule. */
interface DoneRuns {
  leftOut: LeftOutRun[];
  /** The id of the wave that the process has started; absent if it has started no wave. */
  wave?: string;
}

/** The work on schedules in every process. */
export interface ScheduleWork {
  /** Starts the waves of all runs that are due, as the timer does. The promise never rejects. */
  run: () => Promise<void>;
  /** Ends the work after the commit that is under way. */
  close: () => Promise<void>;
}

/** Starts the work on schedules by a timer. */
export function startSchedules(
  { kv, runtime, outbox, waves }: {
    kv: Kv;
    runtime: Pick<Runtime, "now" | "random" | "log" | "repeat">;
    outbox: Pick<OutboxOptions, "letters">;
    waves: Pick<WaveWork, "wake">;
  },
): ScheduleWork {
  const { now, random, log, repeat } = runtime;
  let isStopped = false;
  let running: Promise<void> | undefined;

  async function runSchedule(id: string): Promise<void> {
    for (;;) {
      const done = await passDueRuns(id, { kv, now, random, outbox });
      for (const { date, reason } of done?.leftOut ?? []) {
        log.warn("a run of a schedule was left out", { schedule: id, date, reason });
      }
      if (done?.wave === undefined) return;
      log.info("a schedule has started a wave", { schedule: id, wave: done.wave });
      waves.wake();
    }
  }

  async function run(): Promise<void> {
    try {
      for await (const { entries } of readSchedules(kv)) {
        for (const entry of entries) {
          if (isStopped) return;
          if (!isDue(entry.value, now())) continue;
          await runSchedule(scheduleIdOf(entry)).catch((error: Error) => {
            const fields = { schedule: scheduleIdOf(entry), error: error.message };
            log.warn("could not start the due wave of a schedule; will try again", fields);
          });
        }
      }
    } catch (error) {
      if (isStopped) return;
      log.warn("could not read the list of schedules; will try again", {
        error: (error as Error).message,
      });
    } finally {
      running = undefined;
    }
  }

  const runOnce = () => running ??= run();
  const timer = repeat(POLL_MS, runOnce);
  return {
    run: runOnce,
    async close() {
      isStopped = true;
      await timer.close();
      // The timer waits only for runs that the timer has begun. A call of `run` may have begun the present run.
      await running;
    },
  };
}

const isDue = ({ nextRun }: Schedule, now: number): boolean =>
  nextRun !== undefined && nextRun.dueAt <= now;

interface RunOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: Pick<OutboxOptions, "letters">;
}

/**
 * Handles the due runs of a schedule in one commit: leaves out some runs, and starts the wave of one run.
 * @returns `undefined` if no run is due
 */
function passDueRuns(
  id: string,
  { kv, now, random, outbox }: RunOptions,
): Promise<DoneRuns | undefined> {
  // The audit entry is made once, so that a further try of the commit writes the same entry.
  const auditEntry = newAuditEntry("scheduledWave", { now, random });
  return commitChange<DoneRuns | undefined>(kv, async () => {
    const entry = await readOne<Schedule>(kv, scheduleKey(id));
    const moment = now();
    if (!entry.value || !isDue(entry.value, moment)) return { result: () => undefined };
    const { schedule, leftOut } = leaveOutDueRuns(entry.value, moment);
    const commit = new Commit().check(entry);
    const prepared = (passed: Schedule, done: DoneRuns) => {
      return { commit: commit.set(entry.key, passed), result: () => done };
    };
    if (!isDue(schedule, moment)) return prepared(schedule, { leftOut });

    const { parameters, lastRun, nextRun } = schedule;
    const wave = waveIdOf(id, nextRun!);
    const keys = [wave, ...lastRun ? [waveIdOf(id, lastRun)] : []].map(waveKey);
    const [waveEntry, lastWave] = await readAll<Wave>(kv, keys);
    const reason = reasonToLeaveOut(parameters, {
      outbox,
      wave: waveEntry!.value,
      lastWave: lastWave?.value,
      at: auditEntry.at,
    });
    if (reason) {
      const passed = leaveOutNextRun(schedule, reason, moment);
      return prepared(passed.schedule, { leftOut: [...leftOut, ...passed.leftOut] });
    }
    const request = waveRequestOfRun(parameters, moment);
    // Leaves out the link, as the audit entry of a wave that an operator starts does.
    const { link: _, ...shown } = request;
    const audit: AuditEntry = { ...auditEntry, details: { ...shown, wave, schedule: id } };
    const begun = await newWave(wave, request, audit, { kv, now, random });
    commit.check(waveEntry!).set(waveEntry!.key, { ...begun, schedule: id, state: "running" });
    setRunning(commit, wave, audit);
    return prepared(noteStartedRun(schedule), { leftOut, wave });
  });
}

/** The state of the store at the moment of a run. */
interface RunState {
  outbox: Pick<OutboxOptions, "letters">;
  /** The stored wave with the id that the wave of this run would get; `null` if there is none. */
  wave: Wave | null;
  /** The wave of the last run that started a wave. */
  lastWave: Wave | null | undefined;
  /** The present moment, a date-time. */
  at: string;
}

/** Gives the reason why a due run starts no wave; `undefined` if it starts a wave. */
function reasonToLeaveOut(
  { letters = true }: ScheduleParameters,
  { outbox, wave, lastWave, at }: RunState,
): LeftOutRun["reason"] | undefined {
  if (letters && !outbox.letters) return "noLetters";
  if (wave) return "taken";
  return lastWave && mayInvite(lastWave, at) ? "previous" : undefined;
}

/** Whether a wave may still invite people. @param at the present moment, a date-time */
const mayInvite = (wave: Wave, at: string): boolean =>
  stateOfWave(wave) !== "done" && !isWaveOver(wave, at);
