/**
 * `waitlist signups import`: sends the rows of a file in chunks. A chunk can be sent again safely, because an import
 * merges each row with the stored record.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ReadHeader } from "../../../shared/import_file/columns.ts";
import { readCsvRows } from "../../../shared/import_file/csv_rows.ts";
import { readNdjsonRows } from "../../../shared/import_file/ndjson_rows.ts";
import { groupRefusals, SHOWN_LINES } from "../../../shared/import_file/refusal_groups.ts";
import type { Row, RowRules } from "../../../shared/import_file/rows.ts";
import { inSortedRuns } from "../../../shared/import_file/sorted_runs.ts";
import { oneAhead } from "../../../shared/one_ahead.ts";
import type { ImportReport, Refusal } from "../../../shared/operator_schemas.ts";
import { type FormatName, isFormatName, SIGN_UP_FIELDS } from "../../../shared/signup_formats.ts";
import { type CommandInput, defineCommand, type Session } from "../../command.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { parseZone } from "../../flag_values.ts";
import { formatNumber, plural } from "../../format.ts";
import {
  checkStandardInput,
  type InputFile,
  inputName,
  isStandardInput,
  openInput,
} from "../../input.ts";
import { type Chunk, inChunks } from "../../operator/chunks.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../../operator/client.ts";
import { withRetries } from "../../operator/cuts.ts";
import { createProgress, shareOf } from "../../operator/progress.ts";
import type { WorkTools } from "../../operator/run_long_work.ts";
import { adviseOnAnswer, describeHeader, describeLeftOut } from "./import/header_texts.ts";
import { parseMap } from "./import/map_flag.ts";
import { prepareRefusedFile, type RefusedFile, writeRefusedFile } from "./import/refused_file.ts";

/** How many refusals the JSON summary lists at most. The number `refused` in the summary counts all refused lines. */
const MAX_REFUSALS = 10_000;

/** How many rows that could not be read a call can report at most. */
const MAX_UNREAD = 999_999;

/**
 * How long to wait after each group of rows, in milliseconds. The command gathers rows while the service stores the
 * previous ones, and a service on the same computer needs the processor too.
 */
const PAUSE_MS = 4;

/** What the user can do about a row that cannot be read: the ends of the messages, with flags of this command. */
const ADVICE = {
  zone: "add --zone with the zone of the file, such as --zone Europe/Berlin",
  nameless: "leave it out with --ignore-unknown",
};

/** The fields that a row need not have: all columns of an export but the two that every row needs. */
const OPTIONAL_FIELDS = SIGN_UP_FIELDS.filter((field) => !["email", "consentedAt"].includes(field));

/** What an import can do with a line. */
const OUTCOMES = ["new", "merged", "unchanged", "refused"] as const;

/** The options of the command. */
interface ImportOptions {
  path: string;
  format: FormatName;
  dryRun: boolean;
  rules: RowRules;
  /** The file for the refused rows; absent without `--refused`. */
  refusedFile?: RefusedFile;
}

