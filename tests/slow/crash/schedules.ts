/**
 * The schedules of `deno task test:crash`: the process is killed at a random moment while it starts the waves of due
 * runs and works on them, and the clock of the next process jumps: ahead, ahead past some runs, or back. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { createSchedule, listSchedules } from "../../../server/store/invitations/schedules.ts";
import { readWaves } from "../../../server/store/invitations/waves.ts";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { checkLine } from "../../../server/store/people/line_check.ts";
import {
  findNextRun,
  type ScheduleParameters,
  waveIdOf,
} from "../../../server/waitlist/schedule.ts";
import type { AuditEntry, ScheduleReport, WaveReport } from "../../../shared/operator_schemas.ts";
import { LINK, storeWaiting } from "../../support/invitations.ts";
import { makeStore, type StoreKind } from "../../support/kv_stores.ts";
import { listAll } from "../../support/memory_kv.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import type { RuntimeName, TestVariables } from "../../support/process.ts";
import { fromNewSource } from "../../support/process_requests.ts";
import { storedSignUps } from "../../support/records.ts";
import { finish } from "../../support/recounts.ts";
import { Acknowledged, counterFindings, startVictim, whileServing } from "../../support/victim.ts";
import { crashRounds, type Trial } from "./rounds.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const LIFETIME_MS = 1_000;

/** So many people that a wave takes several commits. */
const NEXT = 300;

const DAILY: ScheduleParameters = {
  next: NEXT,
  link: LINK,
  letters: false,
  every: "day",
  at: "09:00",
  zone: "Europe/Berlin",
};

const SCHEDULES: Record<string, ScheduleParameters> = {
  daily: DAILY,
  weekly: { ...DAILY, every: "week", weekday: "monday" },
};

/** The longest time for which a process keeps a wave from others after it was killed, in milliseconds. */
const CLAIM_MS = 30_000;

/** How much later than a run a clock that jumps ahead is at the least and at the most, in milliseconds. */
const LATE_MS = { least: 2 * HOUR, most: 20 * HOUR };

/** How far a clock is set back at the most, in milliseconds. */
const BACK_MS = 6 * HOUR;

/** The runs of the trial, by the ids of their waves. */
interface Runs {
  due: Set<string>;
  /** The runs among them that were due more than 24 hours before any process could find them. */
  missed: Set<string>;
}

/**
 * Kills processes whose clocks jump. At the end, each due run has started exactly one wave with exactly its number of
 * people, except the runs that a clock has passed by more than 24 hours, which were left out.
 */
export async function crashSchedules(rounds: number, kind: StoreKind, runtimes: RuntimeName[]) {
  await using store = await makeStore(kind);
  // A process makes the store's schema.
  await whileServing(store.variables, () => Promise.resolve());
  const madeAt = Date.now();
  {
    using opened = await store.open();
    // A jump makes at most two runs due: one of each schedule.
    await storeWaiting(opened.kv, 2 * NEXT * (rounds + 1));
    const options = { kv: opened.kv, outbox: { sendsLetters: false }, now: () => madeAt };
    for (const [id, parameters] of Object.entries(SCHEDULES)) {
      const audit = { at: new Date(madeAt).toISOString(), id, action: "createSchedule" };
      await createSchedule(id, parameters, audit, options);
    }
  }

  /** How far the clock of the next process is ahead, in milliseconds. */
  let ahead = 0;
  const runs: Runs = { due: new Set(), missed: new Set() };
  const leftOut = new Set<string>();
  const findings: string[] = [];
  let underWay = 0;
  const trial: Trial = {
    store,
    variables: store.variables,
    load: { acknowledged: new Acknowledged(), refusals: [], run: () => Promise.resolve() },
    lifetimeMs: LIFETIME_MS,
    runtimes,
    clockAheadMs: () => ahead,
  };
  for await (const { kv, findings: found } of crashRounds(trial, rounds)) {
    findings.push(...found);
    await noteLeftOut(kv, leftOut);
    const nextDue = await findNextDue(kv);
    if (nextDue <= Date.now() + ahead || await hasOpenWave(kv)) {
      underWay++;
      // The killed process keeps its wave from others for this time.
      ahead += CLAIM_MS;
    } else {
      ahead = jumpFrom(Date.now() + ahead, nextDue) - Date.now();
      noteRuns(runs, madeAt, Date.now() + ahead);
    }
  }

  await workToEnd(store.variables, ahead + CLAIM_MS);
  using opened = await store.open();
  const { kv } = opened;
  await noteLeftOut(kv, leftOut);
  const missed = [...runs.missed].map((wave) => `${wave} missed`);
  findings.push(...differences("left out", [...leftOut], missed));
  const expected = [...runs.due.difference(runs.missed)];
  findings.push(...differences("started", await startedWaves(kv), expected));
  findings.push(...await waveFindings(kv), ...await counterFindings(kv, Date.now()));
  const line = await finish(checkLine(kv, { repairs: false, progress: 0 }));
  if (line.length > 0) findings.push(`${line.length} counters of the line are wrong.`);
  return {
    waves: expected.length,
    missed: missed.length,
    /** Kills before which the work on a due run had not ended. */
    underWay,
    /** What is wrong, in sentences. */
    findings,
  };
}

