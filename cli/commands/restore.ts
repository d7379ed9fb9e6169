/**
 * `waitlist restore`: puts a backup into an empty store. It checks the whole backup before it sends anything.
 *
 * @module
 */
import { oneAhead } from "../../shared/one_ahead.ts";
import type { RecountReport, RestoredLines } from "../../shared/operator_schemas.ts";
import { defineCommand, type Session } from "../command.ts";
import { CliError, EXIT, UsageError } from "../errors.ts";
import { plural } from "../format.ts";
import { checkStandardInput } from "../input.ts";
import { inChunks } from "../operator/chunks.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../operator/client.ts";
import { withRetries } from "../operator/cuts.ts";
import { createProgress, shareOf } from "../operator/progress.ts";
import { runLongWork, type WorkTools } from "../operator/run_long_work.ts";
import { formatCounts, formatDifferences, formatKey } from "../operator/records_text.ts";
import { describeAfterRestore } from "./backup/describe_after_restore.ts";
import { IDENTITY_FLAG, openBackup, type OpenedBackup } from "./backup/places.ts";
import { countErasures, erasureLines, linesBetween, verifyBackup } from "./backup/read_backup.ts";
import type { VerifiedBackup } from "./backup/verifier.ts";

/** The options of the command. */
interface RestoreOptions {
  /** The path of a backup or of a folder with backups, the URL of a bucket, or `-` for standard input. */
  source: string;
  /** The path of a file with secret keys of the encryption tool age. */
  identity: string | undefined;
  /** Whether to continue an unfinished restore of the same backup. */
  resume: boolean;
}

