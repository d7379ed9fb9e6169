/**
 * Acts on the people of running jobs. One process at a time does this work. Each commit checks and writes the entry of
 * the job, so that a job never acts on more people than it was started for, however often a process is killed. After a
 * kill, a job begins again with the first person who still fits. `waitlist/jobs.ts` has the rules. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import {
  actOnPerson,
  endJob,
  type Job,
  JOB_ACTIONS,
  selectionOfJob,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import { newAuditEntry, setAuditEntry } from "../audit/mod.ts";
import {
  checksFor,
  createLeasedWork,
  findValue,
  JOB_WORK,
  jobKey,
  type Kv,
  type Leased,
  type MaybeEntry,
  OPEN_JOBS,
  openJobKey,
  pages,
  readMany,
  readWithSchema,
  signUpKey,
  VALUE_FAULT,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import {
  commitPeople,
  createLetterLimitChanges,
  filterByReferrals,
  halve,
  hashAddresses,
  type LetterLimitChanges,
  listPeople,
  PEOPLE_IN_COMMIT,
  type PersonChange,
  readMailboxes,
} from "../people/mod.ts";

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
export function startJobs({ kv, runtime, outbox, yieldToCalls }: JobWorkOptions): JobWork {
  const { now, random, log, repeat } = runtime;
  const doLeasedWork = createLeasedWork<Leased>(JOB_WORK, { kv, random, now, repeat });
  let isStopped = false;
  let isWoken = false;
  let running: Promise<void> | undefined;

  async function workOnJob(id: string, leaseLost: AbortSignal): Promise<void> {
    let after: Awaited<ReturnType<typeof listPeople>>["next"];
    while (!isStopped && !leaseLost.aborted) {
      const job = await findValue<Job>(kv, jobKey(id));
      if (!job) return;
      const limit = Math.min(checksFor(kv, 1), PEOPLE_IN_COMMIT);
      const query = { ...selectionOfJob(job), limit, ...after && { after } };
      const { people, next } = await listPeople({ kv, yieldToCalls }, query);
      // Leaves out repeated addresses, because a commit would count a repeated address twice.
      const emails = [...new Set(people.map(({ email }) => email))];
      const goesOn = await actOnSome({ kv, outbox, now, random }, id, emails, { isLast: !next });
      if (!goesOn) return;
      after = next;
      await yieldToCalls();
    }
  }

  /** Leaves out jobs that send reminders if no mail is set up. These jobs go on once mail is set up again. */
  async function leaveOutReminders(ids: string[]): Promise<string[]> {
    if (outbox.letters) return ids;
    const jobs = await readMany<Job>(kv, ids.map(jobKey));
    return ids.filter((_, index) => jobs[index]?.value?.act !== "remind");
  }

  async function workOnAll(): Promise<void> {
    const ids: string[] = [];
    for await (const page of pages(kv, OPEN_JOBS)) {
      ids.push(...page.map(({ key }) => String(key[1])));
    }
    const workable = await leaveOutReminders(ids);
    // Takes no lease if there is nothing to do, because a lease costs two commits.
    if (workable.length === 0) return;
    await doLeasedWork(() => true, async (state, leaseLost) => {
      for (const id of workable) {
        await workOnJob(id, leaseLost).catch((error: Error) => {
          // Nothing needs to be undone: if the outcome of a commit is unknown, the next try reads it from the entry of
          // the job.
          if (!isStopped) {
            log.warn("work on a job failed; will try again", { job: id, error: error.message });
          }
        });
      }
      return { ...state };
    });
  }

  async function run(): Promise<void> {
    try {
      do {
        isWoken = false;
        await workOnAll();
      } while (isWoken && !isStopped);
    } catch (error) {
      if (isStopped) return;
      log.warn("could not look for running jobs; will try again", {
        error: (error as Error).message,
      });
    } finally {
      running = undefined;
    }
  }

  const runOnce = () => running ??= run();
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
      await running;
    },
  };
}

interface ActOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: OutboxOptions;
}

/**
 * Acts on some people in one commit, or in several commits if one commit would be too large. Each commit counts its
 * people in the entry of the job, and writes an audit entry for each of them.
 * @param options.isLast whether nobody else fits the selection
 * @returns whether the job goes on
 */
