/**
 * `waitlist backup`: writes the whole store to one file, and checks the file while it arrives.
 *
 * @module
 */
import { askToReplace } from "../ask_first.ts";
import { defineCommand, type Session } from "../command.ts";
import { CliError, EXIT, type ExitCode, UsageError } from "../errors.ts";
import { plural } from "../format.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../operator/client.ts";
import { createProgress, shareOf } from "../operator/progress.ts";
import type { WorkTools } from "../operator/run_long_work.ts";
import { formatCounts, formatUnreadableWithAdvice } from "../operator/records_text.ts";
import { writeWhole } from "../whole_file.ts";
import { BackupFault } from "./backup/backup_fault.ts";
import { BackupVerifier, type VerifiedBackup } from "./backup/verifier.ts";

/** How many characters are gathered before they are written. A write for each line would be slow. */
const MIN_WRITE_LENGTH = 1_000_000;

export default defineCommand({
  access: OPERATOR_ACCESS,
  resumeAdvice:
    "to go on, run the same command again; the command begins anew, and a file that existed already was not changed",
  examples: [
    ["waitlist backup waitlist.ndjson", "the file gets its name when it is whole and checked"],
    ["waitlist backup waitlist.ndjson --yes --json", "replaces the file without asking"],
    ["waitlist backup - | age -r age1… > waitlist.age", "to standard output, for other programs"],
  ],
  declare: (command) => {
    command
      .argument(
        "<file>",
        "the file to write, or - for standard output; keep it safe, because it holds addresses",
      )
      .option("-y, --yes", "replace an existing file without asking");
  },
  parse: ({ args, flags }) => ({ path: args[0]!, yes: flags.yes === true }),
  run: (options, session) =>
    options.path === "-" ? backUpToOutput(session) : backUpToFile(options, session),
});

/** Backs up to a file, and prints what the backup holds. */
async function backUpToFile(
  { path, yes }: { path: string; yes: boolean },
  { settings, context, connect, print }: Session<OperatorClient>,
): Promise<ExitCode> {
  if (!yes) await askToReplace(path, context);
  const client = await connect();
  using progress = createProgress(context, settings);
  const backup = await saveBackup(path, { client, context, progress });
  progress.end();
  const { createdAt, counts, checksum, unreadable } = backup;
  const exitCode = print({
    json: { file: path, createdAt, counts, checksum, unreadable },
    text: () => `Backed up ${formatCounts(counts)} to ${path}.\n`,
    exitCode: exitCodeOf(backup),
  });
  context.stderr.write(formatUnreadableWithAdvice(unreadable));
  return exitCode;
}

/** Writes a backup to a file, with {@linkcode writeWhole}. */
async function saveBackup(
  path: string,
  { client, context: { files }, progress }: WorkTools,
): Promise<VerifiedBackup> {
  const encoder = new TextEncoder();
  return await writeWhole(path, async (file) => {
    const write = (text: string) => file.write(encoder.encode(text));
    return await receiveBackup(write, { client, progress });
  }, { files });
}

/**
 * Writes a backup to standard output, and a summary of the backup to standard error. The reader of standard output
 * learns only from the exit code of this program whether the backup is whole.
 */
async function backUpToOutput(
  { settings, context, connect }: Session<OperatorClient>,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  if (stdout.isTerminal) {
    throw new UsageError(
      "A backup holds e-mail addresses, so the command does not write a backup to a terminal; pipe the output into " +
        "another program, or give the path of a file",
    );
  }
  const client = await connect();
  using progress = createProgress(context, settings);
  const write = (text: string) => Promise.resolve(stdout.writeData(text));
  const backup = await receiveBackup(write, { client, progress });
  progress.end();
  if (!settings.quiet) stderr.write(`Backed up ${formatCounts(backup.counts)}.\n`);
  stderr.write(formatUnreadableWithAdvice(backup.unreadable));
  return exitCodeOf(backup);
}

/**
 * Returns the exit code for a backup that has arrived whole. If records are missing because the service could not read
 * them, the exit code is that of a failed check.
 */
function exitCodeOf({ unreadable }: VerifiedBackup): ExitCode {
  return unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck;
}

/**
 * Receives a backup line by line, checks each line, and passes the lines on in large pieces.
 *
 * @throws {CliError} if the call fails, or if the backup does not arrive whole
 */
async function receiveBackup(
  write: (text: string) => Promise<void>,
  { client, progress }: Pick<WorkTools, "client" | "progress">,
): Promise<VerifiedBackup> {
  const verifier = new BackupVerifier();
  let signUpCount: number | undefined;
  const setSignUpCount = (count: number) => signUpCount = count;
  let unwritten = "";
  try {
    for await (const lines of client.lines("backUp", { body: {} }, setSignUpCount)) {
      for (const line of lines) {
        verifier.checkLine(line);
        unwritten += `${line}\n`;
      }
      const { lineCount } = verifier;
      // The share is an estimate: the number of all lines is not known, only the number of sign-ups among them.
      progress.show(plural(lineCount, "line", "lines"), shareOf(lineCount, signUpCount));
      if (unwritten.length < MIN_WRITE_LENGTH) continue;
      await write(unwritten);
      unwritten = "";
    }
    await write(unwritten);
    return verifier.finish();
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error;
    throw new CliError(
      `The backup did not arrive intact: ${error.message}; run the command again`,
      EXIT.cannotConnect,
    );
  }
}
