/**
 * `waitlist overview`: shows people by state, sign-ups, referrals, letters and events on one screen, or the growth by
 * day or week.
 *
 * @module
 */
import { addDays, isDay, weekOf } from "../../shared/moments.ts";
import type { Overview } from "../../shared/operator_schemas.ts";
import { defineCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { parseChoice } from "../flag_values.ts";
import { OPERATOR_ACCESS } from "../operator/client.ts";
import { formatGrowth } from "./overview/format_growth.ts";
import { formatOverview } from "./overview/format_overview.ts";

export default defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist overview", "people by state, sign-ups, referrals, e-mails and events"],
    ["waitlist overview --by week --since 2026-09-01", "weeks, by language and form"],
    ["waitlist overview --json | jq .states.waiting", "for programs"],
  ],
  declare: (command) =>
    command
      .option("--by <day|week>", "a table of sign-ups by day or by week, and the steps after them")
      .option("--since <date>", "from this UTC day on; the last 90 days if left out"),
  parse({ flags }) {
    const by = flags.by === undefined
      ? undefined
      : parseChoice("--by", String(flags.by), ["day", "week"]);
    const since = flags.since === undefined ? undefined : String(flags.since);
    if (since !== undefined && !isDay(since)) {
      throw new UsageError(`--since is '${since}'; give a UTC day such as 2026-05-01`);
    }
    return { by, since };
  },
  async run({ by, since }, { context, connect, print }) {
    // With `--by week`, the table begins with the Monday of the week of `since`, so that the first week of the table is
    // whole.
    const firstDay = since !== undefined && by === "week" ? weekOf(since) : since;
    const query = firstDay === undefined ? {} : { since: firstDay };
    const overview = await (await connect()).call("getOverview", { query });
    const { stdout } = context;
    const columns = stdout.isTerminal ? stdout.columns() : undefined;
    return print({
      json: overview,
      text: (style) =>
        by
          ? formatGrowth(overview, {
            by,
            since: firstDay ?? (by === "week" ? firstMonday(overview) : ""),
            style,
          })
          : formatOverview(overview, { style, columns }),
      quiet: `${overview.total}\n`,
    });
  },
});

/** Returns the first Monday of an overview, so that a table by week begins with a whole week. */
function firstMonday({ days }: Pick<Overview, "days">): string {
  const firstDay = days[0]!.day;
  const monday = weekOf(firstDay);
  return monday === firstDay ? monday : addDays(monday, 7);
}
