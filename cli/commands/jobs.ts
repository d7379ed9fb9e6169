/**
 * `waitlist jobs`: starts, shows and cancels jobs. A job reminds or erases everybody who fits a selection. The service
 * does the work of a job by itself.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import type {
  JobReport,
  PeopleSelection,
  SignupCountRequest,
} from "../../shared/operator_schemas.ts";
import { askFirst, requireTerminal } from "../ask_first.ts";
import { type CommandInput, defineCommand, parseNoOptions } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { parseChoice, parseCount } from "../flag_values.ts";
import { formatFields, formatMinute, formatTable, plural } from "../format.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../operator/client.ts";
import { withRetries } from "../operator/cuts.ts";
import { createProgress, shareOf } from "../operator/progress.ts";
import type { WorkTools } from "../operator/run_long_work.ts";
import { addSelectionFlags, parseSelection } from "./signups/filters.ts";

/** What a job can do with people. */
const ACTS = ["remind", "erase"] as const;

/** The options of `jobs start`. */
interface StartOptions {
  act: typeof ACTS[number];
  selection: PeopleSelection;
  /** The value of `--most`: how many people the operator expects the job to be for. */
  expectedCount: number | undefined;
  /** The id for the job; `undefined` if the service makes one. */
  id: string | undefined;
  /** Whether to start the job without following it to its end. */
  isDetached: boolean;
  /** Whether to remind without asking first. */
  yes: boolean;
}

const start = defineCommand<StartOptions, OperatorClient>({
  access: OPERATOR_ACCESS,
  resumeAdvice:
    "a job that has started continues by itself; look at its state with 'waitlist jobs list'",
  examples: [
    ["waitlist jobs start remind --lang de", "German people who have not confirmed; asks first"],
    ["waitlist jobs start erase --search @test.example", "shows how many people these are"],
    ["waitlist jobs start erase --search @test.example --most 17", "erases these 17 people"],
  ],
  declare: (command) => {
    command.argument("<act>", "remind, which asks people again to confirm, or erase");
    addSelectionFlags(command);
    command
      .option("--most <number>", "the number of people, which an erasure needs")
      .option("--job <id>", "an id for the job; the service makes one if it is left out")
      .option("--detach", "do not wait until the job is done")
      .option("-y, --yes", "remind without asking first");
  },
  parse: ({ args, flags }) => {
    const selection = parseSelection(flags);
    if (Object.keys(selection).length === 0) {
      throw new UsageError("It is not clear whom the job is for; give a filter, such as --state");
    }
    const act = parseChoice("The act", args[0]!, ACTS);
    const { state = "unconfirmed" } = selection;
    if (act === "remind" && state !== "unconfirmed") {
      throw new UsageError(
        `--state is '${state}'; leave --state out, because only people who are unconfirmed are reminded`,
      );
    }
    return {
      act,
      selection,
      expectedCount: flags.most === undefined
        ? undefined
        : parseCount("--most", String(flags.most)),
      id: flags.job as string | undefined,
      isDetached: flags.detach === true,
      yes: flags.yes === true,
    };
  },
  async run({ expectedCount, ...options }, session) {
    const { context, settings, connect, print } = session;
    const { act } = options;
    const asksFirst = act === "remind" && !options.yes;
    if (asksFirst) requireTerminal(context);
    const client = await connect();
    using progress = createProgress(context, settings);
    const tools = { client, context, progress };
    const count = await countPeople(options, tools);
    progress.end();
    if (count === 0) return print({ json: { count }, text: () => "Nobody fits.\n" });
    if (act === "erase") checkExpectedCount(expectedCount, count);
    if (asksFirst) {
      const people = plural(count, "person", "people");
      await askFirst(`Ask ${people} again to confirm at ${settings.baseUrl}?`, context);
    }
    const report = await startJob({ ...options, most: expectedCount ?? count }, tools);
    progress.end();
    return print({
      json: report,
      text: () => describeJob(report),
      quiet: `${report.job}\n`,
      exitCode: report.state === "cancelled" ? EXIT.failedCheck : EXIT.fine,
    });
  },
});

/**
 * Throws a `UsageError` unless the operator has given the right number of people to erase, so that nobody erases more
 * people than they know of.
 *
 * @param expectedCount the value of `--most`
 * @param count the number of people who fit the selection
 */
function checkExpectedCount(expectedCount: number | undefined, count: number): void {
  if (expectedCount === count) return;
  const people = plural(count, "person", "people");
  const contrast = expectedCount === undefined ? "" : `, but --most is ${expectedCount}`;
  throw new UsageError(
    `${people} would be erased${contrast}; look at these people with 'waitlist signups list', and give ` +
      `--most ${count} to erase them`,
  );
}

