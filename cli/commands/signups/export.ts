/**
 * `waitlist signups export`: puts what the service streams into a format, and writes it as it comes.
 *
 * @module
 */
import { STATES } from "../../../shared/schemas.ts";
import { askToReplace } from "../../ask_first.ts";
import { defineCommand } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { OPERATOR } from "../../operator/client.ts";
import { createProgress } from "../../operator/progress.ts";
import { formatUnreadable } from "../../operator/records_text.ts";
import { plural } from "../../print.ts";
import type { Flags } from "../../settings.ts";
import {
  createFormat,
  type FormatName,
  formatOfFile,
  isFormatName,
  LINKED_FIELDS,
  SIGN_UP_FIELDS,
} from "../../../shared/signup_formats.ts";
import { parseChoice, parseMomentFlag } from "./filters.ts";
import { openPartFile, type PartFile } from "./part_file.ts";
import { pullSignups } from "./pull_signups.ts";

export default defineCommand({
  access: OPERATOR,
  goOn: "run the same command again; with --output it continues where it stopped",
  examples: [
    ["waitlist signups export --output list.csv", "into a file; run it again after a cut"],
    ["waitlist signups export --format ndjson > list.ndjson", "to move it elsewhere"],
    ["waitlist signups export --links", "for letters that you write by other means"],
    ["waitlist signups export --lang de --since 2026-05-01", "a part of it"],
  ],
  declare: (command) => {
    command
      .option("--format <format>", "csv or ndjson; by the file's ending, or csv")
      .option("--lang <lang>", "only sign-ups of this language: en or de")
      .option("--state <state>", `only people in this state: ${STATES.join(", ")}`)
      .option(
        "--since <date>",
        "only sign-ups first made on this UTC day, or at this time, or later",
      )
      .option("--links", "with the link to each person's page, which shows and erases their data")
      .option("--output <file>", "write to this file; it gets its name once it is whole")
      .option("-y, --yes", "replace an existing file without asking");
  },
  parse: ({ flags }) => ({
    format: parseFormat(flags),
    output: flags.output as string | undefined,
    yes: flags.yes === true,
    filter: {
      ...parseChoice("lang", flags),
      ...parseChoice("state", flags),
      ...(flags.links === true && { links: true }),
      ...(flags.since !== undefined && { since: parseMomentFlag("--since", String(flags.since)) }),
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
    // A pipe may lead to the same terminal, as in `… | head`; only a file never does.
    const quiet = settings.quiet || output === undefined && !context.stdout.isFile;
    using progress = createProgress(context, { ...settings, quiet });

    const resumed = target.position.count;
    if (resumed > 0) progress.note(`Going on after ${signUps(resumed)}.`);
    const { head, rows } = createFormat(format, filter.links ? LINKED_FIELDS : SIGN_UP_FIELDS);
    let start = resumed === 0 ? head : "";
    let { position } = target;
    let erased = 0;
    for await (const pulled of pullSignups(filter, position, { client, context, progress })) {
      ({ position, erasedMeanwhile: erased = 0 } = pulled);
      await target.append(start + rows(pulled.records), position);
      start = "";
      progress.show(signUps(position.count), pulled.share);
    }
    await target.finish();
    progress.end();
    if (erased > 0) progress.note(erasureNote(erased));
    const { count, unreadable = [] } = position;
    if (output !== undefined) {
      session.print({
        json: { file: output, format, count, resumed, erasedMeanwhile: erased, unreadable },
        text: () => `Exported ${signUps(count)} to ${output}.\n`,
      });
    }
    context.stderr.write(formatUnreadable(unreadable));
    return unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck;
  },
});

/** Standard output in the form of a file that is written from its beginning. */
function standardOutput({ stdout }: Context): PartFile {
  return {
    position: { count: 0, scanned: 0 },
    append: (text) => Promise.resolve(stdout.writeData(text)),
    finish: () => Promise.resolve(),
    [Symbol.dispose]() {},
  };
}

function parseFormat({ format, output, json }: Flags): FormatName {
  if (json && output === undefined) {
    throw new UsageError(
      "--json is the summary of an export to a file; give --format ndjson to print the list as " +
        "JSON, one object a line",
    );
  }
  if (format === undefined) return formatOfFile(output as string | undefined);
  if (isFormatName(format)) return format;
  throw new UsageError(`--format is '${format}'; give csv or ndjson`);
}

function signUps(count: number): string {
  return plural(count, "sign-up", "sign-ups");
}

function erasureNote(erased: number): string {
  return `${erased} ${erased === 1 ? "person was" : "people were"} erased while the export ran ` +
    "and may be in it; export again before you use it.";
}