export default defineCommand<ImportOptions, OperatorClient>({
  access: OPERATOR_ACCESS,
  resumeAdvice:
    "to go on, run the same command again; lines that are already imported change nothing",
  examples: [
    ["waitlist signups import list.csv --dry-run", "shows the result and writes nothing"],
    ["waitlist signups import list.csv", "names refused lines; exit code 1 if there are any"],
    [
      "waitlist signups import list.csv --refused refused.csv",
      "writes the refused rows to a file to correct",
    ],
    ["waitlist signups import list.ndjson --json | jq .refusals", "for programs"],
    ["zcat list.csv.gz | waitlist signups import - --format csv", "from another program"],
    [
      'waitlist signups import mc.csv --map "Email Address=email,OPTIN_TIME=consentedAt"',
      "columns of another tool; --dry-run proposes the pairs",
    ],
  ],
  declare: (command) => {
    command
      .argument(
        "<file>",
        "CSV with a header, or NDJSON, or - for standard input; the fields are email, consentedAt, and optionally " +
          OPTIONAL_FIELDS.join(", "),
      )
      .option("--format <format>", "csv or ndjson; by the file's name if left out")
      .option(
        "--map <pairs>",
        'the fields of columns with other names, such as "Email Address=email,OPTIN_TIME=consentedAt"; ' +
          '"Notes=" leaves a column out; may be given several times',
        (text: string, others: string[] = []) => [...others, text],
      )
      .option("--ignore-unknown", "leave out columns that are neither fields nor in --map")
      .option(
        "--zone <zone>",
        "the zone of times without a zone and of days without a time, such as Europe/Berlin",
      )
      .option(
        "--dry-run",
        "check every line and write nothing; an address that comes twice counts twice, and the " +
          "limit of 64 roles and 64 buildings is checked for each 5,000 lines",
      )
      .option(
        "--refused <file>",
        "write the refused rows to this CSV file, each with the reason, to correct and import them",
      )
      .option("-y, --yes", "replace an existing file of --refused without asking");
  },
  parse(input) {
    const { args: [path = ""], flags } = input;
    checkStandardInput(path, flags);
    return {
      path,
      format: parseFormat(input),
      dryRun: flags.dryRun === true,
      rules: {
        map: parseMap(flags.map as string[] | undefined ?? []),
        ignoreUnknown: flags.ignoreUnknown === true,
        zone: flags.zone === undefined ? undefined : parseZone(String(flags.zone)),
        advice: ADVICE,
      },
      ...flags.refused !== undefined &&
        { refusedFile: { path: String(flags.refused), yes: flags.yes === true } },
    };
  },
  async run(options, session) {
    const { report, refusedFile } = await importFile(options, session);
    const { path: file, dryRun } = options;
    const countsText = OUTCOMES
      .map((outcome) => `${formatNumber(report[outcome])} ${outcome}`).join(", ");
    return session.print({
      json: { file, dryRun, ...report, ...refusedFile !== undefined && { refusedFile } },
      text: () =>
        `${dryRun ? "Would import" : "Imported"} ${inputName(file)}: ${countsText}.\n` +
        (refusedFile === undefined ? "" : `Wrote the refused rows to ${refusedFile}.\n`),
      exitCode: report.refused > 0 ? EXIT.failedCheck : EXIT.fine,
    });
  },
});

/** Reads `--format`, or the ending of the file's name. */
function parseFormat({ args: [path = ""], flags }: CommandInput): FormatName {
  const ending = /\.(csv|ndjson|jsonl)$/i.exec(path)?.[1]?.toLowerCase();
  const name = flags.format ?? ending;
  const format = name === "jsonl" ? "ndjson" : name;
  if (isFormatName(format)) return format;
  if (flags.format !== undefined) {
    throw new UsageError(`--format is '${flags.format}'; give csv or ndjson`);
  }
  if (isStandardInput(path)) {
    throw new UsageError(
      "The format of standard input is not known; add --format csv or --format ndjson",
    );
  }
  throw new UsageError(
    `The name '${path}' does not end in .csv or .ndjson; add --format csv or --format ndjson`,
  );
}

/**
 * Imports a file. Writes the reasons for which lines are refused to standard error, each once for some thousands of
 * lines. With `--json`, the summary lists the refused lines instead, at most {@linkcode MAX_REFUSALS} of them.
 *
 * @returns the sum of all answers of the service and of the rows that this program refused itself, with the line numbers
 * in the file; and the path of the file with the refused rows, if there is such a file
 */
