/** Jobs in a test: starts them, and works on them without timers. @module */
import assert from "node:assert/strict";
import { type JobParameters, startJob } from "../../server/store/jobs/entries.ts";
import { startJobWork } from "../../server/store/jobs/work.ts";
import type { Job } from "../../server/waitlist/jobs.ts";
import type { JobReport } from "../../shared/operator_schemas.ts";
import { readOne } from "../../server/store/kv/calls.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { type WorkChoices, workWithoutTimers } from "./invitations.ts";
import { START } from "./service.ts";

/** The work of a process on jobs, without timers. */
export const jobsOf = (kv: Kv, choices?: WorkChoices) =>
  startJobWork({ kv, ...workWithoutTimers(choices) });

/** Starts a job of the operator "ada". @param at milliseconds since 1970 */
export async function begin(
  kv: Kv,
  id: string,
  parameters: JobParameters,
  at = START,
): Promise<JobReport> {
  const startedAt = new Date(at).toISOString();
  const audit = { at: startedAt, id: `of-${id}`, action: "startJob", operator: "ada" };
  const started = await startJob(kv, id, parameters, { audit, startedAt });
  assert.ok(!("conflict" in started), JSON.stringify(started));
  return started;
}

/** Reads a job, which must exist. */
export async function jobOf(kv: Kv, id: string): Promise<Job> {
  const { value } = await readOne<Job>(kv, ["job", id]);
  assert.ok(value);
  return value;
}