export default defineCommand<RestoreOptions, OperatorClient>({
  access: OPERATOR_ACCESS,
  resumeAdvice: "to go on, run the same command again with --resume",
  examples: [
    ["waitlist restore waitlist.ndjson", "checks the file before it writes anything"],
    ["waitlist restore waitlist.ndjson --resume", "continues after an interruption"],
    ["waitlist restore /var/backups/waitlist --identity key.txt", "a service's newest backup"],
    ["zstdcat waitlist.ndjson.zst | waitlist restore -", "from another program"],
  ],
  declare: (command) => {
    command
      .argument(
        "<file or url>",
        "a backup, the value of the service's BACKUP_URL, or - for standard input",
      )
      .option(...IDENTITY_FLAG)
      .option("--resume", "continue a restore of this backup that was not finished");
  },
  parse({ args: [source = ""], flags }) {
    checkStandardInput(source, flags);
    return {
      source,
      identity: flags.identity as string | undefined,
      resume: flags.resume === true,
    };
  },
  async run(options, session) {
    const restored = await restoreBackup(options, session);
    const { path, backup, recount, ...totals } = restored;
    // The name `owed` must not change, because programs read it.
    const { createdAt, counts, checksum, afterRestore: owed, unreadable } = backup;
    return session.print({
      json: { file: path, createdAt, counts, checksum, owed, unreadable, ...totals, recount },
      text: (style) => formatDifferences(recount, style) + describeRestore(restored),
      exitCode: recount.agrees ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

/**
 * What the command prints about a restore: how many lines the service restored, found unchanged or left out, the checked
 * backup, and the recount after the restore.
 */
interface RestoreResult extends RestoredLines {
  /** The path of the backup. */
  path: string;
  backup: VerifiedBackup;
  recount: RecountReport;
}

/** Describes a restore for people. */
function describeRestore({ backup, erased, recount }: RestoreResult): string {
  const { createdAt, counts, unreadable } = backup;
  const signUps = plural(erased, "sign-up", "sign-ups");
  const leftOut = erased === 0
    ? ""
    : `Left out, because the address has an erasure mark: ${signUps}.\n`;
  const verdict = recount.agrees
    ? `The counters agree with the ${plural(recount.records, "record", "records")}.\n`
    : "The counters are wrong; run 'waitlist counters repair', and then run the restore again with --resume.\n";
  const missing = unreadable.length === 0
    ? ""
    : "The backup lacks these records, which could not be read when it was made: " +
      `${unreadable.map(formatKey).join(", ")}.\n`;
  return `Restored the backup of ${createdAt}: ${formatCounts(counts)}.\n` +
    leftOut + missing + describeAfterRestore(backup.afterRestore) + verdict;
}

/** Checks a backup, sends its lines, and lets the service compare its counters with the records. */
async function restoreBackup(
  { source, identity, resume }: RestoreOptions,
  { context, settings, connect }: Session<OperatorClient>,
): Promise<RestoreResult> {
  using progress = createProgress(context, settings);
  await using opened = await openBackup(source, { identity }, context);
  const { path, file, erasures } = opened;
  const faultReport = {
    exitCode: EXIT.usage,
    statement: "cannot be restored",
    end: "; nothing was written",
  };
  const backup = await verifyBackup(path, file, { progress, faultReport });
  const { checksum, counts } = backup;
  const laterErasureCount = await countErasures(erasures, faultReport);

  const client = await connect();
  await client.call("beginRestore", { body: { checksum, counts, resume } }).catch((error) => {
    throw explainConflict(error);
  });

  const lineCount = Object.values(counts).reduce((sum, count) => sum + count, laterErasureCount);
  const tools = { client, context, progress };
  const totals = await sendLines(opened, { backup, lineCount }, tools);
  progress.end();
  const recount = await finishRestore(checksum, tools);
  return { ...totals, path, backup, recount };
}

/**
 * Sends the lines of a checked backup, and the erasure marks beside it.
 *
 * @param options.lineCount the number of all these lines
 * @returns how many lines the service restored, found unchanged or left out
 */
async function sendLines(
  { file, erasures }: OpenedBackup,
  { backup, lineCount }: { backup: VerifiedBackup; lineCount: number },
  { client, context, progress }: WorkTools,
): Promise<RestoredLines> {
  const { checksum, signUps, size } = backup;
  const totals: RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
  // The erasure marks come before the sign-ups, so that the service leaves out erased persons.
  const sections = [
    linesBetween(file, signUps.to, size),
    erasureLines(erasures),
    linesBetween(file, signUps.from, signUps.to),
    // The lines about people named in waves come last, because the sign-ups of these people must already be on the
    // list.
    linesBetween(file, 0, signUps.from),
  ];
  for (const section of sections) {
    for await (const { lines } of oneAhead(inChunks(section))) {
      const call = () => client.call("restoreLines", { path: { checksum }, lines });
      const answer = await withRetries(call, { context, progress });
      for (const key of ["restored", "unchanged", "erased"] as const) totals[key] += answer[key];
      const sent = totals.restored + totals.unchanged + totals.erased;
      progress.show(plural(sent, "line", "lines"), shareOf(sent, lineCount));
    }
  }
  return totals;
}

/** Lets the service finish the restore and compare its counters with the records. */
async function finishRestore(checksum: string, tools: WorkTools): Promise<RecountReport> {
  const input = { path: { checksum }, body: {} };
  try {
    return await withRetries(() => runLongWork("finishRestore", input, tools), tools);
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.notFound) throw error;
    // The service does not know the restore any more, because an earlier call has finished it, and the answer to that
    // call was lost. So the counters are compared again.
    return await runLongWork("verifyCounters", { body: {} }, tools);
  }
}

/** The next step for a restore that needs another store. */
const NEW_STORE = "start the service with a new KV_PATH or KV_URL";

/** For each error code with which the service refuses to begin a restore, the reason and the next step. */
const CONFLICTS = new Map([
  [
    "store_not_empty",
    "The store is not empty: it has sign-ups or clients. A restore needs an empty store; " +
    NEW_STORE,
  ],
  [
    "restore_begun",
    "The store is not empty: it holds a part of this backup, because an earlier restore was not finished; add " +
    "--resume to continue that restore",
  ],
  [
    "other_restore",
    "The store is not empty: it holds a part of another backup, because an earlier restore was not finished; " +
    `continue that restore, or ${NEW_STORE}`,
  ],
]);

/** Explains why a restore cannot begin. Returns any other error as it is. */
function explainConflict(error: unknown): unknown {
  const message = error instanceof CliError && CONFLICTS.get(error.code ?? "");
  return message ? new UsageError(message) : error;
}
