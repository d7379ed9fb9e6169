import { UsageError } from "../../cli_error.ts";
import { EXIT } from "../../exit_codes.ts";
import { askToReplace } from "../../operator/ask_first.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { exportToFile, exportToOutput } from "../../operator/export/mod.ts";
import { formatUnreadable } from "../../operator/unreadable.ts";
import { type FormatName, FORMATS } from "../../operator/export/formats.ts";
import type { Flags } from "../../settings.ts";

/** `waitlist signups export`: the list, as CSV or NDJSON. */
export default defineOperatorCommand({
  examples: [
    ["waitlist signups export --output list.csv", "into a file; run it again after a cut"],
    ["waitlist signups export --format ndjson > list.ndjson", "to move it elsewhere"],
    ["waitlist signups export --lang de --since 2026-05-01", "some of it"],
  ],
  declare: (command) => {
    command
      .option("--format <format>", "csv or ndjson; by the file's ending, or csv")
      .option("--lang <lang>", "only sign-ups of this language: en or de")
      .option(
        "--since <date>",
        "only sign-ups first made on this UTC day, or at this time, or later",
      )
      .option("--output <file>", "write to this file, which is never left half")
      .option("-y, --yes", "replace a file that is there without asking");
  },
  parse: ({ flags }) => ({
    format: parseFormat(flags),
    output: flags.output as string | undefined,
    yes: flags.yes === true,
    filter: {
      ...(flags.lang !== undefined && { lang: parseLang(String(flags.lang)) }),
      ...(flags.since !== undefined && { since: parseSince(String(flags.since)) }),
    },
  }),
  async run({ output, yes, ...what }, session) {
    if (output !== undefined && !yes) await askToReplace(output, session.context);
    const client = await session.connect();
    const unreadable = output === undefined
      ? await exportToOutput(what, { ...session, client })
      : await exportToFile(output, what, { ...session, client });
    session.context.stderr.write(formatUnreadable(unreadable));
    return unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck;
  },
});

function parseFormat({ format, output, json }: Flags): FormatName {
  if (json && output === undefined) {
    throw new UsageError(
      "--json is the summary of an export to a file; give --format ndjson to print the list as " +
        "JSON, one object a line",
    );
  }
  if (format === undefined) return /\.(nd)?jsonl?$/.test(String(output)) ? "ndjson" : "csv";
  const known = FORMATS.find((name) => name === format);
  if (known) return known;
  throw new UsageError(`--format is '${format}'; give csv or ndjson`);
}

function parseLang(text: string): "en" | "de" {
  if (text === "en" || text === "de") return text;
  throw new UsageError(`--lang is '${text}'; give en or de`);
}

/** A UTC date, or a date-time in any zone, which becomes UTC. */
function parseSince(text: string): string {
  const moment = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : NaN;
  if (Number.isNaN(moment)) {
    throw new UsageError(
      `--since is '${text}'; give a UTC date such as 2026-05-01, or a time such as 2026-05-01T09:30:00Z`,
    );
  }
  return new Date(moment).toISOString();
}