async function importFile(
  { path, format, dryRun, rules, refusedFile }: ImportOptions,
  { context, settings, connect }: Session<OperatorClient>,
): Promise<{ report: ImportReport; refusedFile?: string }> {
  const file = await openInput(path, context);
  if (refusedFile) await prepareRefusedFile(refusedFile, { file, format }, context);
  const client = await connect();
  using progress = createProgress(context, settings);
  const readOptions = { format, rules, proposesMap: dryRun, note: progress.note };
  let rowsRead = 0;
  let rowsWithDays = 0;
  const source = await openRows(file, readOptions);
  async function* readRows(): AsyncGenerator<Row[]> {
    for await (const rows of source.groups) {
      rowsRead += rows.length;
      rowsWithDays += rows.filter((row) => "hasDay" in row).length;
      yield rows;
    }
  }

  const refusedRows: Refusal[] = [];
  const totals: ImportReport = { new: 0, merged: 0, unchanged: 0, refused: 0, refusals: [] };
  // The rows that this program could not read. The next call reports them, so that the audit log counts them.
  let unread = 0;
  // A sorted run holds some 12,500 rows in the order of their sign-ups, because the store writes sorted rows faster.
  for await (const sortedRun of oneAhead(inSortedRuns(readRows(), () => delay(PAUSE_MS)))) {
    totals.refused += sortedRun.refused.length;
    const refusals = sortedRun.refused.flatMap(({ number, reasons }) =>
      reasons.map((reason): Refusal => ({ line: number, reason }))
    );
    unread += sortedRun.refused.length;
    for await (const chunk of inChunks([sortedRun])) {
      const reported = Math.min(unread, MAX_UNREAD);
      const report = await sendChunk(chunk, {
        client,
        context,
        progress,
        dryRun,
        unread: reported,
      });
      unread -= reported;
      for (const outcome of OUTCOMES) totals[outcome] += report[outcome];
      refusals.push(...report.refusals);
      const imported = totals.new + totals.merged + totals.unchanged;
      // Many rows have been read and are not sent yet, so the position up to which the file was read is multiplied by
      // the share of the rows that were sent.
      const sentBytes = (imported + totals.refused) / rowsRead * file.position();
      progress.show(plural(imported, "sign-up", "sign-ups"), shareOf(sentBytes, file.size));
    }
    refusals.sort((a, b) => a.line - b.line);
    // These lines are only for people: with `--json`, `note()` writes nothing, and the summary has the refusals.
    for (const { reason, field, lines } of groupRefusals(refusals)) {
      const advice = adviseOnAnswer(field, { header: source.header, map: rules.map });
      progress.note([`${nameLines(lines)}: ${reason}`, ...advice ? [advice] : []].join(" "));
    }
    if (refusedFile) refusedRows.push(...refusals);
    if (settings.json) {
      totals.refusals.push(...refusals.slice(0, MAX_REFUSALS - totals.refusals.length));
    }
  }
  // A call without rows reports the unread rows that follow the last sent row. An import that changed nobody has no entry
  // in the audit log, so such an import makes no such call.
  const hasChanged = !dryRun && totals.new + totals.merged > 0;
  for (; hasChanged && unread > 0; unread -= MAX_UNREAD) {
    const noRows: Chunk = { lines: "", numbers: [] };
    const tools = { client, context, progress, dryRun };
    await sendChunk(noRows, { ...tools, unread: Math.min(unread, MAX_UNREAD) });
  }
  if (rowsWithDays > 0) {
    progress.note(
      `${
        plural(rowsWithDays, "row has", "rows have")
      } a day without a time, which counts from 00:00 in ${rules.zone}.`,
    );
  }
  if (!refusedFile || refusedRows.length === 0) return { report: totals };
  await writeRefusedFile(refusedFile.path, { file, refusals: refusedRows }, context);
  return { report: totals, refusedFile: refusedFile.path };
}

/** Names lines of the file, such as `Lines 2, 3 and 4`. If there are too many, names the first and counts the others. */
function nameLines(lines: number[]): string {
  if (lines.length === 1) return `Line ${lines[0]}`;
  const shown = lines.slice(0, SHOWN_LINES).map(String);
  const otherCount = lines.length - shown.length;
  const phrases = otherCount > 0 ? [...shown, `${formatNumber(otherCount)} more`] : shown;
  return `Lines ${phrases.slice(0, -1).join(", ")} and ${phrases.at(-1)}`;
}

/**
 * Begins to read the rows of a file. For CSV, the result also has the header.
 *
 * @param options.proposesMap whether to propose a `--map` for the columns of another tool
 * @param options.note writes which columns are left out
 * @throws {UsageError} if the header of a CSV file cannot be used
 */
async function openRows(
  file: InputFile,
  { format, rules, proposesMap, note }: {
    format: FormatName;
    rules: RowRules;
    proposesMap: boolean;
    note: (line: string) => void;
  },
): Promise<{ header?: ReadHeader; groups: AsyncGenerator<Row[]> }> {
  if (format === "ndjson") return { groups: readNdjsonRows(file.read(), rules) };
  const csv = await readCsvRows(file.read(), rules);
  if ("refused" in csv) throw new UsageError(describeHeader(csv));
  const leftOutNote = describeLeftOut(csv, { map: rules.map, proposesMap });
  if (leftOutNote !== undefined) note(leftOutNote);
  return { header: csv, groups: csv.rows };
}

/**
 * Sends a chunk. The service's answer has line numbers within the chunk; they are replaced by the line numbers in the
 * file.
 *
 * @param options.unread how many rows could not be read and are reported with this chunk
 */
async function sendChunk(
  { lines, numbers }: Chunk,
  { client, context, progress, dryRun, unread }: WorkTools & { dryRun: boolean; unread: number },
): Promise<ImportReport> {
  const query = { dryRun, ...unread > 0 && { unread } };
  const call = () => client.call("importSignups", { query, lines });
  const report = await withRetries(call, { context, progress });
  const refusals = report.refusals
    .map(({ line, reason }) => ({ line: numbers[line - 1] ?? line, reason }));
  return { ...report, refusals };
}
