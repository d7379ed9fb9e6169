/**
 * `waitlist backup verify`: reads all of a backup without a service, and says what it holds.
 *
 * @module
 */
import { defineCommand } from "../../command.ts";
import { EXIT } from "../../errors.ts";
import { inputName } from "../../input.ts";
import { createProgress } from "../../operator/progress.ts";
import { formatCounts, formatUnreadable } from "../../operator/records_text.ts";
import { plural } from "../../print.ts";
import { openBackup } from "./places.ts";
import { countErasures, verifyBackup } from "./read_backup.ts";
import type { OwedLetters } from "./verifier.ts";

/** The flag of commands that read what a service has encrypted. */
export const IDENTITY = [
  "--identity <file>",
  "the secret key of age, where it is encrypted",
] as const;

export default defineCommand({
  access: { declare() {}, prepare: () => () => Promise.resolve(undefined) },
  examples: [
    ["waitlist backup verify waitlist.ndjson", "reads all of it, and counts again"],
    ["waitlist backup verify /var/backups/waitlist", "the newest one of a service"],
    ["waitlist backup verify /var/backups/waitlist --identity key.txt", "where they are encrypted"],
    ["zstdcat waitlist.ndjson.zst | waitlist backup verify -", "from another program"],
  ],
  declare: (command) => {
    command
      .argument(
        "<file or url>",
        "a backup, what BACKUP_URL of the service says, or - for standard input",
      )
      .option(...IDENTITY);
  },
  parse: ({ args, flags }) => ({ place: args[0]!, identity: flags.identity as string | undefined }),
  async run({ place, identity }, { settings, context, print }) {
    using progress = createProgress(context, settings);
    await using opened = await openBackup(place, { identity }, context);
    const { path, file, erasures } = opened;
    const failure = { exitCode: EXIT.failedCheck, verb: "is not good" };
    const backup = await verifyBackup(path, file, { progress, failure });
    const laterErasures = await countErasures(erasures, failure);
    const { createdAt, counts, checksum, unreadable, states, owed } = backup;
    const exitCode = print({
      json: {
        file: path,
        createdAt,
        counts,
        states,
        owed,
        laterErasures,
        checksum,
        unreadable,
      },
      text: () =>
        `${inputName(path)} is whole: the backup of ${createdAt}, ${formatCounts(counts)}.\n` +
        `Its counters agree with its ${plural(counts.signUps, "sign-up", "sign-ups")}: ` +
        `${
          Object.entries(states).map(([state, count]) => `${count} ${state}`).join(", ") || "none"
        }.\n` +
        formatOwed(owed) +
        (laterErasures === 0
          ? ""
          : `${
            plural(laterErasures, "mark of an erasure is", "marks of erasures are")
          } beside it.\n`),
      exitCode: unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck,
    });
    context.stderr.write(formatUnreadable(unreadable));
    return exitCode;
  },
});

/** What is owed after a restore of a backup, and how it is sent; empty where nothing is. */
export function formatOwed({ openWaves, invitations, complaints }: OwedLetters): string {
  const waves = openWaves === 0
    ? ""
    : `${plural(openWaves, "wave is", "waves are")} not done; a restore pauses what was running.\n`;
  const letters = invitations === 0
    ? ""
    : `${plural(invitations, "invitation was", "invitations were")} taken by no mail server yet; ` +
      "after a restore, 'waitlist waves resume' sends them.\n";
  const silent = complaints === 0
    ? ""
    : `${plural(complaints, "mailbox", "mailboxes")} complained of a letter, and ` +
      `${complaints === 1 ? "gets" : "get"} none.\n`;
  return waves + letters + silent;
}
