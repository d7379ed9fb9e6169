/**
 * `waitlist waves schedule`: shows what the next runs of a schedule would do, and makes the schedule. The service starts
 * a wave at each run by itself.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { isDay } from "../../../shared/moments.ts";
import { SCHEDULE_ID } from "../../../shared/name_patterns.ts";
import type {
  SchedulePlan,
  ScheduleReport,
  ScheduleRequest,
} from "../../../shared/operator_schemas.ts";
import { INTERVALS, TIME_OF_DAY, WEEKDAYS } from "../../../shared/schedule_times.ts";
import { askFirst, requireTerminal } from "../../ask_first.ts";
import { type CommandInput, defineCommand, type Session } from "../../command.ts";
import { CliError, EXIT, UsageError } from "../../errors.ts";
import { type FlagValues, parseChoice, parseCount, parseZone } from "../../flag_values.ts";
import { plural } from "../../format.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../../operator/client.ts";
import { createProgress } from "../../operator/progress.ts";
import { addFilterFlags, parseFilter } from "../signups/filters.ts";
import { describePassedOver, noCodeWarning } from "../signups/invite/plan.ts";
import { chooseLink } from "./choose_link.ts";
import { describeSchedule, formatRunTime } from "./schedules.ts";

/** The options of the command. */
interface ScheduleOptions {
  /** The body of the call without the link, because an earlier wave can supply the link. */
  request: Omit<ScheduleRequest, "link">;
  /** The value of `--link`. */
  link: string | undefined;
  isDryRun: boolean;
  /** Whether to make the schedule without asking first. */
  yes: boolean;
}

export default defineCommand<ScheduleOptions, OperatorClient>({
  access: OPERATOR_ACCESS,
  examples: [
    [
      "waitlist waves schedule weekly --next 100 --every week --weekday monday --at 09:00 --zone Europe/Berlin",
      "shows the next three runs, and asks first",
    ],
    [
      "waitlist waves schedule launch --next 20 --every day --at 18:30 --zone UTC --times 10 --yes",
      "with the last wave's link; ten waves",
    ],
  ],
  declare: (command) => {
    command
      .argument("<id>", "the id of the schedule; those of its waves begin with it")
      .requiredOption("--next <number>", "invite this many waiting people at each run")
      .requiredOption("--every <day|week>", "how often a wave starts")
      .option("--weekday <day>", "the day of the week, with --every week: monday to sunday")
      .requiredOption("--at <time>", "the time of day in the zone, such as 09:00")
      .requiredOption(
        "--zone <name>",
        "the zone, by its IANA name or its city, such as Europe/Berlin or Berlin",
      )
      .option("--until <date>", "the last day on which a wave may start")
      .option("--times <number>", "start this many waves at most");
    addFilterFlags(command);
    command
      .option("--link <url>", "the link in the e-mails; that of the last wave if left out")
      .option("--expires-after-days <number>", "how many days the invitations of a wave are valid")
      .option("--no-letters", "send no e-mails; 'waves people' has the links")
      .option("--dry-run", "show what the next three runs would do, and change nothing")
      .option("-y, --yes", "do not ask first");
  },
  parse: parseOptions,
  async run({ request, link, isDryRun, yes }, session) {
    const { context, settings, print } = session;
    const asksFirst = !yes && !isDryRun;
    if (asksFirst) {
      requireTerminal(
        context,
        "No schedule was made, because without a terminal the command cannot ask you first; add --yes to " +
          "run the command without this question",
      );
    }
    const client = await session.connect();
    using progress = createProgress(context, settings);
    const tools = { client, context, progress };
    const body: ScheduleRequest = { ...request, link: await chooseLink(link, tools) };
    if (request.letters && !body.link.includes("{code}")) progress.note(noCodeWarning(body.link));
    if (asksFirst || isDryRun) {
      const plan = await planSchedule(body, client);
      progress.end();
      if (isDryRun) return printSchedulePlan(plan, session);
      await askFirst(scheduleQuestion(plan, body, settings.baseUrl), context);
    }
    const schedule = await makeSchedule(body, client);
    progress.end();
    return print({
      json: schedule,
      text: () => describeSchedule(schedule),
      quiet: `${schedule.id}\n`,
    });
  },
});

/** Asks the service what the next runs of a schedule would do. */
async function planSchedule(body: ScheduleRequest, client: OperatorClient): Promise<SchedulePlan> {
  const answer = await client.call("createSchedule", { body: { ...body, dryRun: true } });
  if (!("passedOver" in answer)) throw differentVersionError("what the schedule would do");
  return answer;
}

