import type { ApiClient } from "../../shared/api_client.ts";
import type { ApiFailure } from "../../shared/api_failure.ts";
import type { WaitlistStats } from "../../shared/schemas.ts";
import { UsageError } from "../cli_error.ts";
import { defineCommand } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import {
  addCredentialsFlags,
  type CredentialsSource,
  getCredentials,
  readCredentialsSource,
} from "../credentials.ts";
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { toCliError } from "../failures.ts";
import { formatStats } from "../output/stats_text.ts";
import { createStyle } from "../output/style.ts";
import { type Flags, parseSeconds, readSettings, type Settings } from "../settings.ts";

/** What `stats` runs with. */
interface StatsOptions {
  settings: Settings;
  credentials: CredentialsSource;
  csv: boolean;
  /** Milliseconds between two looks; `undefined` for one look. */
  watch: number | undefined;
}

/** `waitlist stats`: fetches the statistics, once or again and again. */
export default defineCommand<StatsOptions>({
  examples: [
    ["waitlist stats --sandbox", "totals and bars"],
    ["waitlist stats --watch 30", "again every 30 s, with the change since the start"],
    ["waitlist stats --csv > stats.csv", "for a spreadsheet"],
    ["waitlist stats --json | jq .total", "for programs"],
  ],
  declare: (command) => {
    addCredentialsFlags(command);
    command
      .option("--csv", "print CSV: one line per figure")
      .option("--watch [seconds]", "redraw every 10 seconds, or as given, at least 5");
  },
  parse(input) {
    const { flags, variables } = input;
    if (flags.csv && flags.json) {
      throw new UsageError("--csv and --json exclude each other; choose one");
    }
    const settings = readSettings(flags, variables);
    return {
      settings,
      credentials: readCredentialsSource(input, settings),
      csv: flags.csv === true,
      watch: parseWatch(flags),
    };
  },
  async run(options, context) {
    const credentials = await getCredentials(options.credentials, context);
    const client = connect(options.settings, context, { credentials });
    if (options.watch !== undefined) return await watch(options, options.watch, client, context);
    const { data, error } = await client.stats();
    if (error) throw toCliError(error);
    context.stdout.write(await format(data, undefined, options, context));
    return EXIT.fine;
  },
});

function parseWatch({ watch }: Flags): number | undefined {
  if (watch === undefined) return undefined;
  if (watch === true) return 10_000;
  return parseSeconds("--watch", String(watch), { from: 5, to: 86_400 }) * 1000;
}

/** Looks again and again until Ctrl-C; the client holds its token meanwhile. */
async function watch(
  options: StatsOptions,
  interval: number,
  client: ApiClient,
  context: Context,
): Promise<ExitCode> {
  const { stdout, stderr, clock } = context;
  const signal = context.interrupted();
  const redraws = stdout.isTerminal && !options.settings.json && !options.csv;
  let start: WaitlistStats | undefined;
  while (!signal.aborted) {
    const { data, error } = await client.stats({ signal });
    if (data) {
      const text = await format(data, start, options, context);
      // Home first, then clear what is below: no flicker, and nothing to restore at the end.
      stdout.write(redraws ? `\x1b[H\x1b[J${text}` : text);
      start ??= data;
    } else if (!signal.aborted) {
      if (!start || !mayPass(error)) throw toCliError(error);
      const failure = toCliError(error);
      stderr.write(
        options.settings.json
          ? failure.toJsonLine()
          : `waitlist: ${failure.message}; still watching.\n`,
      );
    }
    await clock.wait(interval, signal);
  }
  if (!options.settings.quiet && !options.settings.json) stderr.write("\nStopped watching.\n");
  return EXIT.fine;
}

/** Whether a later look may well succeed. */
function mayPass({ kind }: ApiFailure): boolean {
  return ["limited", "failed", "unreachable", "timed_out"].includes(kind);
}

async function format(
  stats: WaitlistStats,
  start: WaitlistStats | undefined,
  { settings, csv, watch }: StatsOptions,
  { stdout, variables }: Context,
): Promise<string> {
  // In a watch, one line each.
  if (settings.json) return `${JSON.stringify(stats, null, watch === undefined ? 2 : undefined)}\n`;
  if (csv) {
    const { formatCsv } = await import("../output/stats_csv.ts");
    return formatCsv(stats, { header: start === undefined });
  }
  if (settings.quiet) return `${stats.total}\n`;
  return formatStats(stats, {
    start,
    style: createStyle(stdout, variables),
    columns: stdout.isTerminal ? stdout.columns() : undefined,
  });
}
