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
import { newWave, setRunning } from "./begin_wave.ts";
import { readSchedules, scheduleIdOf } from "./schedules.ts";
import type { WaveWork } from "./wave_work.ts";

/** The time between two searches for due runs, in milliseconds. */
const POLL_MS = 20_000;

/** Why a run was left out, as the end of a sentence in the log. */
const LEFT_OUT_BECAUSE: Record<LeftOutRun["reason"], string> = {
  paused: "because the schedule was paused",
  missed: "because the service was down for a day or longer after the run was due",
  previous: "because the wave of the previous run is not done yet",
  taken: "because another wave already has the id that the run would give to its wave",
  noLetters: "because the service sends no letters",
};

/** The due runs of a schedule that one commit has handled. */
interface HandledRuns {
  leftOut: LeftOutRun[];
  /** The id of the wave that the commit has started; absent if it has started no wave. */
  startedWave?: string;
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
    outbox: Pick<OutboxOptions, "sendsLetters">;
    waves: Pick<WaveWork, "wake">;
  },
): ScheduleWork {
  const { now, random, log, repeat } = runtime;
  let isStopped = false;
  let presentSearch: Promise<void> | undefined;

  /** Handles all due runs of a schedule, and logs what was done. */
  async function handleSchedule(id: string): Promise<void> {
    for (;;) {
      const handledRuns = await handleDueRuns(id, { kv, now, random, outbox });
      if (!handledRuns) return;
      const { leftOut, startedWave } = handledRuns;
      for (const { date, reason } of leftOut) {
        const event = `a run of a schedule was left out, ${LEFT_OUT_BECAUSE[reason]}`;
        log.warn(event, { schedule: id, date, reason });
      }
      if (startedWave === undefined) return;
      log.info("a schedule has started a wave", { schedule: id, wave: startedWave });
      waves.wake();
    }
  }

  async function searchDueRuns(): Promise<void> {
    try {
      for await (const { entries } of readSchedules(kv)) {
        for (const entry of entries) {
          if (isStopped) return;
          if (!isDue(entry.value, now())) continue;
          await handleSchedule(scheduleIdOf(entry)).catch((error: Error) => {
            const fields = { schedule: scheduleIdOf(entry), error: error.message };
            log.warn(
              "could not start the due wave of a schedule; will start this wave later",
              fields,
            );
          });
        }
      }
    } catch (error) {
      if (isStopped) return;
      log.warn("could not read the list of schedules; will read the list again later", {
        error: (error as Error).message,
      });
    } finally {
      presentSearch = undefined;
    }
  }

  const run = () => presentSearch ??= searchDueRuns();
  const timer = repeat(POLL_MS, run);
  return {
    run,
    async close() {
      isStopped = true;
      await timer.close();
      // If a call of `run` has begun the present search for due runs, `timer.close()` does not wait for its end.
      await presentSearch;
    },
  };
}

/** Whether the next run of a schedule is due. @param now the present moment, in milliseconds since 1970 */
const isDue = ({ nextRun }: Schedule, now: number): boolean =>
  nextRun !== undefined && nextRun.dueAt <= now;

interface HandlingOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: Pick<OutboxOptions, "sendsLetters">;
}

/**
 * Handles due runs of a schedule in one commit: leaves out some runs, and starts the wave of at most one run.
 * @returns `undefined` if no run is due
 */
function handleDueRuns(id: string, options: HandlingOptions): Promise<HandledRuns | undefined> {
  const { kv, now, random } = options;
  // The audit entry is made once, so that a further try of the commit writes the same entry.
  const auditEntry = newAuditEntry("scheduledWave", { now, random });
  return commitChange<HandledRuns | undefined>(kv, async () => {
    const entry = await readOne<Schedule>(kv, scheduleKey(id));
    const moment = now();
    if (!entry.value || !isDue(entry.value, moment)) return { result: () => undefined };
    const commit = new Commit().check(entry);
    const { schedule, handledRuns } = await decideOnDueRuns(
      { id, schedule: entry.value, moment, auditEntry },
      commit,
      options,
    );
    return { commit: commit.set(entry.key, schedule), result: () => handledRuns };
  });
}

/** A schedule with a due run. */
interface DueSchedule {
  id: string;
  schedule: Schedule;
  /** The present moment, in milliseconds since 1970. */
  moment: number;
  /** The audit entry of the wave that a run starts. It has no details yet. */
  auditEntry: AuditEntry;
}

/**
 * Decides which due runs of a schedule are left out, and which run starts its wave. If a run starts its wave, lets the
 * commit store the wave.
 * @returns the schedule after these runs, and the decision
 */
async function decideOnDueRuns(
  due: DueSchedule,
  commit: Commit,
  options: HandlingOptions,
): Promise<{ schedule: Schedule; handledRuns: HandledRuns }> {
  const { id, moment, auditEntry } = due;
  const { schedule, leftOut } = leaveOutDueRuns(due.schedule, moment);
  if (!isDue(schedule, moment)) return { schedule, handledRuns: { leftOut } };

  const { parameters, lastRun, nextRun } = schedule;
  const waveId = waveIdOf(id, nextRun!);
  const waveIds = [waveId, ...lastRun ? [waveIdOf(id, lastRun)] : []];
  const [waveEntry, lastWaveEntry] = await readAll<Wave>(options.kv, waveIds.map(waveKey));
  const reason = reasonToLeaveOut(parameters, {
    outbox: options.outbox,
    wave: waveEntry!.value,
    lastWave: lastWaveEntry?.value,
    at: auditEntry.at,
  });
  if (reason) {
    const next = leaveOutNextRun(schedule, reason, moment);
    return { schedule: next.schedule, handledRuns: { leftOut: [...leftOut, ...next.leftOut] } };
  }

  const request = waveRequestOfRun(parameters, moment);
  // Leaves out the link, as the audit entry of a wave that an operator starts does.
  const { link: _, ...auditedParameters } = request;
  const details = { ...auditedParameters, wave: waveId, schedule: id };
  const audit: AuditEntry = { ...auditEntry, details };
  const wave = await newWave(waveId, request, audit, options);
  commit.check(waveEntry!).set(waveEntry!.key, { ...wave, schedule: id, state: "running" });
  setRunning(commit, waveId, audit);
  return { schedule: noteStartedRun(schedule), handledRuns: { leftOut, startedWave: waveId } };
}

/** What decides, besides the parameters of the schedule, whether a due run starts its wave. */
interface RunState {
  outbox: Pick<OutboxOptions, "sendsLetters">;
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
  if (letters && !outbox.sendsLetters) return "noLetters";
  if (wave) return "taken";
  return lastWave && mayInvite(lastWave, at) ? "previous" : undefined;
}

/** Whether a wave may still invite people. @param at the present moment, a date-time */
const mayInvite = (wave: Wave, at: string): boolean =>
  stateOfWave(wave) !== "done" && !isWaveOver(wave, at);
