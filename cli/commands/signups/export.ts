/**
 * `waitlist signups export`: puts what the service streams into a format, and writes it as it comes.
 *
 * @module
 */
import type { ExportRequest, UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { askToReplace } from "../../ask_first.ts";
import { defineCommand, type Session as CommandSession } from "../../command.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { createProgress } from "../../operator/progress.ts";
import { formatUnreadable } from "../../operator/records_text.ts";
import { formatJson, plural } from "../../print.ts";
import type { Flags } from "../../settings.ts";
import { FORMAT, type FormatName, isFormatName } from "./export_format.ts";
import { openPartFile } from "./part_file.ts";
import { pullSignups } from "./pull_signups.ts";

export default defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist signups export --output list.csv", "into a file; run it again after a cut"],
    ["waitlist signups export --format ndjson > list.ndjson", "to move it elsewhere"],
    ["waitlist signups export --lang de --since 2026-05-01", "a part of it"],
  ],
  declare: (command) => {
    command
      .option("--format <format>", "csv or ndjson; by the file's ending, or csv")
      .option("--lang <lang>", "only sign-ups of this language: en or de")
      .option(
        "--since <date>",
        "only sign-ups first made on this UTC day, or at this time, or later",
      )
      .option("--output <file>", "write to this file; it gets its name once it is whole")
      .option("-y, --yes", "replace an existing file without asking");
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
  if (isFormatName(format)) return format;
  throw new UsageError(`--format is '${format}'; give csv or ndjson`);
}

function parseLang(text: string): "en" | "de" {
  if (text === "en" || text === "de") return text;
  throw new UsageError(`--lang is '${text}'; give en or de`);
}

/** Makes a UTC date, or a date-time in any zone, a date-time in UTC. */
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

/** Which sign-ups to export, and in which format. */
interface ExportOptions {
  format: FormatName;
  filter: Pick<ExportRequest, "lang" | "since">;
}

type Session = Pick<CommandSession<never>, "context" | "settings"> & { client: OperatorClient };

/**
 * Exports to standard output; progress and notes go to standard error.
 *
 * @returns the records that the service could not read, which the export lacks
 */
async function exportToOutput(
  { format, filter }: ExportOptions,
  { client, context, settings }: Session,
): Promise<UnreadableRecord[]> {
  const { head, rows } = FORMAT[format];
  // The output of `… | head` goes to the same terminal; only a file certainly does not.
  const quiet = settings.quiet || !context.stdout.isFile;
  using progress = createProgress(context, { ...settings, quiet });
  const from = { count: 0, scanned: 0 };
  let first = true;
  let unreadable: UnreadableRecord[] = [];
  for await (const pulled of pullSignups(filter, from, { client, context, progress })) {
    const { records, position, share, erasedMeanwhile } = pulled;
    const text = (first ? head : "") + rows(records);
    first = false;
    if (text !== "") context.stdout.write(text);
    progress.show(signUps(position.count), share);
    if (erasedMeanwhile) progress.note(erasureNote(erasedMeanwhile));
    unreadable = position.unreadable ?? [];
  }
  return unreadable;
}

/**
 * Exports to a file, and goes on where an earlier run was cut.
 *
 * @returns the records that the service could not read, which the export lacks
 */
async function exportToFile(
  path: string,
  { format, filter }: ExportOptions,
  { client, context, settings }: Session,
): Promise<UnreadableRecord[]> {
  const { head, rows } = FORMAT[format];
  const description = { baseUrl: settings.baseUrl, format, ...filter };
  using part = await openPartFile(path, description, context);
  using progress = createProgress(context, settings);
  const resumed = part.position.count;
  if (resumed > 0) progress.note(`Going on after ${signUps(resumed)}.`);
  let first = resumed === 0;
  let count = resumed;
  let erased = 0;
  let unreadable: UnreadableRecord[] = [];
  for await (const pulled of pullSignups(filter, part.position, { client, context, progress })) {
    const { records, position, share, erasedMeanwhile = 0 } = pulled;
    await part.append((first ? head : "") + rows(records), position);
    first = false;
    count = position.count;
    erased = erasedMeanwhile;
    unreadable = position.unreadable ?? [];
    progress.show(signUps(count), share);
  }
  await part.finish();
  progress.end();
  if (settings.json) {
    const summary = { file: path, format, count, resumed, erasedMeanwhile: erased, unreadable };
    context.stdout.write(formatJson(summary));
    return unreadable;
  }
  if (erased > 0) progress.note(erasureNote(erased));
  if (!settings.quiet) {
    context.stdout.write(`Exported ${signUps(count)} to ${path}.\n`);
  }
  return unreadable;
}

function signUps(count: number): string {
  return plural(count, "sign-up", "sign-ups");
}

function erasureNote(erased: number): string {
  return `${erased} ${erased === 1 ? "person was" : "people were"} erased while the export ran ` +
    "and may be in it; export again before you use it.";
}
