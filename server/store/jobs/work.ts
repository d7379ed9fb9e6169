/**
 * Acts on the people of running jobs. One process at a time does this work. Each commit checks and writes the entry of
 * the job, so that a job never acts on more people than it was started for, however often a process is killed. After a
 * kill, a job begins again with the first person who still fits. `waitlist/jobs.ts` has the rules. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import {
  actOnPerson,
  advanceJob,
  type Job,
  JOB_ACTIONS,
  selectionOfJob,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import { newAuditEntry, setAuditEntry } from "../audit/mod.ts";
import {
  type Commit,
  createLeasedWork,
  findValue,
  JOB_WORK,
  jobKey,
  type Kv,
  type LeaseState,
  type MaybeEntry,
  OPEN_JOBS,
  openJobKey,
  pages,
  readMany,
  readOne,
  readWithSchema,
  signUpKey,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import {
  type AddressedRecord,
  commitPeople,
  createLetterLimitChanges,
  filterByReferrals,
  halve,
  hashAddresses,
  type LetterLimitChanges,
  listPeople,
  maxPeopleInCommit,
  type PeoplePage,
  type PersonChange,
  readMailboxes,
} from "../people/mod.ts";
import { jobIdOf } from "./entries.ts";

/** The time between two searches for running jobs, in milliseconds. */
const POLL_MS = 5_000;

/** The work of this process on jobs. */
export interface JobWork {
  /**
   * Works on all running jobs, one after the other. Does nothing while another process works on jobs. The promise never
   * rejects.
   */
  run: () => Promise<void>;
  /** Works on jobs now, without waiting for the next search. */
  wake: () => void;
  /** Ends the work after the commit that is under way. Another process, or the next start, goes on with the jobs. */
  close: () => Promise<void>;
}

interface JobWorkOptions {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "random" | "log" | "repeat">;
  outbox: OutboxOptions;
  yieldToCalls: YieldToCalls;
}

/** Starts the work on jobs by a timer. */
export function startJobWork({ kv, runtime, outbox, yieldToCalls }: JobWorkOptions): JobWork {
  const { now, random, log, repeat } = runtime;
  const doLeasedWork = createLeasedWork<LeaseState>(JOB_WORK, { kv, random, now, repeat });
  let isStopped = false;
  /** Whether `wake()` was called after the present run began its search, so that the run must search again. */
  let isWoken = false;
  let presentRun: Promise<void> | undefined;

  /** Acts on the people of a job, batch by batch, until the job has ended or the work must stop. */
  async function workOnJob(id: string, leaseLost: AbortSignal): Promise<void> {
    // Each commit needs one check for the entry of the job, and one check for each person.
    const maxPeople = maxPeopleInCommit(kv, 1);
    /** The position in the list of people after which the next batch begins. */
    let after: PeoplePage["next"];
    while (!isStopped && !leaseLost.aborted) {
      const job = await findValue<Job>(kv, jobKey(id));
      if (!job) return;
      const selection = selectionOfJob(job);
      // With a filter by referrals, each person needs a second check, for the number of referrals.
      const limit = selection.referrals === undefined ? maxPeople : Math.floor(maxPeople / 2);
      const query = { ...selection, limit, ...after && { after } };
      const { people, next } = await listPeople({ kv, yieldToCalls }, query);
      // Leaves out repeated addresses, because a commit would count a repeated address twice.
      const emails = [...new Set(people.map(({ email }) => email))];
      const batch = { id, job, emails, isLast: !next };
      if (!await commitBatch({ kv, outbox, now, random }, batch)) return;
      after = next;
      await yieldToCalls();
    }
  }

  /** Leaves out the jobs that send reminders, if no mail is set up. These jobs go on once mail is set up again. */
  async function leaveOutReminders(ids: string[]): Promise<string[]> {
    if (outbox.sendsLetters) return ids;
    const jobs = await readMany<Job>(kv, ids.map(jobKey));
    return ids.filter((_, index) => jobs[index]?.value?.act !== "remind");
  }

  /** Searches for running jobs, and works on them one after the other. */
  async function workOnAll(): Promise<void> {
    const runningIds: string[] = [];
    for await (const page of pages(kv, OPEN_JOBS)) runningIds.push(...page.map(jobIdOf));
    const workableIds = await leaveOutReminders(runningIds);
    // Takes no lease if there is nothing to do, because a lease costs two commits.
    if (workableIds.length === 0) return;
    // The work is due in any case, because there are jobs to work on. The entry of the lease has no other state.
    const isDue = () => true;
    await doLeasedWork(isDue, async (state, leaseLost) => {
      for (const id of workableIds) {
        await workOnJob(id, leaseLost).catch((error: Error) => {
          // Nothing needs to be undone: if the outcome of a commit is unknown, the next try reads it from the entry of
          // the job.
          if (!isStopped) {
            log.warn("work on a job failed; will continue the job later", {
              job: id,
              error: error.message,
            });
          }
        });
      }
      return state;
    });
  }

  /** Works on all running jobs, and begins again as long as `wake()` is called meanwhile. */
  async function run(): Promise<void> {
    try {
      do {
        isWoken = false;
        await workOnAll();
      } while (isWoken && !isStopped);
    } catch (error) {
      if (isStopped) return;
      log.warn("could not look for running jobs; will look again later", {
        error: (error as Error).message,
      });
    } finally {
      presentRun = undefined;
    }
  }

  const runOnce = () => presentRun ??= run();
  const poll = repeat(POLL_MS, runOnce);
  return {
    run: runOnce,
    wake() {
      isWoken = true;
      void runOnce();
    },
    async close() {
      isStopped = true;
      await poll.close();
      // The timer waits only for runs that the timer has begun. A call of `run` or `wake` may have begun the present
      // run.
      await presentRun;
    },
  };
}

