/**
 * `waitlist audit`: what the operators have done.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import { parseMoment } from "../../shared/moments.ts";
import type { AuditEntry, UnreadableRecord } from "../../shared/operator_schemas.ts";
import { defineCommand } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { checkedLines } from "../operator/checked_lines.ts";
import { OPERATOR, type OperatorClient } from "../operator/client.ts";
import { cutError } from "../operator/lines.ts";
import { listUnreadable } from "../operator/records_text.ts";
import { formatTable } from "../print.ts";
import { parseDuration } from "../time_flags.ts";
import { parseCount, parseMomentFlag } from "./signups/filters.ts";

export default defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist audit", "the last 7 days"],
    ["waitlist audit --since 400d --operator ada", "all that is kept of one operator"],
    ["waitlist audit --newest 20 --since 400d", "the last 20 entries, the newest first"],
    ["waitlist audit --since 2026-05-01 --json | jq '.entries[].action'", "for programs"],
  ],
  declare: (command) => {
    command
      .option("--since <time>", "a length of time such as 24h or 7d, a UTC date, or a time", "7d")
      .option("--operator <name>", "only what this operator did")
      .option("--newest <number>", "at most so many entries, the newest first; up to 1000")
      .option("--before <time>", "only entries before this date or time, or of the next page");
  },
  parse: ({ flags }) => ({
    since: parseSince(String(flags.since)),
    filter: {
      ...flags.operator !== undefined && { operator: String(flags.operator) },
      ...flags.newest !== undefined && { newest: parseCount("--newest", String(flags.newest)) },
      ...flags.before !== undefined && { before: parseBefore(String(flags.before)) },
    },
  }),
  async run({ since, filter }, { context, connect, print }) {
    const query = { since: since(context.clock.now()), ...filter };
    const { entries, unreadable, next } = await readEntries(await connect(), query);
    const exitCode = print({
      json: { ...query, entries, unreadable, ...next && { next } },
      quiet: entries.map((entry) => `${toRow(entry).join("\t")}\n`).join(""),
      text(style) {
        if (entries.length === 0) return describeNothing(query);
        const heading = ["Time", "Operator", "Action", "On", "Details"];
        return formatTable(heading, entries.map(toRow), style);
      },
      note: next ? `There are older ones; add --before '${quotable(next)}'.\n` : "",
      exitCode: unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck,
    });
    context.stderr.write(listUnreadable(unreadable));
    return exitCode;
  },
});

/** Says what was looked for, as a name that is wrong finds nothing too. */
function describeNothing(query: { since: string; operator?: string; before?: string }): string {
  const { since, operator, before } = query;
  return "Nothing" + (operator === undefined ? "" : ` of '${quotable(operator)}'`) +
    ` is in the audit log since ${since}` +
    (before === undefined ? "" : ` and before '${quotable(before)}'`) + ".\n";
}

/** Reads `--before`; a text with a space is the `next` of an earlier answer, which the service checks. */
function parseBefore(text: string): string {
  return text.includes(" ") ? text : parseMomentFlag("--before", text);
}

/** Makes the function that gives the moment that `--since` means, by the present moment. */
function parseSince(text: string): (now: number) => string {
  const seconds = parseDuration(text);
  if (seconds !== undefined) {
    // Nothing is older than 1970, however long the time.
    return (now) => new Date(Math.max(now - seconds * 1000, 0)).toISOString();
  }
  const moment = parseMoment(text);
  if (moment !== undefined) return () => moment;
  throw new UsageError(
    `--since is '${text}'; give a length of time such as 24h or 7d, a UTC date such as 2026-05-01, or a ` +
      "time such as 2026-05-01T09:30:00Z",
  );
}

async function readEntries(
  client: OperatorClient,
  query: { since: string; operator?: string; newest?: number; before?: string },
): Promise<{ entries: AuditEntry[]; unreadable: UnreadableRecord[]; next?: string }> {
  const entries: AuditEntry[] = [];
  const unreadable: UnreadableRecord[] = [];
  for await (const value of checkedLines("readAuditLog", { query }, { client })) {
    if (value.complete === true) {
      return { entries, unreadable, ...value.next !== undefined && { next: String(value.next) } };
    }
    if ("unreadable" in value) unreadable.push(value.unreadable as UnreadableRecord);
    else entries.push(value as AuditEntry);
  }
  throw cutError("The audit log ended before it was complete");
}

function toRow({ at, operator, action, client_id, address, details = {} }: AuditEntry): string[] {
  const texts = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  return [at, operator ?? "-", action, client_id ?? address ?? "-", texts.join(" ")]
    .map((cell) => quotable(String(cell), 200));
}