async function actOnSome(
  options: ActOptions,
  id: string,
  emails: string[],
  { isLast }: { isLast: boolean },
): Promise<boolean> {
  const { kv, outbox, now, random } = options;
  // The hashes and the ids of audit entries are made once, so that a further try of the commit writes the same entries.
  const hashes = await hashAddresses(kv, emails, random);
  const entryOf = new Map(emails.map((email, index) => {
    return [email, { ...newAuditEntry("", { now, random }), address: hashes[index]! }];
  }));
  const outcome = await commitPeople<"goes on" | "ended" | "too large">(kv, async () => {
    const keys = [jobKey(id), ...emails.map(signUpKey)];
    const { schema, entries } = await readWithSchema<Job | SignUpRecord>(kv, keys);
    // The first entry is the job's; all others are entries of records. So the cast below is right.
    type RecordEntry = MaybeEntry<SignUpRecord> | undefined;
    const [jobEntry, ...records] = entries as [MaybeEntry<Job>?, ...RecordEntry[]];
    if (!jobEntry) throw new Error(`The entry of the job: ${VALUE_FAULT}`);
    const job = jobEntry.value;
    if (job?.state !== "running") return { result: () => "ended" };
    const at = now();
    const mailboxes = await readMailboxes(kv, schema, emails);
    const letterLimits = createLetterLimitChanges(mailboxes);
    const found = emails.flatMap((email, index) => {
      const entry = records[index];
      return entry?.value ? [{ email, record: entry.value, entry }] : [];
    });
    const fitting = await filterByReferrals(kv, found, job.selection.referrals);
    const readable = fitting.filter(({ email }) => !mailboxes.get(email)?.isUnreadable);
    const people = actOnPeople(job, readable, { now: at, letterLimits });
    // The numbers of referrals are not a part of the records, so the commit checks their entries as well.
    const referrerEntries = fitting.flatMap(({ referrerEntry }) => referrerEntry ?? []);
    const done = job.done + people.length;
    const isDone = isLast || done >= job.most;
    if (people.length === 0 && !isDone) return { result: () => "goes on" };
    const counted = { ...job, done };
    const details = { ...job.audit.details, done, ...isDone && { complete: true } };
    return {
      change: {
        people,
        schema,
        outbox,
        letterLimits,
        audit: { ...job.audit, details },
        extend(commit) {
          const ended = isDone && endJob(counted, "done", new Date(at).toISOString());
          commit.check(jobEntry, ...referrerEntries).set(jobEntry.key, ended || counted);
          if (isDone) commit.delete(openJobKey(id));
          for (const { email } of people) {
            setAuditEntry(commit, auditEntryOfPerson(id, job, entryOf.get(email)!));
          }
        },
      },
      result: () => isDone ? "ended" : "goes on",
      ifTooLarge: emails.length > 1 ? () => "too large" : undefined,
    };
  });
  if (outcome !== "too large") return outcome === "goes on";
  const [first, rest] = halve(emails);
  return await actOnSome(options, id, first, { isLast: false }) &&
    await actOnSome(options, id, rest, { isLast });
}

/** Acts on at most as many people as the job may still act on. Leaves out people who do not fit the job any more. */
function actOnPeople(
  job: Job,
  found: { email: string; record: SignUpRecord; entry: MaybeEntry<SignUpRecord> }[],
  { now, letterLimits }: { now: number; letterLimits: LetterLimitChanges },
): PersonChange[] {
  const people: PersonChange[] = [];
  for (const { email, record, entry } of found) {
    if (job.done + people.length >= job.most) break;
    const letterLimit = letterLimits.limitOf(email, record);
    const change = actOnPerson(job, { email, record }, { now, letterLimit });
    if (!change) continue;
    letterLimits.note(email, record, "leaves" in change ? undefined : change.record);
    people.push({ email, entry, change });
  }
  return people;
}

/** Completes the audit entry of a person: the act, the operator who started the job, and the job. */
function auditEntryOfPerson(id: string, { act, audit }: Job, entry: AuditEntry): AuditEntry {
  const { operator, requestId } = audit;
  return {
    ...entry,
    action: JOB_ACTIONS[act],
    ...operator !== undefined && { operator },
    ...requestId !== undefined && { requestId },
    details: { job: id },
  };
}
