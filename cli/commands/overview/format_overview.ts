/**
 * Formats the overview as one screen of text: people by state, sign-ups, referrals, campaigns, letters and events, and
 * regular work.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { attentionIn, findCounterDrift } from "../../../shared/attention.ts";
import { CAMPAIGN_FIELDS, CAMPAIGN_PARAMETERS } from "../../../shared/campaigns.ts";
import { compareFullDays } from "../../../shared/growth.ts";
import { addDays } from "../../../shared/moments.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { formatFields, formatNumber, formatSecond, formatSpan, plural } from "../../format.ts";
import type { Style } from "../../print.ts";
import { describeLeftOutRuns, describeRefusals } from "../doctor/check_overview.ts";
import { type CountRow, formatBars } from "../stats/format_stats.ts";

/** The states of people in the order of the screen, with their labels. */
const STATES: [state: keyof Overview["states"], label: string][] = [
  ["waiting", "Waiting"],
  ["unconfirmed", "Unconfirmed"],
  ["invited", "Invited"],
  ["accepted", "Accepted"],
];

/** How many characters of the service's texts are shown at most, by the kind of text. */
const MAX_LENGTHS = { address: 254, campaignValue: 40, date: 10, reason: 200, version: 20 };

/** The style of the text, and the width for its bars. */
interface Layout {
  style: Style;
  /** The terminal's width in characters; `undefined` draws no bars. */
  columns: number | undefined;
}

/** Formats the whole overview. */
export function formatOverview(overview: Overview, { style, columns }: Layout): string {
  const { total, states, last7Days, last30Days, generatedAt } = overview;
  const byState = countRows(STATES.map(([state, label]) => [label, states[state]]));
  const signUps = countRows([["Last 7 days", last7Days], ["Last 30 days", last30Days]]);
  const people = plural(total, "person", "people");
  return `${style.bold("Waitlist")}, ${people}, ${formatTime(generatedAt)}\n\n` +
    formatBars(byState, { style, columns }) +
    formatFunnel(overview, style) +
    `\n${style.bold("Sign-ups")}\n` +
    formatBars(signUps, { style, columns: undefined }) +
    formatLast7FullDays(overview, style) +
    formatSparklineOfDays(overview, { style, columns }) +
    formatReferrals(overview, { style, columns }) +
    formatCampaigns(overview, { style, columns }) +
    `\n${style.bold("E-mails and events")}\n` +
    formatOutbox(overview, style) +
    `\n${style.bold("Regular work")}\n` +
    formatRegularWork(overview, style);
}

/** Formats how many people signed up in the last seven full days, and in the seven days before them. */
function formatLast7FullDays(overview: Overview, style: Style): string {
  const today = overview.generatedAt.slice(0, 10);
  const { days: [firstDay] } = overview;
  // If `--since` is less than 14 days ago, the overview has too few days for the comparison.
  if (!firstDay || firstDay.day > addDays(today, -14)) return "";
  const { added, before, change, mayHaveImported } = compareFullDays(overview, today);
  const percent = change && Math.round(change * 100);
  const shownChange = percent === undefined ? "" : ` (${percent > 0 ? "+" : ""}${percent} %)`;
  const changeText = mayHaveImported ? " (some of them may be imported)" : shownChange;
  const line = `${formatNumber(added)} in the last 7 full days, ` +
    `${formatNumber(before)} in the 7 before${changeText}`;
  return `  ${style.dim(line)}\n`;
}

/** Formats how many invited people have accepted, and the median of the times from invitation to acceptance. */
function formatFunnel({ funnel }: Overview, style: Style): string {
  const { invited, accepted, medianSeconds } = funnel;
  if (invited === 0) return "";
  const medianText = medianSeconds === undefined
    ? ""
    : `, half of them within ${formatSpan(medianSeconds)}`;
  const share = Math.round(accepted / invited * 100);
  const line = `${formatNumber(accepted)} of ${formatNumber(invited)} accepted`;
  return `  ${style.dim(`${line} (${share} %)${medianText}`)}\n`;
}

/** The columns of the terminal that a line of bars leaves free: two for the indent, and the last column. */
const MARGIN = 3;

/** Draws the sign-ups of each day as bars, for as many days as the terminal is wide. */
function formatSparklineOfDays({ days }: Overview, { style, columns }: Layout): string {
  if (columns === undefined) return "";
  const shownDays = days.slice(-Math.max(1, columns - MARGIN));
  const line = formatSparkline(shownDays.map(({ added }) => added));
  const firstDay = quotable(shownDays[0]?.day ?? "", MAX_LENGTHS.date);
  return `\n  ${style.cyan(line)}\n  ${style.dim(`each day since ${firstDay}`)}\n`;
}

/** Formats how many people came by the links of others, and who has the most referrals. */
function formatReferrals({ referrals, last7Days }: Overview, { style, columns }: Layout): string {
  if (!referrals || referrals.total === 0) return "";
  const { lastWeek, total, top } = referrals;
  const totals = formatFields([
    ["Last 7 days", `${formatNumber(lastWeek)} of ${plural(last7Days, "sign-up", "sign-ups")}`],
    ["In all", formatNumber(total)],
  ], style);
  const topRows = countRows(
    top.map((person) => [quotable(person.email, MAX_LENGTHS.address), person.referrals]),
  );
  const topHeading = `\n  ${style.dim("The people with the most referrals")}\n`;
  return `\n${style.bold("Referrals")}\n${totals}` +
    (topRows.length > 0 ? topHeading + formatBars(topRows, { style, columns }) : "");
}

