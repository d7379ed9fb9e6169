/**
 * Starts the waves of schedules. Every process looks for due runs. One commit makes the wave of a run and moves the
 * schedule to its next run, and it checks both entries, so that each run happens once. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  isWaveOver,
  leaveOut,
  leaveOutRuns,
  type LeftOutRun,
  passRun,
  type Schedule,
  stateOfWave,
  type Wave,
  waveIdOf,
  waveOfRun,
} from "../../waitlist/mod.ts";
import { newAuditEntry, setAuditEntry } from "../audit/mod.ts";
import {
  Commit,
  commitChange,
  type Kv,
  openWaveKey,
  readAll,
  readOne,
  scheduleKey,
  waveKey,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { readSchedules, scheduleIdOf } from "./schedules.ts";
import { newWave } from "./waves.ts";
import type { WaveWork } from "./work.ts";

/** How often a process looks for due runs, in milliseconds. */
const POLL_MS = 20_000;

/** The result of a process's work on the due runs of a schedule. */
interface DoneRuns {
  leftOut: LeftOutRun[];
  /** The id of the wave that the process has started; absent if it has started none. */
  wave?: string;
}

/** The work on schedules in every process. */
export interface ScheduleWork {
  /** Starts the waves of all runs that are due. The promise never rejects. */
  run: () => Promise<void>;
  close: () => Promise<void>;
}

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
  const work = repeat(POLL_MS, runOnce);
  return {
    run: runOnce,
    async close() {
      isStopped = true;
      await running;
      await work.close();
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
  const entryOfRun = newAuditEntry("scheduledWave", { now, random });
  return commitChange<DoneRuns | undefined>(kv, async () => {
    const entry = await readOne<Schedule>(kv, scheduleKey(id));
    const moment = now();
    if (!entry.value || !isDue(entry.value, moment)) return { result: () => undefined };
    const { schedule, leftOut } = leaveOutRuns(entry.value, moment);
    const commit = new Commit().check(entry);
    const prepared = (to: Schedule, done: DoneRuns) => {
      return { commit: commit.set(entry.key, to), result: () => done };
    };
    if (!isDue(schedule, moment)) return prepared(schedule, { leftOut });

    const { parameters, lastRun, nextRun } = schedule;
    const wave = waveIdOf(id, nextRun!);
    const keys = [wave, ...lastRun ? [waveIdOf(id, lastRun)] : []].map(waveKey);
    const [known, previous] = await readAll<Wave>(kv, keys);
    const reason = reasonToLeaveOut({
      hasNoLetters: parameters.letters !== false && !outbox.letters,
      isTaken: known!.value !== null,
      isPreviousOpen: isOpen(previous?.value, entryOfRun.at),
    });
    if (reason) {
      const passed = leaveOut(schedule, reason, moment);
      return prepared(passed.schedule, { leftOut: [...leftOut, ...passed.leftOut] });
    }
    const request = waveOfRun(parameters, moment);
    const { link: _, ...shown } = request;
    const audit: AuditEntry = { ...entryOfRun, details: { ...shown, wave, schedule: id } };
    const begun = await newWave(wave, request, audit, { kv, now, random });
    commit.check(known!).set(known!.key, { ...begun, schedule: id, state: "running" });
    setAuditEntry(commit.set(openWaveKey(wave), { by: "", until: 0 }), audit);
    return prepared(passRun(schedule), { leftOut, wave });
  });
}

function reasonToLeaveOut(
  { hasNoLetters, isTaken, isPreviousOpen }: Record<
    "hasNoLetters" | "isTaken" | "isPreviousOpen",
    boolean
  >,
): LeftOutRun["reason"] | undefined {
  if (hasNoLetters) return "noLetters";
  if (isTaken) return "taken";
  return isPreviousOpen ? "previous" : undefined;
}

/** Whether the wave of the previous run may still invite people. @param at the present moment, a date-time */
function isOpen(previous: Wave | null | undefined, at: string): boolean {
  if (!previous) return false;
  return stateOfWave(previous) !== "done" && !isWaveOver(previous, at);
}
