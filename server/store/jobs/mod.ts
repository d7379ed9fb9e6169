/**
 * Jobs: each job does one act, such as a reminder, for everybody who fits a selection of people. A job goes on after
 * its process was killed. `entries.ts` keeps the entries of jobs, and `work.ts` acts on people. A backup holds no jobs,
 * because a restored store must not go on with an old job.
 * @module
 */
import type { AuditEntry, JobReport } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { Kv } from "../kv/mod.ts";
import {
  cancelJob,
  findJob,
  type JobConflict,
  type JobParameters,
  listJobs,
  startJob,
} from "./entries.ts";
import type { JobWork } from "./work.ts";
export { cancelOldJobs } from "./entries.ts";
export { startJobWork } from "./work.ts";

/** What the operator's operations do with jobs. */
export interface JobStore {
  /** Finds a job by its id. */
  findJob: (id: string) => Promise<JobReport | undefined>;
  /** Lists the last 100 jobs, the newest first. */
  listJobs: () => Promise<JobReport[]>;
  /** Starts a job. A repetition with the same parameters gives the job as it is. */
  startJob: (
    id: string,
    parameters: JobParameters,
    audit: AuditEntry,
  ) => Promise<JobReport | JobConflict>;
  /** Cancels a job; `undefined` if there is no such job. A job that has ended stays as it is. */
  cancelJob: (id: string, audit: AuditEntry) => Promise<JobReport | undefined>;
}

/** What the store of jobs needs. */
export interface JobStoreOptions extends Pick<Runtime, "now"> {
  kv: Kv;
  jobs: Pick<JobWork, "wake">;
}

/** Makes the store for one call of an operator. All reads and commits of the store end at the deadline of this call. */
export function createJobStore({ kv, now, jobs }: JobStoreOptions): JobStore {
  const moment = () => new Date(now()).toISOString();
  return {
    findJob: (id) => findJob(kv, id),
    listJobs: () => listJobs(kv),
    async startJob(id, parameters, audit) {
      const started = await startJob(kv, id, parameters, { audit, startedAt: moment() });
      if (!("conflict" in started)) jobs.wake();
      return started;
    },
    cancelJob: (id, audit) => cancelJob(kv, id, { audit, endedAt: moment() }),
  };
}