/** Makes the schedule. */
async function makeSchedule(
  body: ScheduleRequest,
  client: OperatorClient,
): Promise<ScheduleReport> {
  const answer = await client.call("createSchedule", { body });
  if ("passedOver" in answer) throw differentVersionError("which schedule was made");
  return answer;
}

/**
 * Makes the error about an answer that lacks the plan or the schedule that the command has asked for.
 *
 * @param missing what the answer does not say
 */
function differentVersionError(
  missing: "what the schedule would do" | "which schedule was made",
): CliError {
  return new CliError(
    `The service's answer does not say ${missing}; use the same version of the service and of this program`,
    EXIT.failedCheck,
  );
}

function parseOptions({ args, flags }: CommandInput): ScheduleOptions {
  const id = args[0]!;
  if (!SCHEDULE_ID.test(id)) {
    throw new UsageError(
      `The id of the schedule is '${id}'; give 1 to 53 of the characters A-Z, a-z, 0-9, '_' and '-'`,
    );
  }
  const request: ScheduleOptions["request"] = {
    id,
    next: parseCount("--next", String(flags.next)),
    ...parseFilter(flags),
    letters: flags.letters !== false,
    ...flags.expiresAfterDays !== undefined && {
      expiresAfterDays: parseCount("--expires-after-days", String(flags.expiresAfterDays)),
    },
    ...parseTimes(flags),
    ...flags.times !== undefined && { times: parseCount("--times", String(flags.times)) },
  };
  const link = flags.link as string | undefined;
  return { request, link, isDryRun: flags.dryRun === true, yes: flags.yes === true };
}

/** Reads the flags that say when the schedule runs. */
function parseTimes(
  flags: FlagValues,
): Pick<ScheduleRequest, "every" | "weekday" | "at" | "zone" | "until"> {
  const { weekday, at, zone, until } = flags;
  const every = parseChoice("--every", String(flags.every), INTERVALS);
  if (every === "week" && weekday === undefined) {
    throw new UsageError(
      "--every week needs the day of the week; add --weekday with a day, such as --weekday monday",
    );
  }
  if (every === "day" && weekday !== undefined) {
    throw new UsageError("--weekday works only with --every week; leave --weekday out");
  }
  if (!TIME_OF_DAY.test(String(at))) {
    throw new UsageError(`--at is '${at}'; give a time of day such as 09:00`);
  }
  if (until !== undefined && !isDay(String(until))) {
    throw new UsageError(`--until is '${until}'; give a date such as 2027-01-31`);
  }
  return {
    every,
    ...weekday !== undefined && {
      weekday: parseChoice("--weekday", String(weekday), WEEKDAYS),
    },
    at: String(at),
    zone: parseZone(String(zone)),
    ...until !== undefined && { until: String(until) },
  };
}

/** The greatest length of the id of a wave. */
const MAX_WAVE_ID_LENGTH = 64;

/** Describes each run of a plan in a few words. */
function describeRuns({ runs }: SchedulePlan): string[] {
  return runs.map(({ wave, dueAt, wouldInvite }) => {
    const people = plural(wouldInvite, "person", "people");
    return `${formatRunTime(dueAt)}: ${people} in the wave ${quotable(wave, MAX_WAVE_ID_LENGTH)}`;
  });
}

/** Returns the question that the operator must confirm before a schedule is made. */
function scheduleQuestion(
  plan: SchedulePlan,
  { id, link, letters }: ScheduleRequest,
  baseUrl: string,
): string {
  const letterText = letters
    ? `Each person gets an e-mail that leads to ${link}`
    : "No e-mail is sent";
  return `Make the schedule ${id} at ${baseUrl}? The next runs, if nobody joins or leaves: ` +
    `${describeRuns(plan).join("; ")}. ${letterText}.`;
}

/** Prints what the next runs would do. */
function printSchedulePlan(plan: SchedulePlan, { print }: Session<OperatorClient>) {
  const lines = describeRuns(plan).map((run) => `Would invite at ${run}.\n`);
  const passedOver = describePassedOver(plan.passedOver);
  return print({
    json: { ...plan, dryRun: true },
    text: () => lines.join("") + (passedOver && `${passedOver}\n`),
    quiet: plan.runs.map(({ dueAt }) => `${dueAt}\n`).join(""),
  });
}
