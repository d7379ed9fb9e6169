/**
 * `waitlist signups invite`: shows how many people a wave would invite, starts the wave, and follows it. The service makes
 * the invitations by itself.
 *
 * @module
 */
import { momentId } from "../../../shared/moments.ts";
import type { NotInvited, WaveReport, WaveRequest } from "../../../shared/operator_schemas.ts";
import { askFirst, askToReplace, requireTerminal } from "../../ask_first.ts";
import { type CommandInput, defineCommand, type Session } from "../../command.ts";
import { CliError, EXIT, type ExitCode, UsageError } from "../../errors.ts";
import { parseCount, parseExpires } from "../../flag_values.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../../operator/client.ts";
import { withRetries } from "../../operator/cuts.ts";
import { createProgress } from "../../operator/progress.ts";
import type { WorkTools } from "../../operator/run_long_work.ts";
import { chooseLink } from "../waves/choose_link.ts";
import { describeWave, followWave } from "../waves/follow_wave.ts";
import { writeWavePeople } from "../waves/wave_people.ts";
import { addFilterFlags, flagOf, parseFilter } from "./filters.ts";
import {
  describeNotInvited,
  describePlan,
  fetchPlan,
  noCodeWarning,
  printPlan,
} from "./invite/plan.ts";

/** The options of the command. */
interface InviteOptions {
  /** The body of the call. The link may be missing, because an earlier wave can supply it. */
  request: Omit<WaveRequest, "wave" | "link"> & { link: string | undefined; letters: boolean };
  /** The id of the wave; `undefined` if the command makes an id from the present time. */
  wave: string | undefined;
  /** The path of the file for the people's data, in place of letters; `undefined` if letters are sent. */
  output: string | undefined;
  /** Whether to start the wave without following it to its end. */
  isDetached: boolean;
  isDryRun: boolean;
  /** Whether to start the wave without asking first. */
  yes: boolean;
}

export default defineCommand<InviteOptions, OperatorClient>({
  access: OPERATOR_ACCESS,
  resumeAdvice:
    "a wave that has started continues by itself; look at its state with 'waitlist waves list'",
  examples: [
    [
      'waitlist signups invite --next 100 --link "https://app.example.com/?code={code}"',
      "shows the number, and asks first",
    ],
    ["waitlist signups invite --next 100 --detach", "with the last wave's link; does not wait"],
    [
      "waitlist signups invite ada@example.com --output list.csv",
      "for e-mails that you send by other means",
    ],
  ],
  declare: (command) => {
    command
      .argument("[email...]", "the addresses of the people, unless --next is given")
      .option("--next <number>", "invite this many waiting people, the first sign-ups first");
    addFilterFlags(command);
    command
      .option("--link <url>", "the link in the e-mails; that of the last wave if left out")
      .option("--expires <date>", "the last UTC day of the invitations, or a time")
      .option("--wave <id>", "the id of the wave; made from the time if left out")
      .option("--output <file>", "send no e-mails; write the people to this file, CSV or NDJSON")
      .option("--detach", "start the wave, and do not wait for it")
      .option("--dry-run", "show who would be invited, and change nothing")
      .option("-y, --yes", "do not ask first");
  },
  parse: parseOptions,
  async run({ request, wave, output, isDetached, isDryRun, yes }, session) {
    const { context, settings } = session;
    const asksFirst = !yes && !isDryRun;
    if (asksFirst) {
      requireTerminal(
        context,
        "Nobody was invited, because without a terminal the command cannot ask you first; add --yes to " +
          "run the command without this question",
      );
      if (output !== undefined) await askToReplace(output, context);
    }
    const client = await session.connect();
    using progress = createProgress(context, settings);
    const tools = { client, context, progress };
    const body = {
      ...request,
      wave: wave ?? momentId(context.clock.now()),
      link: await chooseLink(request.link, tools),
    };
    if (request.letters && !body.link.includes("{code}")) progress.note(noCodeWarning(body.link));
    if (asksFirst || isDryRun) {
      const plan = await fetchPlan(body, tools);
      progress.end();
      if (isDryRun || plan.wouldInvite === 0) return printPlan(plan, session);
      await askFirst(describePlan(plan, body, { baseUrl: settings.baseUrl, output }), context);
    }
    return await runWave(body, { isDetached, output }, { tools, session });
  },
});

