/**
 * Exports: what the service streams, put into a format and written down as it comes.
 *
 * @module
 */
import type { ExportRequest, UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { plural } from "../../output/plural.ts";
import type { OperatorClient } from "../client.ts";
import type { OperatorSession } from "../command.ts";
import { createProgress } from "../progress.ts";
import { FORMAT, type FormatName } from "./formats.ts";
import { openPartFile } from "./part_file.ts";
import { pullSignups } from "./pull_signups.ts";

/** What to export, and how. */
export interface ExportOptions {
  format: FormatName;
  filter: Pick<ExportRequest, "lang" | "since">;
}

type Session = OperatorSession & { client: OperatorClient };

/**
 * Exports to standard output; progress and notes go to standard error.
 *
 * @returns the records that the service could not read, and that are not in the export
 */
export async function exportToOutput(
  { format, filter }: ExportOptions,
  { client, context, settings }: Session,
): Promise<UnreadableRecord[]> {
  const { head, rows } = FORMAT[format];
  // A pipe may lead to the same terminal, as that of `… | head` does, so only a file rules that out.
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
 * Exports to a file, going on with what a run before has left of it.
 *
 * @returns the records that the service could not read, and that are not in the export
 */
export async function exportToFile(
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
    context.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
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