/** Counts the people whom a job is for. */
async function countPeople(
  { act, selection }: Pick<StartOptions, "act" | "selection">,
  { client, progress }: WorkTools,
): Promise<number> {
  // Only people who are unconfirmed are reminded.
  const people = act === "remind" ? { ...selection, state: "unconfirmed" as const } : selection;
  let after: SignupCountRequest["after"];
  for (;;) {
    const body = { ...people, ...after && { after } };
    const { count, next } = await client.call("countSignups", { body });
    if (!next) return count;
    progress.show(plural(count, "person", "people"));
    after = next;
  }
}

/**
 * Starts a job, and follows the job unless the user gave `--detach`.
 *
 * @param options.most the most people for whom the job may do its work
 */
async function startJob(
  { act, selection, most, id, isDetached }:
    & Pick<StartOptions, "act" | "selection" | "id" | "isDetached">
    & { most: number },
  tools: WorkTools,
): Promise<JobReport> {
  const body = { act, selection, most, ...id !== undefined && { job: id } };
  const report = await tools.client.call("startJob", { body });
  return isDetached ? report : await followJob(report.job, tools);
}

/** The time between two calls for the state of a job, in milliseconds. */
const POLL_MS = 1_000;

/** Shows the progress of a job until the job is not running any more, and returns its report. */
async function followJob(id: string, tools: WorkTools): Promise<JobReport> {
  const { client, context: { clock }, progress } = tools;
  for (;;) {
    const job = await withRetries(() => client.call("showJob", { path: { id } }), tools);
    progress.show(plural(job.done, "person", "people"), shareOf(job.done, job.most));
    if (job.state !== "running") return job;
    await clock.wait(POLL_MS, new AbortController().signal);
  }
}

/** The greatest length of the id of a job, and of the other short texts in the table of jobs. */
const MAX_ID_LENGTH = 64;

/** What a job has done with people, as the end of a phrase, by the `act` of the job. */
const DONE_PHRASES = { remind: "asked again", erase: "erased" };

/** Describes the state of a job in a sentence. */
function describeJob({ job, act, state, done, most }: JobReport): string {
  const people = `${plural(done, "person", "people")} ${DONE_PHRASES[act]}`;
  if (state !== "done") {
    return `The job ${quotable(job, MAX_ID_LENGTH)} is ${state}; ${people} of ${most} so far.\n`;
  }
  const passedOver = done < most ? `; ${most - done} passed over` : "";
  return `The job ${quotable(job, MAX_ID_LENGTH)} is done; ${people}${passedOver}.\n`;
}

const HEADING = ["Job", "Act", "State", "Started (UTC)", "By", "Done", "Of"];

const list = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [["waitlist jobs list", "the last 100, the newest first"]],
  parse: parseNoOptions,
  async run(_options, { connect, print }) {
    const { jobs } = await (await connect()).call("listJobs", {});
    return print({
      json: { jobs },
      text: (style) =>
        jobs.length === 0
          ? "There are no jobs.\n"
          : formatTable(HEADING, jobs.map(toRow), style, { mayDrop: ["By"] }),
      quiet: jobs.map(({ job }) => `${job}\n`).join(""),
    });
  },
});

function toRow({ job, act, state, startedAt, operator = "", done, most }: JobReport): string[] {
  const texts = [job, act, state, formatMinute(startedAt), operator];
  return [
    ...texts.map((text) => quotable(text, MAX_ID_LENGTH)),
    String(done),
    String(most),
  ];
}

/** How many characters of the selection of a job are shown at most. */
const MAX_SELECTION_LENGTH = 1_000;

const ID_DESCRIPTION = "the id of the job";

const show = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [["waitlist jobs show old-tests", "how far the job is"]],
  declare: (command) => void command.argument("<id>", ID_DESCRIPTION),
  parse: ({ args }) => args[0]!,
  async run(id, { connect, print }) {
    const job = await (await connect()).call("showJob", { path: { id } });
    const conditions = Object.entries(job.selection).map(([name, value]) => `${name} ${value}`);
    if (job.searched) conditions.push("a search, whose text is not kept");
    return print({
      json: job,
      quiet: `${job.state}\n`,
      text: (style) =>
        formatFields([
          ["Job", quotable(job.job, MAX_ID_LENGTH)],
          ["Act", job.act],
          ["People", quotable(conditions.join(", ") || "everybody", MAX_SELECTION_LENGTH)],
          ["State", job.state],
          ["Started", job.startedAt],
          ["Ended", job.endedAt],
          ["By", job.operator],
          ["Done", `${job.done} of ${job.most}`],
        ], style),
    });
  },
});

const cancel = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [["waitlist jobs cancel old-tests", "acts on nobody else"]],
  declare: (command) => void command.argument("<id>", ID_DESCRIPTION),
  parse: ({ args }: CommandInput) => args[0]!,
  async run(id, { connect, print }) {
    const job = await (await connect()).call("cancelJob", { path: { id } });
    return print({ json: job, text: () => describeJob(job), quiet: `${job.state}\n` });
  },
});

export default { start, list, show, cancel };
