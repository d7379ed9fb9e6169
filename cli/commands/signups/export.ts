/**
 * `waitlist signups export`: writes the list as CSV or NDJSON while it arrives.
 *
 * @module
 */
import { LANGS, STATES } from "../../../shared/schemas.ts";
import { askToReplace } from "../../ask_first.ts";
import { defineCommand } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { parseChoice, parseMomentFlag } from "../../flag_values.ts";
import { OPERATOR } from "../../operator/client.ts";
import { createProgress } from "../../operator/progress.ts";
import { formatUnreadable } from "../../operator/records_text.ts";
import { plural } from "../../print.ts";
import type { FlagValues } from "../../settings.ts";
import {
  createFormat,
  FORMAT_NAMES,
  type FormatName,
  formatOfFile,
  LINKED_FIELDS,
  SIGN_UP_FIELDS,
} from "../../../shared/signup_formats.ts";
import { openPartFile, type PartFile } from "./part_file.ts";
import { pullSignups } from "./pull_signups.ts";

export default defineCommand({
  access: OPERATOR,
  goOn: "run the same command again; with --output it continues where it stopped",
  examples: [
    ["waitlist signups export --output list.csv", "to a file; after a cut, run it again"],
    ["waitlist signups export --format ndjson > list.ndjson", "for other programs"],
    ["waitlist signups export --links", "for letters that you send by other means"],
    ["waitlist signups export --lang de --since 2026-05-01", "a part of the list"],
  ],
  declare: (command) => {
    command
      .option("--format <format>", "csv or ndjson; if left out, by the file's ending, or csv")
      .option("--lang <lang>", "only sign-ups of this language: en or de")
      .option("--state <state>", `only people in this state: ${STATES.join(", ")}`)
      .option(
        "--since <date>",
        "only people whose first sign-up was on this UTC day, at this time, or later",
      )
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
      ...flags.lang !== undefined && { lang: parseChoice("--lang", String(flags.lang), LANGS) },
      ...flags.state !== undefined &&
        { state: parseChoice("--state", String(flags.state), STATES) },
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
    // There is no progress if the list goes to a pipe, because the pipe may end in the same terminal, as `… | head` does.
    const quiet = settings.quiet || output === undefined && !context.stdout.isFile;
    using progress = createProgress(context, { ...settings, quiet });

    const resumed = target.position.count;
    if (resumed > 0) progress.note(`Continuing after ${signUps(resumed)}.`);
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

/** Makes a `PartFile` of standard output, which has no earlier part. */
function standardOutput({ stdout }: Context): PartFile {
  return {
    position: { count: 0, scanned: 0 },
    append: (text) => Promise.resolve(stdout.writeData(text)),
    finish: () => Promise.resolve(),
    [Symbol.dispose]() {},
  };
}

function parseFormat({ format, output, json }: FlagValues): FormatName {
  if (json && output === undefined) {
    throw new UsageError(
      "--json prints only a summary, and needs --output for the list; give --format ndjson to print " +
        "the list as JSON, one object a line",
    );
  }
  if (format === undefined) return formatOfFile(output as string | undefined);
  return parseChoice("--format", String(format), FORMAT_NAMES);
}

function signUps(count: number): string {
  return plural(count, "sign-up", "sign-ups");
}

function erasureNote(erased: number): string {
  return `${erased} ${erased === 1 ? "person was" : "people were"} erased while the export ran ` +
    "and may still be in the export; export again before you use it.";
}
