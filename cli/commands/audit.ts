/**
 * `waitlist audit`: shows the audit log.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import { activity as activityTexts } from "../../shared/generated/console.ts";
import { parseMoment } from "../../shared/moments.ts";
import { ownMember } from "../../shared/own_member.ts";
import type { AuditEntry, UnreadableRecord } from "../../shared/operator_schemas.ts";
import { defineCommand } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { parseBefore, parseCount, readDuration } from "../flag_values.ts";
import { formatMinute, formatTable } from "../format.ts";
import { checkedLines } from "../operator/checked_lines.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../operator/client.ts";
import { cutError } from "../operator/cuts.ts";
import { formatUnreadable } from "../operator/records_text.ts";

/**
 * The query of the operation `readAuditLog`. The times are date-times in UTC; `before` may also be the value `next` of
 * an earlier answer.
 */
interface AuditQuery {
  since: string;
  operator?: string;
  action?: string;
  without?: string;
  newest?: number;
  before?: string;
}

/** The value of `--since`: a length of time before the present time, or a date-time in UTC. */
type Since = { agoMs: number } | { at: string };

/** How many characters a cell of the table has at most. */
const MAX_CELL_LENGTH = 200;

export default defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist audit", "the last 7 days"],
    ["waitlist audit --since 400d --operator ada", "all entries by one operator"],
    ["waitlist audit --action eraseSignup", "only erasures of people"],
    ["waitlist audit --newest 20 --since 400d", "the last 20 entries, the newest first"],
    ["waitlist audit --since 2026-05-01 --json | jq '.entries[].action'", "for programs"],
  ],
  declare: (command) => {
    command
      .option("--since <time>", "a length of time such as 24h or 7d, a UTC date, or a time", "7d")
      .option("--operator <name>", "only the entries by this operator")
      .option("--action <name>", "only the entries with this action, such as eraseSignup")
      .option("--without <name>", "no entries with this action, such as redeemInvitation")
      .option("--newest <number>", "at most this many entries, the newest first; up to 1000")
      .option("--before <time>", "only entries before this date or time, or the next page's value");
  },
  parse: ({ flags }) => ({
    since: parseSince(String(flags.since)),
    filter: {
      ...flags.operator !== undefined && { operator: String(flags.operator) },
      ...flags.action !== undefined && { action: String(flags.action) },
      ...flags.without !== undefined && { without: String(flags.without) },
      ...flags.newest !== undefined && { newest: parseCount("--newest", String(flags.newest)) },
      ...flags.before !== undefined && { before: parseBefore(String(flags.before)) },
    },
  }),
  async run({ since, filter }, { context, connect, print }) {
    const query: AuditQuery = { since: toDateTime(since, context.clock.now()), ...filter };
    const { entries, unreadable, next } = await readEntries(await connect(), query);
    const exitCode = print({
      json: { ...query, entries, unreadable, ...next && { next } },
      quiet: entries.map((entry) => `${toRow(entry).join("\t")}\n`).join(""),
      text(style) {
        if (entries.length === 0) return describeEmptyResult(query);
        const heading = ["Time (UTC)", "Operator", "Action", "On", "Details"];
        return formatTable(heading, entries.map(toReadableRow), style, { mayShorten: ["Details"] });
      },
      note: next ? `There are older entries; add --before '${quotable(next)}'.\n` : "",
      exitCode: unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck,
    });
    context.stderr.write(formatUnreadable(unreadable));
    return exitCode;
  },
});

/**
 * Returns the text about an empty result. The text repeats the query, because a mistyped name in the query also finds
 * nothing.
 */
function describeEmptyResult({ since, operator, action, without, before }: AuditQuery): string {
  return "The audit log has no entry" +
    (operator === undefined ? "" : ` by '${quotable(operator)}'`) +
    (action === undefined ? "" : ` with the action '${quotable(action)}'`) +
    (without === undefined ? "" : ` other than '${quotable(without)}'`) +
    ` since ${since}` +
    (before === undefined ? "" : ` and before '${quotable(before)}'`) + ".\n";
}

/** Reads `--since`. */
function parseSince(text: string): Since {
  const seconds = readDuration(text);
  if (seconds !== undefined) return { agoMs: seconds * 1000 };
  const at = parseMoment(text);
  if (at !== undefined) return { at };
  throw new UsageError(
    `--since is '${text}'; give a length of time such as 24h or 7d, a UTC date such as 2026-05-01, or a ` +
      "time such as 2026-05-01T09:30:00Z",
  );
}

/** Returns the date-time of `--since`. @param now the present time, in milliseconds since 1970 */
function toDateTime(since: Since, now: number): string {
  if ("at" in since) return since.at;
  // A time before 1970 becomes the beginning of 1970, because JavaScript has no dates that are very far back. No entry
  // of the log is older than 1970.
  return new Date(Math.max(now - since.agoMs, 0)).toISOString();
}

/** Reads the entries that a query finds, and the entries that the service cannot read. */
async function readEntries(
  client: OperatorClient,
  query: AuditQuery,
): Promise<{ entries: AuditEntry[]; unreadable: UnreadableRecord[]; next?: string }> {
  const entries: AuditEntry[] = [];
  const unreadable: UnreadableRecord[] = [];
  for await (const line of checkedLines("readAuditLog", { query }, { client })) {
    if ("complete" in line) {
      return { entries, unreadable, ...line.next !== undefined && { next: line.next } };
    }
    if ("unreadable" in line) unreadable.push(line.unreadable);
    else entries.push(line);
  }
  throw cutError("The service sent only a part of the audit log; run the command again");
}

/** Makes a row for people: the time to the minute, and the action in the words of the console. */
function toReadableRow(entry: AuditEntry): string[] {
  const action = ownMember(activityTexts.actions, entry.action) ?? entry.action;
  return toRow({ ...entry, at: formatMinute(entry.at), action });
}

/** Makes a row for programs, with the time and the action as the service gives them. */
function toRow({ at, operator, action, client_id, address, details = {} }: AuditEntry): string[] {
  const detailTexts = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  return [at, operator ?? "-", action, client_id ?? address ?? "-", detailTexts.join(" ")]
    .map((cell) => quotable(String(cell), MAX_CELL_LENGTH));
}