interface ActOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: OutboxOptions;
}

/** Some people of a job, on whom one commit acts. */
interface Batch {
  /** The id of the job. */
  id: string;
  /** The job as it was read before. Only the members that never change are used. */
  job: Pick<Job, "act" | "audit">;
  emails: string[];
  /** Whether nobody else fits the selection of the job. */
  isLast: boolean;
}

/** What becomes of a job after a batch. `ended`: the job is over. `too large`: nothing was written. */
type BatchOutcome = "goes on" | "ended" | "too large";

/**
 * Acts on the people of a batch in one commit, or in several commits if one commit would be too large.
 * @returns whether the job goes on
 */
async function commitBatch(options: ActOptions, batch: Batch): Promise<boolean> {
  const outcome = await tryBatch(options, batch);
  if (outcome !== "too large") return outcome === "goes on";
  const [first, second] = halve(batch.emails);
  return await commitBatch(options, { ...batch, emails: first, isLast: false }) &&
    await commitBatch(options, { ...batch, emails: second });
}

/**
 * Acts on the people of a batch in one commit, which counts these people in the entry of the job and writes an audit
 * entry about each person. Writes nothing if the batch is too large for one commit.
 */
async function tryBatch(options: ActOptions, batch: Batch): Promise<BatchOutcome> {
  const { kv, outbox, now } = options;
  const { id, emails, isLast } = batch;
  // The audit entries are made only once, so that each try of the commit writes the same entries.
  const auditEntries = await makeAuditEntries(options, batch);
  return await commitPeople<BatchOutcome>(kv, async () => {
    const jobEntry = await readOne<Job>(kv, jobKey(id));
    const job = jobEntry.value;
    if (job?.state !== "running") return { result: () => "ended" };
    const { schema, mailboxes, candidates } = await readCandidates(kv, emails, job);
    const letterLimits = createLetterLimitChanges(mailboxes);
    const moment = now();
    const people = decideChanges(job, candidates, { now: moment, letterLimits });
    const at = new Date(moment).toISOString();
    const jobAfter = advanceJob(job, { people: people.length, isLast, at });
    const isDone = jobAfter.state === "done";
    if (people.length === 0 && !isDone) return { result: () => "goes on" };

    const details = { ...job.audit.details, done: jobAfter.done, ...isDone && { complete: true } };
    const audit = { ...job.audit, details };
    function extend(commit: Commit): void {
      commit.check(jobEntry).set(jobEntry.key, jobAfter);
      // The numbers of referrals are not in the records, so the commit checks the entries of the numbers as well.
      commit.check(...candidates.flatMap(({ referrerEntry }) => referrerEntry ?? []));
      if (isDone) commit.delete(openJobKey(id));
      for (const { email } of people) setAuditEntry(commit, auditEntries.get(email));
    }
    return {
      peopleCommit: { people, schema, outbox, letterLimits, audit, extend },
      result: () => isDone ? "ended" : "goes on",
      // The change of one person cannot be divided any further.
      ifTooLarge: emails.length > 1 ? () => "too large" : undefined,
    };
  });
}

/** Makes an audit entry about each person of a batch, in the name of the operator who started the job. */
async function makeAuditEntries(
  { kv, now, random }: ActOptions,
  { id, job, emails }: Batch,
): Promise<Map<string, AuditEntry>> {
  const { operator, requestId } = job.audit;
  const hashes = await hashAddresses(kv, emails, random);
  return new Map(emails.map((email, index) => [email, {
    ...newAuditEntry(JOB_ACTIONS[job.act], { now, random }),
    address: hashes[index]!,
    ...operator !== undefined && { operator },
    ...requestId !== undefined && { requestId },
    details: { job: id },
  }]));
}

/** A person, and the entry of the person's record, which the commit checks. */
interface PersonWithEntry extends AddressedRecord {
  entry: MaybeEntry<SignUpRecord>;
}

/**
 * Reads the people of a batch, on whom `decideChanges()` then decides. Leaves out people with fewer referrals than the
 * selection of the job asks for, people without a record, and people whose record or letter limit cannot be read.
 */
async function readCandidates(kv: Kv, emails: string[], { selection }: Job) {
  const { schema, entries } = await readWithSchema<SignUpRecord>(kv, emails.map(signUpKey));
  const mailboxes = await readMailboxes(kv, schema, emails);
  const readablePeople = emails.flatMap((email, index): PersonWithEntry | [] => {
    const entry = entries[index];
    const isReadable = !mailboxes.get(email)?.isUnreadable;
    return entry?.value && isReadable ? { email, record: entry.value, entry } : [];
  });
  const candidates = await filterByReferrals(kv, readablePeople, selection.referrals);
  return { schema, mailboxes, candidates };
}

/** Decides on at most as many people as the job may still act on. Leaves out people who do not fit the job any more. */
function decideChanges(
  job: Job,
  candidates: PersonWithEntry[],
  { now, letterLimits }: { now: number; letterLimits: LetterLimitChanges },
): PersonChange[] {
  const people: PersonChange[] = [];
  for (const { email, record, entry } of candidates) {
    if (job.done + people.length >= job.most) break;
    const letterLimit = letterLimits.limitOf(email, record);
    const change = actOnPerson(job, { email, record }, { now, letterLimit });
    if (!change) continue;
    if ("leaves" in change) letterLimits.noteRemoval(email, record);
    else letterLimits.noteLetter(email, change.record);
    people.push({ email, entry, change });
  }
  return people;
}