/** Gives the time of a clock that jumps. @param nextDue the moment of the next run, in milliseconds since 1970 */
function jumpFrom(now: number, nextDue: number): number {
  const kind = Math.random();
  if (kind < 0.2) return now - Math.random() * BACK_MS;
  const days = kind < 0.4 ? 1 + Math.floor(Math.random() * 3) : 0;
  return nextDue + days * DAY + LATE_MS.least + Math.random() * (LATE_MS.most - LATE_MS.least);
}

/** Notes the runs that are due at a moment. */
function noteRuns({ due, missed }: Runs, madeAt: number, now: number): void {
  for (const [id, parameters] of Object.entries(SCHEDULES)) {
    let run = findNextRun(parameters, madeAt);
    for (; run && run.dueAt <= now; run = findNextRun(parameters, run.dueAt)) {
      const wave = waveIdOf(id, run);
      if (!due.has(wave) && now - run.dueAt >= DAY) missed.add(wave);
      due.add(wave);
    }
  }
}

async function noteLeftOut(kv: Kv, leftOut: Set<string>): Promise<void> {
  for (const { id, leftOut: runs } of await listSchedules(kv)) {
    for (const { date, reason } of runs) leftOut.add(`${id}-${date} ${reason}`);
  }
}

async function findNextDue(kv: Kv): Promise<number> {
  const schedules = await listSchedules(kv);
  return Math.min(...schedules.map(({ nextRun }) => Date.parse(nextRun!.dueAt)));
}

const hasOpenWave = async (kv: Kv): Promise<boolean> =>
  (await listAll(kv, { prefix: ["open_wave"] })).length > 0;

async function startedWaves(kv: Kv): Promise<string[]> {
  const entries = await listAll<AuditEntry>(kv, { prefix: ["audit"] });
  return entries.filter(({ value }) => value.action === "scheduledWave")
    .map(({ value }) => String(value.details?.wave));
}

/** Compares lists of runs, in which none may be twice. @returns what is wrong, in sentences */
function differences(what: string, found: string[], expected: string[]): string[] {
  const [is, should] = [found, expected].map((each) => each.toSorted().join(", "));
  return is === should ? [] : [`The runs that were ${what} are ${is}; right is ${should}.`];
}

/** Lets a process work until no run is due and every wave is done. */
async function workToEnd(variables: TestVariables, clockAheadMs: number): Promise<void> {
  const operated = { ...variables, OPERATOR_KEY, TRUSTED_PROXY_HOPS: "1" };
  await using victim = startVictim(operated, { clockAheadMs });
  const service = await victim.serving;
  if (!service) throw new Error("The last process does not listen");
  async function read<T>(path: string): Promise<T> {
    const headers = { Authorization: `Bearer ${OPERATOR_KEY}`, ...fromNewSource() };
    return await (await service!.request(`/operator/v1${path}`, { headers })).json();
  }
  for (;;) {
    const { schedules } = await read<{ schedules: ScheduleReport[] }>("/schedules");
    const { waves } = await read<{ waves: WaveReport[] }>("/waves");
    const now = Date.now() + clockAheadMs;
    const isAhead = schedules.every(({ nextRun }) => Date.parse(nextRun!.dueAt) > now);
    if (isAhead && waves.every(({ state }) => state === "done")) break;
    await delay(100);
  }
  await victim.end("SIGTERM");
}

async function waveFindings(kv: Kv): Promise<string[]> {
  const findings: string[] = [];
  const invited = Object.values(await storedSignUps(kv)).filter(({ state }) => state === "invited");
  const codes = new Set(invited.map(({ invitationCode }) => invitationCode));
  if (codes.size !== invited.length) findings.push("A code is given twice.");
  const members = Map.groupBy(invited, ({ wave }) => wave);
  const batches = await Array.fromAsync(readWaves(kv));
  const waves = batches.flatMap(({ entries }) => entries.map(({ value }) => value));
  for (const { id, wave } of waves) {
    const count = members.get(id)?.length ?? 0;
    if (wave.state === "done" && wave.invited === NEXT && count === NEXT) continue;
    findings.push(
      `The wave ${id} is ${wave.state}; it says ${wave.invited} people and has ${count}.`,
    );
  }
  for (const { id, runs } of await listSchedules(kv)) {
    const own = waves.filter(({ wave }) => wave.schedule === id).length;
    if (runs !== own) findings.push(`The schedule ${id} says ${runs} runs and has ${own} waves.`);
  }
  return findings;
}
