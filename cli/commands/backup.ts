import { EXIT } from "../exit_codes.ts";
import { askToReplace } from "../operator/ask_first.ts";
import { saveBackup } from "../operator/backup/save_backup.ts";
import { formatCounts } from "../operator/backup/summary.ts";
import { defineOperatorCommand } from "../operator/command.ts";
import { createProgress } from "../operator/progress.ts";
import { formatUnreadable } from "../operator/unreadable.ts";

/** `waitlist backup`: all that a new store needs, in one file. */
export default defineOperatorCommand({
  examples: [
    ["waitlist backup waitlist.ndjson", "the file is there only once it is whole and checked"],
    ["waitlist backup waitlist.ndjson --yes --json", "replaces the file without asking"],
  ],
  declare: (command) => {
    command
      .argument("<file>", "where to write it; it holds addresses, so keep it safe")
      .option("-y, --yes", "replace a file that is there without asking");
  },
  parse: ({ args, flags }) => ({ path: args[0]!, yes: flags.yes === true }),
  async run({ path, yes }, { settings, context, connect }) {
    const { stdout, stderr } = context;
    if (!yes) await askToReplace(path, context);
    const client = await connect();
    const progress = createProgress(context, settings);
    const backup = await saveBackup(path, { client, context, progress });
    const { createdAt, counts, checksum, unreadable } = backup;
    if (settings.json) {
      const summary = { file: path, createdAt, counts, checksum, unreadable };
      stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
    } else if (!settings.quiet) stdout.write(`Backed up ${formatCounts(counts)} to ${path}.\n`);
    stderr.write(formatUnreadable(unreadable));
    return unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck;
  },
});
