/**
 * `waitlist stats`: shows the statistics once, or again and again.
 *
 * @module
 */
import type { ApiClient } from "../../shared/api_client.ts";
import type { ApiFailure } from "../../shared/api_failure.ts";
import type { WaitlistStats } from "../../shared/schemas.ts";
import { type AuthorizedClient, CREDENTIALS_ACCESS } from "../api_access.ts";
import { defineCommand, type Session } from "../command.ts";
import { EXIT, type ExitCode, toCliError, UsageError } from "../errors.ts";
import { type FlagValues, parseSeconds } from "../flag_values.ts";
import { createStyle, formatJson } from "../print.ts";
import { formatCsv, formatStats } from "./stats/format_stats.ts";

/** The default of `--watch`, in milliseconds. */
const DEFAULT_INTERVAL = 10_000;

/** The options of the command. */
interface StatsOptions {
  csv: boolean;
  /** The time between two requests, in milliseconds; `undefined` for a single request. */
  interval: number | undefined;
}

export default defineCommand<StatsOptions, AuthorizedClient>({
  access: CREDENTIALS_ACCESS,
  examples: [
    ["waitlist stats --sandbox", "totals and bars"],
    ["waitlist stats --watch 30", "again every 30 s, with the changes since the start"],
    ["waitlist stats --csv > stats.csv", "for a spreadsheet"],
    ["waitlist stats --json | jq .total", "for programs"],
  ],
  declare: (command) => {
    command
      .option("--csv", "print CSV with one line for each count")
      .option(
        "--watch [seconds]",
        "show them again every 10 seconds, or in another interval of at least 5 seconds",
      );
  },
  parse({ flags }) {
    if (flags.csv && flags.json) {
      throw new UsageError("--csv and --json exclude each other; leave out one of these flags");
    }
    return { csv: flags.csv === true, interval: parseWatch(flags) };
  },
  async run(options, session) {
    const client = await session.connect();
    if (options.interval !== undefined) {
      return await watch(client, { ...options, interval: options.interval }, session);
    }
    const { data, error } = await client.stats();
    if (error) throw toCliError(error);
    session.context.stdout.write(await formatAnswer(data, undefined, options, session));
    return EXIT.fine;
  },
});

/** Reads `--watch`. Returns milliseconds. */
function parseWatch({ watch }: FlagValues): number | undefined {
  if (watch === undefined) return undefined;
  if (watch === true) return DEFAULT_INTERVAL;
  return parseSeconds("--watch", String(watch), { from: 5, to: 86_400 }) * 1000;
}

/** Shows the statistics again and again until Ctrl+C. The client keeps its access token between the requests. */
async function watch(
  client: ApiClient,
  options: StatsOptions & { interval: number },
  session: Session<unknown>,
): Promise<ExitCode> {
  const { context, settings } = session;
  const { stdout, stderr, clock } = context;
  const signal = context.catchInterrupt();
  const isRedrawn = stdout.isTerminal && !settings.json && !options.csv;
  let firstStats: WaitlistStats | undefined;
  while (!signal.aborted) {
    const { data, error } = await client.stats({ signal });
    if (data) {
      const text = await formatAnswer(data, firstStats, options, session);
      // A terminal is redrawn in place, because this does not flicker, and the last numbers stay when the command ends.
      if (isRedrawn) stdout.redraw(text);
      else stdout.write(text);
      firstStats ??= data;
    } else if (!signal.aborted) {
      const failure = toCliError(error);
      if (!firstStats || !isTemporary(error)) throw failure;
      stderr.write(
        settings.json
          ? failure.toJsonLine()
          : `waitlist: ${failure.fault}; the command asks for the statistics again.\n`,
      );
    }
    await clock.wait(options.interval, signal);
  }
  if (!settings.quiet && !settings.json) stderr.write("\nStopped watching.\n");
  return EXIT.fine;
}

/** Whether a later call may succeed after this failure. */
function isTemporary({ kind }: ApiFailure): boolean {
  return ["limited", "failed", "unreachable", "timed_out"].includes(kind);
}

/**
 * Formats the statistics in the form that the user chose.
 *
 * @param firstStats the first statistics of `--watch`, to show the changes since then
 */
async function formatAnswer(
  stats: WaitlistStats,
  firstStats: WaitlistStats | undefined,
  { csv, interval }: StatsOptions,
  { settings, context: { stdout, variables } }: Session<unknown>,
): Promise<string> {
  if (settings.json) {
    // With `--watch`, the JSON of each request is one line, so that programs can read it line by line.
    return interval === undefined ? formatJson(stats) : `${JSON.stringify(stats)}\n`;
  }
  if (csv) return await formatCsv(stats, { header: firstStats === undefined });
  if (settings.quiet) return `${stats.total}\n`;
  return formatStats(stats, {
    earlier: firstStats,
    style: createStyle(stdout, variables),
    columns: stdout.isTerminal ? stdout.columns() : undefined,
  });
}