/** How many values of each field of a campaign are shown at most. */
const MAX_VALUES_SHOWN = 10;

/** Formats how many people each campaign has brought, the campaigns with the most people first. */
function formatCampaigns({ campaigns }: Overview, { style, columns }: Layout): string {
  const charts = CAMPAIGN_FIELDS.map((field) => {
    const counts = Object.entries(campaigns?.[field] ?? {})
      .toSorted(([, one], [, other]) => other - one);
    if (counts.length === 0) return "";
    const shownCounts = counts.slice(0, MAX_VALUES_SHOWN);
    const rows = countRows(
      shownCounts.map(([value, count]) => [quotable(value, MAX_LENGTHS.campaignValue), count]),
    );
    const otherCount = counts.length - shownCounts.length;
    const othersLine = otherCount > 0
      ? `  ${style.dim(`and ${plural(otherCount, "other", "others")}`)}\n`
      : "";
    const heading = `  ${style.dim(CAMPAIGN_PARAMETERS[field])}\n`;
    return heading + formatBars(rows, { style, columns }) + othersLine;
  }).filter((chart) => chart !== "");
  if (charts.length === 0) return "";
  return `\n${style.bold("Campaigns")}\n${charts.join("\n")}`;
}

/**
 * Formats the numbers of letters and events, and their problems. The labels say "rejected" and "accepted", as the console
 * does, for the words "refused" and "taken" of the contract.
 */
function formatOutbox(overview: Overview, style: Style): string {
  const { outbox, leftOutRuns = [] } = overview;
  const { due, oldestDue, held, refused, sentToday, pause } = outbox;
  const firstDue = oldestDue ? `, the first at ${formatTime(oldestDue)}` : "";
  const nextStep = refused > 0 ? "; see 'waitlist outbox list --refused'" : "";
  const pauseText = pause &&
    `${describeWait(pause)}: ${quotable(pause.reason, MAX_LENGTHS.reason)}`;
  const problems = [
    ...attentionIn(overview).flatMap((problem) =>
      problem.about === "refused" ? [describeRefusals(problem.refusals)] : []
    ),
    ...leftOutRuns.map(describeLeftOutRuns),
  ];
  return formatFields([
    ["Waiting", formatNumber(due) + firstDue],
    ["Rejected", formatNumber(refused) + nextStep],
    ["Held back", held > 0 ? formatNumber(held) : undefined],
    ["E-mails accepted by the mail server today", formatNumber(sentToday)],
    ["Paused", pauseText && style.red(pauseText)],
    ...problems.map((problem): [string, string] => ["Attention", style.red(problem)]),
  ], style);
}

/** Says until when e-mails are paused, and when the last test of the pause failed, or that a test is due. */
function describeWait(
  { until, testing, testedAt }: NonNullable<Overview["outbox"]["pause"]>,
): string {
  if (testing) return "a test is due or under way";
  const lastTest = testedAt ? `, as the last test failed at ${formatTime(testedAt)}` : "";
  return `until ${formatTime(until)}${lastTest}`;
}

/** Formats the version of the service, its backups, and the last check of its counters. */
function formatRegularWork(overview: Overview, style: Style): string {
  const { lastDone: { backup, verify }, backups } = overview;
  const drift = findCounterDrift(overview);
  const failure = backups?.failed;
  const failureText = failure &&
    `${formatTime(failure.at)}: ${quotable(failure.reason, MAX_LENGTHS.reason)}`;
  return formatFields([
    ["Version", overview.version && quotable(overview.version, MAX_LENGTHS.version)],
    ["Last backup", backup ? formatTime(backup) : "never"],
    [
      "Next backup",
      backups && `each day at ${quotable(backups.at)} UTC; ${backups.keep} are kept`,
    ],
    ["Backup failed", failureText && style.red(failureText)],
    ["Last verify", verify ? formatTime(verify) : "never"],
    [
      "Counters",
      drift && style.red(`differed at ${formatTime(drift)}; run 'waitlist counters repair'`),
    ],
  ], style);
}

/** Makes the rows for {@linkcode formatBars} from counts that have no earlier counts to compare with. */
function countRows(counts: [label: string, count: number][]): CountRow[] {
  return counts.map(([label, count]) => ({ label, count, change: undefined }));
}

/** Formats a date-time of the service to the second. */
function formatTime(dateTime: string): string {
  return formatSecond(quotable(dateTime));
}

/** The bars of a sparkline, the lowest first. */
const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Draws counts as a line of bars. Only a count of 0 has the lowest bar. */
export function formatSparkline(counts: number[]): string {
  const scale = (BARS.length - 1) / Math.max(1, ...counts);
  return counts.map((count) => BARS[Math.ceil(count * scale)]).join("");
}
