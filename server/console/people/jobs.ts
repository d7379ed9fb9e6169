/**
 * The page of a job, and the list of jobs. A job reminds or erases everybody in a selection of people, and goes on when
 * the operator has left the console. `job_question.ts` starts jobs. @module
 */
import type { JobReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import {
  type Cell,
  facts,
  failedView,
  failureNote,
  goesOnNote,
  mayReload,
  progressBar,
  reloadElement,
  showTime,
  statusOf,
  table,
} from "../components.ts";
import { button, pathWith, postForm } from "../forms.ts";
import {
  type ConsolePage,
  type PageContext,
  type PageFailure,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { selectionFacts } from "./filter_facts.ts";

const JOB_PATH = "/operator/people/job/";

/** The path of the list of jobs. */
export const JOBS_PATH = "/operator/people/jobs/";

/** The path of the page of a job. */
export const jobPath = (id: string): string => pathWith(JOB_PATH, { id });

export const jobPage: ConsolePage = {
  path: JOB_PATH,
  get: (pageContext) => jobView(pageContext, pageContext.query.get("id") ?? ""),
  async post(pageContext, form) {
    const id = form.get("id") ?? "";
    const outcome = await pageContext.operations.cancelJob({ id });
    return "failure" in outcome ? await jobView(pageContext, id, outcome) : seeOther(jobPath(id));
  },
};

/**
 * The page of a job.
 * @param cancelFailure why the job was not cancelled; the page shows this reason above the job
 */
async function jobView(
  { operations, texts, may, query }: PageContext,
  id: string,
  cancelFailure?: PageFailure,
): Promise<View> {
  const { jobs: labels, invite, number } = texts;
  const job = await operations.showJob({ id });
  if ("failure" in job) return failedView(job, texts, { title: labels.title, back: JOBS_PATH });
  const { done, most: whole, state } = job;
  const title = labels.job({ act: texts.people.acts[job.act] });
  const isRunning = state === "running";
  const isReloading = isRunning && mayReload(query);
  const progressText = labels.soFar({ done: number(done), most: number(whole) });
  const jobFacts = facts([
    [invite.startedAt, showTime(job.startedAt, texts)],
    [invite.by, job.operator],
  ]);
  const passedOverCount = countPassedOver(job);
  const cancelForm = isRunning && may("cancelJob") &&
    postForm({ action: JOB_PATH, fields: { id } }, button(labels.cancel));
  return {
    title,
    heading: markup`${title} ${jobBadge(job, texts)}`,
    ...cancelFailure && { status: statusOf(cancelFailure) },
    body: markup`${isReloading && reloadElement()}
<p><a href="${JOBS_PATH}">${labels.all}</a></p>
${cancelFailure && failureNote(cancelFailure, texts, { conflict: labels.isDone })}
${progressBar({ label: labels.progress, done, whole, text: progressText })}
${
      passedOverCount > 0 &&
      markup`<p>${labels.passedOver[job.act]({ count: number(passedOverCount) })}</p>`
    }
${isRunning && goesOnNote(labels.goesOn, texts, { path: JOB_PATH, query: { id }, isReloading })}
${cancelForm}
${selectionFacts(job.selection, texts, job.searched)}
${jobFacts}`,
  };
}

export const jobsPage: ConsolePage = {
  path: JOBS_PATH,
  async get({ operations, texts }) {
    const { jobs: labels, invite, words, people: { acts } } = texts;
    const jobList = await operations.listJobs({});
    const back = PATHS.people;
    if ("failure" in jobList) return failedView(jobList, texts, { title: labels.title, back });
    const rows = jobList.jobs.map((job): Cell[] => [
      { rowHeading: markup`<a href="${jobPath(job.job)}">${acts[job.act]}</a>` },
      jobBadge(job, texts),
      showTime(job.startedAt, texts),
      job.operator,
      describeProgress(job, texts),
    ]);
    const head = [words.what, words.fields.state, invite.startedAt, invite.by, labels.progress];
    return {
      title: labels.title,
      body: markup`<p><a href="${back}">${texts.person.backToList}</a></p>
${
        rows.length > 0
          ? table({ caption: labels.caption, head, rows })
          : markup`<p class="empty">${labels.none}</p>`
      }`,
    };
  },
};

/**
 * The number of people on whom a job that is done has not acted. A job that runs or was cancelled has passed over nobody
 * for certain, so the number is 0.
 */
const countPassedOver = ({ state, done, most }: JobReport): number =>
  state === "done" ? Math.max(0, most - done) : 0;

/** Says how far a job is, and how many people it has passed over. */
function describeProgress(job: JobReport, { jobs: labels, number }: ConsoleTexts): string {
  const soFar = labels.soFar({ done: number(job.done), most: number(job.most) });
  const passedOverCount = countPassedOver(job);
  if (passedOverCount === 0) return soFar;
  return `${soFar}, ${labels.passedOverCount({ count: number(passedOverCount) })}`;
}

const jobBadge = ({ state }: JobReport, { invite: { states } }: ConsoleTexts): Html =>
  markup`<span class="badge ${state}">${states[state]}</span>`;
