import { UsageError } from "../../cli_error.ts";
import type { CommandInput } from "../../command.ts";
import { EXIT } from "../../exit_codes.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { importFile, type ImportOptions } from "../../operator/import/mod.ts";
import { FORMATS, type ImportFormat } from "../../operator/import/rows.ts";

/** `waitlist signups import`: takes sign-ups from a file. */
export default defineOperatorCommand<ImportOptions>({
  examples: [
    ["waitlist signups import list.csv --dry-run", "says what would happen and writes nothing"],
    ["waitlist signups import list.csv", "refused lines are named; exit code 1 if there are any"],
    ["waitlist signups import list.ndjson --json | jq .refusals", "for programs"],
  ],
  declare: (command) => {
    command
      .argument(
        "<file>",
        "CSV with a header, or NDJSON; fields email, consentedAt and, if you like, " +
          "createdAt, updatedAt, source, lang, role, building",
      )
      .option("--format <format>", "csv or ndjson; the file's name says it if left out")
      .option(
        "--dry-run",
        "look at every line and write nothing; an address counts each time it " +
          "comes, and the limit of 64 roles and buildings is looked at every 5,000 lines",
      );
  },
  parse: (input) => ({
    path: input.args[0]!,
    format: parseFormat(input),
    dryRun: input.flags.dryRun === true,
  }),
  async run(options, session) {
    const { settings, context: { stdout } } = session;
    const report = await importFile(options, { ...session, client: await session.connect() });
    if (settings.json) {
      const { path: file, dryRun } = options;
      stdout.write(`${JSON.stringify({ file, dryRun, ...report }, null, 2)}\n`);
    } else if (!settings.quiet) {
      const count = (key: "new" | "merged" | "unchanged" | "refused") =>
        `${report[key].toLocaleString("en")} ${key}`;
      const counts = [count("new"), count("merged"), count("unchanged"), count("refused")].join(
        ", ",
      );
      stdout.write(`${options.dryRun ? "Would import" : "Imported"} ${options.path}: ${counts}.\n`);
    }
    return report.refused > 0 ? EXIT.failedCheck : EXIT.fine;
  },
});

function parseFormat({ args: [path = ""], flags }: CommandInput): ImportFormat {
  const given = flags.format ?? /\.(csv|ndjson|jsonl)$/i.exec(path)?.[1]?.toLowerCase();
  const format = given === "jsonl" ? "ndjson" : given;
  const known = FORMATS.find((name) => name === format);
  if (known) return known;
  if (flags.format !== undefined) {
    throw new UsageError(`--format is '${flags.format}'; give csv or ndjson`);
  }
  throw new UsageError(`The name of '${path}' does not say its format; add --format csv or ndjson`);
}