/** Starts a wave, follows the wave unless the user gave `--detach`, and prints what the wave has done. */
async function runWave(
  body: WaveRequest & { wave: string },
  { isDetached, output }: Pick<InviteOptions, "isDetached" | "output">,
  { tools, session }: { tools: WorkTools; session: Session<OperatorClient> },
): Promise<ExitCode> {
  const { client, progress } = tools;
  const started = await withRetries(() => client.call("startWave", { body }), tools);
  // If the wave invites nobody, the service deletes the wave. It then answers `startWave` with a plan, as for a dry
  // run, in place of a report.
  if (!("state" in started)) {
    progress.end();
    return printPlan(started, session);
  }
  const { notInvited = [], ...startedWave } = started;
  if (startedWave.state === "running" && !isDetached) {
    progress.note(`The wave ${body.wave} runs by itself, even after Ctrl+C.`);
  }
  const report = isDetached ? startedWave : await followToEnd(body.wave, tools);
  if (!report) {
    const plan = await fetchPlan(body, tools);
    progress.end();
    return printPlan(plan, session);
  }
  const file = report.state === "done" ? output : undefined;
  if (file !== undefined) await writeWavePeople(file, body.wave, tools);
  progress.end();
  return printReport(report, { notInvited, file }, session);
}

/**
 * Prints what a wave has done.
 *
 * @param options.file the file with the data of the people; `undefined` if it was not written
 */
function printReport(
  report: WaveReport,
  { notInvited, file }: { notInvited: NotInvited[]; file: string | undefined },
  { print }: Session<OperatorClient>,
): ExitCode {
  return print({
    json: { ...report, notInvited, dryRun: false, ...file !== undefined && { file } },
    text: () => describeNotInvited(notInvited) + describeWave(report, file),
    quiet: `${report.wave}\n`,
    // The exit code tells a script that some of the named people are not invited, or that the wave was cancelled.
    exitCode: notInvited.length > 0 || report.state === "cancelled" ? EXIT.failedCheck : EXIT.fine,
  });
}

/**
 * Follows a wave to its end. Returns `undefined` if the wave has invited nobody, because the service deletes such a
 * wave at its end.
 */
async function followToEnd(id: string, tools: WorkTools): Promise<WaveReport | undefined> {
  try {
    return await followWave(id, tools);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === EXIT.notFound) return undefined;
    throw error;
  }
}

/** Makes the options from addresses and flags. */
function parseOptions({ args: emails, flags }: CommandInput): InviteOptions {
  const filter = parseFilter(flags);
  const next = flags.next === undefined ? undefined : parseCount("--next", String(flags.next));
  if ((next === undefined) === (emails.length === 0)) {
    throw new UsageError(
      "It is not clear whom to invite; give either --next with a number, or addresses",
    );
  }
  const [filterName] = Object.keys(filter);
  if (emails.length > 0 && filterName) {
    const flag = flagOf(filterName);
    throw new UsageError(
      `${flag} works only with --next; leave out ${flag}, or give --next in place of the addresses`,
    );
  }
  const output = flags.output as string | undefined;
  const isDetached = flags.detach === true;
  if (isDetached && output !== undefined) {
    throw new UsageError(
      "--detach and --output exclude each other, because --output writes the data of the invited people when the wave has " +
        "ended; leave out one of these flags (without --output, the service sends the invitation e-mails)",
    );
  }
  const request = {
    ...next === undefined ? { emails } : { next },
    ...filter,
    link: flags.link as string | undefined,
    letters: output === undefined,
    ...flags.expires !== undefined && { expires: parseExpires(String(flags.expires)) },
  };
  const wave = flags.wave as string | undefined;
  const isDryRun = flags.dryRun === true;
  return { request, wave, output, isDetached, isDryRun, yes: flags.yes === true };
}
