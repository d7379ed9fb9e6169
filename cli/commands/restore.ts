import { quotable } from "../../shared/api_failure.ts";
import { EXIT } from "../exit_codes.ts";
import { restoreBackup, type Restored } from "../operator/backup/restore_backup.ts";
import { formatCounts } from "../operator/backup/summary.ts";
import { defineOperatorCommand } from "../operator/command.ts";
import { formatDifferences } from "../operator/recount_text.ts";
import { createStyle } from "../output/style.ts";

/** `waitlist restore`: puts a backup into an empty store. */
export default defineOperatorCommand({
  examples: [
    ["waitlist restore waitlist.ndjson", "the file is checked before anything is written"],
    ["waitlist restore waitlist.ndjson --resume", "goes on after a cut"],
  ],
  declare: (command) => {
    command
      .argument("<file>", "a file that 'waitlist backup' has written")
      .option("--resume", "go on with a restore of this file that was not finished");
  },
  parse: ({ args, flags }) => ({ path: args[0]!, resume: flags.resume === true }),
  async run(options, session) {
    const { settings, context: { stdout, variables } } = session;
    const restored = await restoreBackup(options, session);
    const { backup: { createdAt, counts, checksum, unreadable }, recount, ...lines } = restored;
    if (settings.json) {
      const backup = { file: options.path, createdAt, counts, checksum, unreadable };
      const summary = { ...backup, ...lines, recount };
      stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
    } else if (!settings.quiet) {
      stdout.write(formatDifferences(recount, createStyle(stdout, variables)) + describe(restored));
    }
    return recount.agrees ? EXIT.fine : EXIT.failedCheck;
  },
});

function describe({ backup, erased, recount }: Restored): string {
  const { createdAt, counts, unreadable } = backup;
  const passedOver = erased === 0
    ? ""
    : `${erased.toLocaleString("en")} sign-ups were passed over, as their addresses were erased.\n`;
  const verdict = recount.agrees
    ? `The counters agree with the ${recount.records.toLocaleString("en")} records.\n`
    : "The counters are wrong; run 'waitlist counters repair', then this with --resume.\n";
  const missing = unreadable.length === 0
    ? ""
    : `The backup lacks what could not be read when it was made: ${
      unreadable.map(({ key }) => quotable(key.join(" "), 300)).join(", ")
    }.\n`;
  return `Restored the backup of ${createdAt}: ${formatCounts(counts)}.\n` +
    passedOver + missing + verdict;
}
