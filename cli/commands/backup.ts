/**
 * `waitlist backup`: writes the whole store to one file, and checks the file while it arrives.
 *
 * @module
 */
import { askToReplace } from "../ask_first.ts";
import { defineCommand, type Session } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, type ExitCode, UsageError } from "../errors.ts";
import { cannotWrite } from "../files.ts";
import { OPERATOR, type OperatorClient } from "../operator/client.ts";
import { createProgress, shareOf, type Work } from "../operator/progress.ts";
import { formatCounts, formatUnreadable } from "../operator/records_text.ts";
import { BackupFault } from "./backup/backup_fault.ts";
import { BackupVerifier, type VerifiedBackup } from "./backup/verifier.ts";

/** How many characters are gathered for one write, because a write for each line would be slow. */
const WRITE_AT = 1_000_000;

export default defineCommand({
  access: OPERATOR,
  goOn: "run the same command again; it begins anew, and an existing file was not changed",
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
  const progress = createProgress(context, settings);
  const backup = await saveBackup(path, { client, context, progress });
  const { createdAt, counts, checksum, unreadable } = backup;
  const exitCode = print({
    json: { file: path, createdAt, counts, checksum, unreadable },
    text: () => `Backed up ${formatCounts(counts)} to ${path}.\n`,
    exitCode: exitCodeOf(backup),
  });
  context.stderr.write(formatUnreadable(unreadable));
  return exitCode;
}

/** Backs up to standard output. What the backup holds is written to standard error. */
async function backUpToOutput(
  { settings, context, connect }: Session<OperatorClient>,
): Promise<ExitCode> {
  refuseTerminal(context);
  const client = await connect();
  const progress = createProgress(context, settings);
  const backup = await pipeBackup({ client, context, progress });
  if (!settings.quiet) context.stderr.write(`Backed up ${formatCounts(backup.counts)}.\n`);
  context.stderr.write(formatUnreadable(backup.unreadable));
  return exitCodeOf(backup);
}

/** A backup that lacks unreadable records is a failed check. */
function exitCodeOf({ unreadable }: VerifiedBackup): ExitCode {
  return unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck;
}

/**
 * Writes a backup to a file. The file gets its name when it is whole, so a backup that fails leaves no new file, and does
 * not change an existing one.
 */
async function saveBackup(
  path: string,
  { client, context, progress }: Work,
): Promise<VerifiedBackup> {
  const { files } = context;
  const part = `${path}.part`;
  let opened = false;
  try {
    using file = await files.create(part);
    opened = true;
    const verified = await receive((bytes) => file.write(bytes), { client, progress });
    await file.sync();
    await files.rename(part, path);
    return verified;
  } catch (error) {
    if (opened) await files.remove(part).catch(() => {});
    throw explain(path, error);
  } finally {
    progress.end();
  }
}

/** Writes a backup to standard output. Only the exit code tells the reader whether the backup is whole. */
async function pipeBackup({ client, context, progress }: Work): Promise<VerifiedBackup> {
  const decoder = new TextDecoder();
  try {
    const write = (bytes: Uint8Array) => {
      return Promise.resolve(context.stdout.writeData(decoder.decode(bytes, { stream: true })));
    };
    return await receive(write, { client, progress });
  } catch (error) {
    if (error instanceof BackupFault) throw explain("-", error);
    throw error;
  } finally {
    progress.end();
  }
}

function refuseTerminal({ stdout }: Context): void {
  if (!stdout.isTerminal) return;
  throw new UsageError(
    "A backup holds addresses, so it is not written to a terminal; pipe it into a program, or give a file",
  );
}

/** Receives a backup line by line, checks each line, and passes the lines on in large pieces. */
async function receive(
  write: (bytes: Uint8Array) => Promise<void>,
  { client, progress }: Pick<Work, "client" | "progress">,
): Promise<VerifiedBackup> {
  const verifier = new BackupVerifier();
  const encoder = new TextEncoder();
  let count = 0;
  let total: number | undefined;
  let text = "";
  for await (const lines of client.lines("backUp", { body: {} }, (signUps) => total = signUps)) {
    for (const line of lines) {
      verifier.add(line);
      text += `${line}\n`;
    }
    count += lines.length;
    progress.show(`${count.toLocaleString("en")} lines`, shareOf(count, total));
    if (text.length < WRITE_AT) continue;
    await write(encoder.encode(text));
    text = "";
  }
  await write(encoder.encode(text));
  return verifier.finish();
}

/** Turns an error of writing a backup into an error that names the file or the next step. */
function explain(path: string, error: unknown): unknown {
  if (error instanceof CliError) return error;
  if (error instanceof BackupFault) {
    const message = `The backup did not arrive intact: ${error.message}; run the command again`;
    return new CliError(message, EXIT.cannotConnect);
  }
  return new CliError(cannotWrite(`'${path}'`, error), EXIT.failedCheck);
}
