/** The entries of jobs: starts, reads, lists and cancels jobs. `work.ts` acts on people. @module */
import { isDeepStrictEqual } from "node:util";
import type { AuditEntry, JobReport } from "../../../shared/operator_schemas.ts";
import { DAY, type Runtime } from "../../runtime/mod.ts";
import { endJob, type Job, OPEN_JOB_MS } from "../../waitlist/mod.ts";
import { newAuditEntry, setAuditEntry } from "../audit/mod.ts";
import {
  changeEntry,
  findValue,
  jobKey,
  JOBS,
  type Key,
  type Kv,
  nameOf,
  OPEN_JOBS,
  openJobKey,
  pages,
  readEntries,
  readMany,
} from "../kv/mod.ts";

/** How many jobs a list has at most. */
const MAX_LISTED = 100;

/** Gives the id of the job in the key of an entry, of the job itself or of the list of running jobs. */
export const jobIdOf = ({ key }: { key: Key }): string => nameOf(key);

/** Gives a job as operators see it. */
export function toJobReport(id: string, { audit, ...job }: Job): JobReport {
  return { job: id, ...job, ...audit.operator !== undefined && { operator: audit.operator } };
}

/** Finds a job by its id. */
export async function findJob(kv: Kv, id: string): Promise<JobReport | undefined> {
  const job = await findValue<Job>(kv, jobKey(id));
  return job && toJobReport(id, job);
}

/** Lists jobs, the newest first. Jobs that cannot be read are left out. */
export async function listJobs(kv: Kv): Promise<JobReport[]> {
  let newest: JobReport[] = [];
  for await (const { entries } of readEntries<Job>(kv, JOBS)) {
    const reports = entries.map((entry) => toJobReport(jobIdOf(entry), entry.value));
    newest = [...newest, ...reports]
      .sort((one, other) => one.startedAt < other.startedAt ? 1 : -1)
      .slice(0, MAX_LISTED);
  }
  return newest;
}

/** What an operator asks a job to do. */
export type JobParameters = Pick<Job, "act" | "selection" | "most">;

/** The result of a start if the id belongs to another job, which does something else. */
export interface JobConflict {
  /** The other job. */
  conflict: JobReport;
}

/** Starts a job, or finds the existing job that has the same id and does the same. */
export function startJob(
  kv: Kv,
  id: string,
  { act, selection, most }: JobParameters,
  { audit, startedAt }: { audit: AuditEntry; startedAt: string },
): Promise<JobReport | JobConflict> {
  const job: Job = { act, selection, most, state: "running", done: 0, startedAt, audit };
  return changeEntry<Job, JobReport | JobConflict>(kv, jobKey(id), (storedJob) => {
    if (!storedJob) return { newValue: job, result: toJobReport(id, job) };
    const report = toJobReport(id, storedJob);
    // The end of a job removes the text of its search. So an ended job is compared with the new job as it would be
    // after its end.
    const { endedAt } = storedJob;
    const comparedJob = endedAt === undefined ? job : endJob(job, "done", endedAt);
    const isSame = storedJob.act === comparedJob.act && storedJob.most === comparedJob.most &&
      storedJob.searched === comparedJob.searched &&
      isDeepStrictEqual(storedJob.selection, comparedJob.selection);
    return { result: isSame ? report : { conflict: report } };
  }, (commit) => setAuditEntry(commit.set(openJobKey(id), true), audit));
}

/** Cancels a job, so that it acts on no further person. A job that has ended stays as it is. */
export function cancelJob(
  kv: Kv,
  id: string,
  { audit, endedAt }: { audit: AuditEntry; endedAt: string },
): Promise<JobReport | undefined> {
  return changeEntry<Job, JobReport | undefined>(kv, jobKey(id), (job) => {
    if (!job) return { result: undefined };
    if (job.state !== "running") return { result: toJobReport(id, job) };
    const newValue = endJob(job, "cancelled", endedAt);
    return { newValue, result: toJobReport(id, newValue) };
  }, (commit) => setAuditEntry(commit.delete(openJobKey(id)), audit));
}

/**
 * Cancels jobs that are not done after 7 days, such as a reminder while letters are off, because a job keeps the text
 * of a search until its end. The audit entry of such a cancellation names no operator. A job that cannot be read stays.
 */
export async function cancelOldJobs(
  kv: Kv,
  { now, random }: Pick<Runtime, "now" | "random">,
): Promise<void> {
  const at = now();
  const oldestKept = new Date(at - OPEN_JOB_MS).toISOString();
  for await (const page of pages(kv, OPEN_JOBS)) {
    const ids = page.map(jobIdOf);
    const jobs = await readMany<Job>(kv, ids.map(jobKey));
    for (const [index, id] of ids.entries()) {
      const startedAt = jobs[index]?.value?.startedAt;
      if (startedAt === undefined || startedAt >= oldestKept) continue;
      const audit = {
        ...newAuditEntry("cancelJob", { now, random }),
        details: { job: id, afterDays: OPEN_JOB_MS / DAY },
      };
      await cancelJob(kv, id, { audit, endedAt: new Date(at).toISOString() });
    }
  }
}
