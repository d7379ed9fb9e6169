/**
 * `waitlist overview`: how the waitlist does, on one screen.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import { isDay, weekOf } from "../../shared/moments.ts";
import { findCounterDrift } from "../../shared/attention.ts";
import type { Overview } from "../../shared/operator_schemas.ts";
import { defineCommand } from "../command.ts";
import { OPERATOR } from "../operator/client.ts";
import { UsageError } from "../errors.ts";
import { formatFields, type Style } from "../print.ts";
import { describeRefusals } from "./doctor/check_overview.ts";
import { formatGrowth } from "./overview/growth.ts";
import { sparkline } from "./overview/sparkline.ts";
import { formatBars } from "./stats/format.ts";

export default defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist overview", "people by state, sign-ups, letters and events"],
    ["waitlist overview --by week --since 2026-09-01", "the weeks, with language and form"],
    ["waitlist overview --json | jq .states.waiting", "for programs"],
  ],
  declare: (command) =>
    command
      .option("--by <day|week>", "a table of the sign-ups by day or week, and how far people came")
      .option("--since <date>", "since this UTC day; the last 90 days if left out"),
  parse({ flags }) {
    const by = (["day", "week"] as const).find((each) => each === flags.by);
    if (flags.by !== undefined && !by) {
      throw new UsageError(`--by is '${flags.by}'; give day or week`);
    }
    const since = flags.since === undefined ? undefined : String(flags.since);
    if (since !== undefined && !isDay(since)) {
      throw new UsageError(`--since is '${since}'; give a UTC day such as 2026-05-01`);
    }
    return { by, since };
  },
  async run({ by, since }, { context, connect, print }) {
    // The first of the weeks is a whole one.
    const first = since !== undefined && by === "week" ? weekOf(since) : since;
    const query = first === undefined ? {} : { since: first };
    const overview = await (await connect()).call("getOverview", { query });
    const { stdout } = context;
    const columns = stdout.isTerminal ? stdout.columns() : undefined;
    return print({
      json: overview,
      text: (style) =>
        by
          ? formatGrowth(overview, { by, since: first ?? "", style })
          : formatOverview(overview, { style, columns }),
      quiet: `${overview.total}\n`,
    });
  },
});

const STATES = {
  waiting: "Waiting",
  unconfirmed: "Unconfirmed",
  invited: "Invited",
  accepted: "Accepted",
} as const;

/** @param options.columns the terminal's width; `undefined` draws nothing */
function formatOverview(
  overview: Overview,
  { style, columns }: { style: Style; columns: number | undefined },
): string {
  const { total, states, last7Days, last30Days, generatedAt } = overview;
  const rows = (counts: [label: string, count: number][]) =>
    counts.map(([label, count]) => ({ label, count, change: undefined }));
  const byState = rows(
    Object.entries(STATES).map(([state, label]) => [label, states[state as keyof typeof STATES]]),
  );
  const signUps = rows([["Last 7 days", last7Days], ["Last 30 days", last30Days]]);
  const people = total === 1 ? "1 person" : `${total.toLocaleString("en-US")} people`;
  return `${style.bold("Waitlist")}, ${people}, ${momentOf(generatedAt)}\n\n` +
    formatBars(byState, { style, columns }) +
    formatFunnel(overview, style) +
    `\n${style.bold("Sign-ups")}\n` +
    formatBars(signUps, { style, columns: undefined }) +
    formatDays(overview, { style, columns }) +
    `\n${style.bold("Letters and events")}\n` +
    formatOutbox(overview, style) +
    `\n${style.bold("Regular work")}\n` +
    formatLastDone(overview, style);
}

/** How many of those who were invited have accepted, and how soon half of them did. */
function formatFunnel({ funnel }: Overview, style: Style): string {
  const { invited, accepted, medianSeconds } = funnel;
  if (invited === 0) return "";
  const within = medianSeconds === undefined
    ? ""
    : `, half of them within ${spanOf(medianSeconds)}`;
  const share = Math.round(accepted / invited * 100);
  const line = `${accepted.toLocaleString("en-US")} of ${invited.toLocaleString("en-US")} accepted`;
  return `  ${style.dim(`${line} (${share} %)${within}`)}\n`;
}

/** A time in the largest unit of which there are two at least. */
function spanOf(seconds: number): string {
  const units = [[86_400, "days"], [3_600, "hours"], [60, "minutes"]] as const;
  const [size, unit] = units.find(([size]) => seconds >= 2 * size) ?? [1, "seconds"];
  return `${Math.round(seconds / size)} ${unit}`;
}

/** The days as far back as they fit in a terminal. */
function formatDays(
  { days }: Overview,
  { style, columns }: { style: Style; columns: number | undefined },
): string {
  if (columns === undefined) return "";
  const shown = days.slice(-Math.max(1, Math.min(days.length, columns - 3)));
  const line = sparkline(shown.map(({ added }) => added));
  const from = quotable(shown[0]?.day ?? "", 10);
  return `\n  ${style.cyan(line)}\n  ${style.dim(`each day since ${from}`)}\n`;
}

function formatOutbox({ outbox, refusals = [] }: Overview, style: Style): string {
  const { due, oldestDue, held, refused, sentToday, pause } = outbox;
  const number = (count: number) => count.toLocaleString("en-US");
  return formatFields([
    ["Due", oldestDue ? `${number(due)}, the first at ${momentOf(oldestDue)}` : number(due)],
    ["Refused", refused > 0 ? `${number(refused)}; see 'waitlist outbox list --refused'` : "0"],
    ...held > 0 ? [["Held back", number(held)] as [string, string]] : [],
    ["Sent today", number(sentToday)],
    [
      "Paused",
      pause && style.red(`until ${momentOf(pause.until)}: ${quotable(pause.reason, 200)}`),
    ],
    ...refusals.map((each): [string, string] => ["Attention", style.red(describeRefusals(each))]),
  ], style);
}

function formatLastDone(overview: Overview, style: Style): string {
  const { lastDone: { backup, verify }, backups } = overview;
  const drift = findCounterDrift(overview);
  return formatFields([
    ["Version", overview.version && quotable(overview.version, 20)],
    ["Last backup", backup ? momentOf(backup) : "never"],
    [
      "Next backup",
      backups && `each day at ${quotable(backups.at)} UTC; ${backups.keep} are kept`,
    ],
    [
      "Backup failed",
      backups?.failed &&
      style.red(`${momentOf(backups.failed.at)}: ${quotable(backups.failed.reason, 200)}`),
    ],
    ["Last verify", verify ? momentOf(verify) : "never"],
    [
      "Counters",
      drift && style.red(`differed at ${momentOf(drift)}; run 'waitlist counters repair'`),
    ],
  ], style);
}

/** A date-time for people: `2026-11-21 12:00:20 UTC`. */
function momentOf(dateTime: string): string {
  return quotable(dateTime).replace(/^(.+)T([\d:]+).*$/, "$1 $2 UTC");
}
