/**
 * The rules of jobs (decisions, "Notes, jobs, log of letters"). A job reminds or erases everybody who fits a selection.
 * `server/store/jobs/` stores the jobs and does their work. @module
 */
import type {
  AuditEntry,
  JobReport,
  JobRequest,
  PeopleSelection,
} from "../../shared/operator_schemas.ts";
import { DAY } from "../runtime/mod.ts";
import type { LetterLimit } from "./letter_limit.ts";
import { fitsSelection } from "./people_selection.ts";
import type { SignUpRecord } from "./record.ts";
import { askToConfirm, type Leave, type Step } from "./transitions.ts";

/** What a job does with each person. */
export type JobAct = JobRequest["act"];

/** A job as it is stored. Its moments are date-times. */
export interface Job {
  act: JobAct;
  selection: PeopleSelection;
  /**
   * Present in an ended job whose selection had a search. The text of the search is removed at the end of the job,
   * because it can be an address.
   */
  searched?: true;
  /**
   * The number of people who fitted the selection when the operator saw the selection. The job ends when it has acted
   * on this number of people, even if more people fit by then. The name `most` must not change, because
   * the store and the operator surface have it.
   */
  most: number;
  state: JobReport["state"];
  /** The number of people on whom the job has acted. */
  done: number;
  startedAt: string;
  /** When the job was done or cancelled. */
  endedAt?: string;
  /** The audit entry of the job. Each commit of the job writes this entry again, with the present value of `done`. */
  audit: AuditEntry;
}

/**
 * For each act of a job, the `action` of the audit entries about the people of the job. The `action` is the id of the
 * operation that does the same act without a job.
 */
export const JOB_ACTIONS = {
  remind: "remindSignups",
  erase: "eraseSignup",
} as const satisfies Record<JobAct, string>;

/** How long a job is kept after its end, in milliseconds. */
export const ENDED_JOB_MS = 90 * DAY;

/** How long a job is open at most, in milliseconds. A job that is not done by then is cancelled. */
export const OPEN_JOB_MS = 7 * DAY;

/** Gives the selection of the people on whom a job acts. A reminder is only for people who have not confirmed. */
export function selectionOfJob(
  { act, selection }: Pick<Job, "act" | "selection">,
): PeopleSelection {
  return act === "remind" ? { ...selection, state: "unconfirmed" } : selection;
}

/**
 * Decides what a job does with a person. The caller has already checked that the person has at least the number of
 * referrals that the selection demands, because the record does not have this number.
 *
 * @param options.now the present moment, in milliseconds since 1970
 * @returns the step or the removal; `undefined` if the job does nothing, because the person does not fit the
 * selection any more. A reminder also does nothing if the address is undeliverable or has a complaint, if the letter
 * limit forbids the letter, or if the person was asked to confirm after the start of the job, by this job or by a
 * repeat of the sign-up
 */
export function actOnPerson(
  job: Pick<Job, "act" | "selection" | "startedAt">,
  person: { email: string; record: SignUpRecord },
  { now, letterLimit }: { now: number; letterLimit: LetterLimit },
): Step | Leave | undefined {
  if (!fitsSelection(person, selectionOfJob(job))) return undefined;
  if (job.act === "erase") return { leaves: "operator", at: now };
  const { complainedAt, confirmations } = person.record;
  if (complainedAt || (confirmations?.lastAt ?? "") >= job.startedAt) return undefined;
  const step = askToConfirm(person.record, new Date(now).toISOString(), letterLimit);
  return step.letter && step;
}

/**
 * Gives a job after it has acted on further people. The job is done if nobody else fits its selection, or if it has
 * acted on `most` people.
 * @param options.people the number of the further people
 * @param options.isLast whether nobody else fits the selection
 * @param options.at the present moment, a date-time
 */
export function advanceJob(
  job: Job,
  { people, isLast, at }: { people: number; isLast: boolean; at: string },
): Job {
  const advanced = { ...job, done: job.done + people };
  return isLast || advanced.done >= job.most ? endJob(advanced, "done", at) : advanced;
}

/** Gives a job in its final state. The text of a search is removed, because it can be an address. */
export function endJob(job: Job, state: "done" | "cancelled", endedAt: string): Job {
  const { search, ...selection } = job.selection;
  return { ...job, selection, ...search !== undefined && { searched: true }, state, endedAt };
}
