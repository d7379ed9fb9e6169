/**
 * `waitlist backup verify`: checks a whole backup without a service, and shows what it holds.
 *
 * @module
 */
import { defineCommand, NO_ACCESS } from "../../command.ts";
import { EXIT } from "../../errors.ts";
import { plural } from "../../format.ts";
import { inputName } from "../../input.ts";
import { createProgress } from "../../operator/progress.ts";
import { formatCounts, formatUnreadableWithAdvice } from "../../operator/records_text.ts";
import { describeAfterRestore } from "./describe_after_restore.ts";
import { IDENTITY_FLAG, openBackup } from "./places.ts";
import { countErasures, verifyBackup } from "./read_backup.ts";

export default defineCommand({
  access: NO_ACCESS,
  examples: [
    ["waitlist backup verify waitlist.ndjson", "reads the whole file, and recounts it"],
    ["waitlist backup verify /var/backups/waitlist", "the newest backup of a service"],
    ["waitlist backup verify /var/backups/waitlist --identity key.txt", "an encrypted backup"],
    ["zstdcat waitlist.ndjson.zst | waitlist backup verify -", "from another program"],
  ],
  declare: (command) => {
    command
      .argument(
        "<file or url>",
        "a backup, the value of the service's BACKUP_URL, or - for standard input",
      )
      .option(...IDENTITY_FLAG);
  },
  parse: ({ args, flags }) => ({
    source: args[0]!,
    identity: flags.identity as string | undefined,
  }),
  async run({ source, identity }, { settings, context, print }) {
    using progress = createProgress(context, settings);
    await using opened = await openBackup(source, { identity }, context);
    const { path, file, erasures } = opened;
    const faultReport = { exitCode: EXIT.failedCheck, statement: "is not a good backup" };
    const backup = await verifyBackup(path, file, { progress, faultReport });
    const laterErasureCount = await countErasures(erasures, faultReport);
    const { createdAt, counts, checksum, unreadable, states, afterRestore } = backup;
    const signUps = plural(counts.signUps, "sign-up", "sign-ups");
    const byState = Object.entries(states).map(([state, count]) => `${count} ${state}`).join(", ");
    const exitCode = print({
      json: {
        file: path,
        createdAt,
        counts,
        states,
        // The name `owed` must not change, because programs read it.
        owed: afterRestore,
        laterErasures: laterErasureCount,
        checksum,
        unreadable,
      },
      text: () =>
        `${inputName(path)} is whole: the backup of ${createdAt}, ${formatCounts(counts)}.\n` +
        `Its counters agree with its ${signUps}: ${byState || "none"}.\n` +
        describeAfterRestore(afterRestore) +
        describeLaterErasures(laterErasureCount),
      exitCode: unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck,
    });
    context.stderr.write(formatUnreadableWithAdvice(unreadable));
    return exitCode;
  },
});

/** Says how many erasure marks were made since the backup began; empty if there are none. */
function describeLaterErasures(count: number): string {
  if (count === 0) return "";
  return `${plural(count, "later erasure mark is", "later erasure marks are")} beside it.\n`;
}
