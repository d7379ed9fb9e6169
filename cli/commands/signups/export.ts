/**
 * `waitlist signups export`: writes the list as CSV or NDJSON while it arrives.
 *
 * @module
 */
import type { UnreadableRecord } from "../../../shared/operator_schemas.ts";
import {
  createFormat,
  FORMAT_NAMES,
  type FormatName,
  formatOfFile,
  LINKED_FIELDS,
  SIGN_UP_FIELDS,
} from "../../../shared/signup_formats.ts";
import { askToReplace } from "../../ask_first.ts";
import { defineCommand } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { type FlagValues, parseChoice } from "../../flag_values.ts";
import { plural } from "../../format.ts";
import { OPERATOR_ACCESS } from "../../operator/client.ts";
import { createProgress } from "../../operator/progress.ts";
import type { WorkTools } from "../../operator/run_long_work.ts";
import { formatUnreadableWithAdvice } from "../../operator/records_text.ts";
import { addSelectionFlags, parseSelection } from "./filters.ts";
import { type ExportTarget, openPartFile } from "./part_file.ts";
import { type ExportFilter, pullSignups } from "./pull_signups.ts";

export default defineCommand({
  access: OPERATOR_ACCESS,
  resumeAdvice:
    "to go on, run the same command again; if this command has --output, the new run continues where this run has stopped",
  examples: [
    ["waitlist signups export --output list.csv", "to a file; after a cut, run it again"],
    ["waitlist signups export --format ndjson > list.ndjson", "for other programs"],
    ["waitlist signups export --links", "for e-mails that you send by other means"],
    ["waitlist signups export --lang de --role architect", "a part of the list"],
  ],
  declare: (command) => {
    command
      .option("--format <format>", "csv or ndjson; if left out, by the file's ending, or csv");
    addSelectionFlags(command);
    command
      .option(
        "--links",
        "add the link to each self-service page; it shows and erases the person's data",
      )
      .option("--output <file>", "write to this file; it gets its name when it is whole")
      .option("-y, --yes", "replace an existing file without asking");
  },
  parse: ({ flags }) => ({
    format: parseFormat(flags),
    output: flags.output as string | undefined,
    yes: flags.yes === true,
    filter: {
      ...parseSelection(flags),
      ...(flags.links === true && { links: true }),
    },
  }),
  async run({ output, yes, format, filter }, session) {
    const { context, settings } = session;
    if (output !== undefined && !yes) await askToReplace(output, context);
    const client = await session.connect();
    const description = { baseUrl: settings.baseUrl, format, ...filter };
    using target = output === undefined
      ? standardOutput(context)
      : await openPartFile(output, description, context);
    using progress = createProgress(context, {
      ...settings,
      quiet: settings.quiet || !mayShowProgress(output, context),
    });

    const earlierCount = target.position.count;
    if (earlierCount > 0) progress.note(`Continuing after ${formatSignUps(earlierCount)}.`);
    const tools = { client, context, progress };
    const { count, erasedMeanwhile, unreadable } = await writeList(
      target,
      { format, filter },
      tools,
    );
    progress.end();
    if (erasedMeanwhile > 0) progress.note(erasureNote(erasedMeanwhile));
    // Without --output there is no summary, because the list itself is written to standard output.
    if (output !== undefined) {
      session.print({
        json: { file: output, format, count, resumed: earlierCount, erasedMeanwhile, unreadable },
        text: () => `Exported ${formatSignUps(count)} to ${output}.\n`,
      });
    }
    context.stderr.write(formatUnreadableWithAdvice(unreadable));
    return unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck;
  },
});

/**
 * Whether progress may be shown: only if `--output` is given or standard output goes to a file. If standard output is a
 * pipe, the program that reads the pipe may write to the same terminal, as `head` does.
 */
function mayShowProgress(output: string | undefined, { stdout }: Context): boolean {
  return output !== undefined || stdout.isFile;
}

/** The result of an export. */
interface ExportResult {
  /** The number of people, including those that an earlier run wrote. */
  count: number;
  /** The number of people who were erased since the beginning of the export. */
  erasedMeanwhile: number;
  /** The records that the service could not read. */
  unreadable: UnreadableRecord[];
}

/** Writes the list to a target, beginning at the position at which an earlier run was cut. */
async function writeList(
  target: ExportTarget,
  { format, filter }: { format: FormatName; filter: ExportFilter },
  tools: WorkTools,
): Promise<ExportResult> {
  const { head, rows } = createFormat(format, filter.links ? LINKED_FIELDS : SIGN_UP_FIELDS);
  let { position } = target;
  // The head of the list, such as the first line of CSV, is written with the first records, so that nothing is written
  // if the first call fails.
  let missingHead = position.count === 0 ? head : "";
  let erasedMeanwhile = 0;
  for await (const pulled of pullSignups(filter, position, tools)) {
    ({ position, erasedMeanwhile = 0 } = pulled);
    await target.append(missingHead + rows(pulled.records), position);
    missingHead = "";
    tools.progress.show(formatSignUps(position.count), pulled.share);
  }
  await target.finish();
  const { count, unreadable = [] } = position;
  return { count, erasedMeanwhile, unreadable };
}

/** Makes the target that writes to standard output. It always begins at the beginning of the list. */
function standardOutput({ stdout }: Context): ExportTarget {
  return {
    position: { count: 0, scanned: 0 },
    append: (text) => Promise.resolve(stdout.writeData(text)),
    finish: () => Promise.resolve(),
    [Symbol.dispose]() {},
  };
}

/** Reads `--format`, or the ending of the file's name in `--output`. */
function parseFormat({ format, output, json }: FlagValues): FormatName {
  if (json && output === undefined) {
    throw new UsageError(
      "--json prints a summary and not the list; add --output FILE to write the list to a file, or give " +
        "--format ndjson in place of --json to print the list with one JSON object on each line",
    );
  }
  if (format === undefined) return formatOfFile(output as string | undefined);
  return parseChoice("--format", String(format), FORMAT_NAMES);
}

function formatSignUps(count: number): string {
  return plural(count, "sign-up", "sign-ups");
}

/** Returns the note about people who were erased while the export ran. */
function erasureNote(erased: number): string {
  return `${erased} ${erased === 1 ? "person was" : "people were"} erased while the export ran ` +
    "and may still be in the exported list; export the list again before you use it.";
}
