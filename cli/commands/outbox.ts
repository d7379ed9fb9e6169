/**
 * `waitlist outbox`: letters and events that wait to be sent, or are not tried any more.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import type { ListedItem } from "../../shared/operator_schemas.ts";
import { defineCommand } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { OPERATOR } from "../operator/client.ts";
import { createProgress, longWork } from "../operator/progress.ts";
import { formatTable, plural } from "../print.ts";
import { parseCount } from "./signups/filters.ts";

const list = defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist outbox list", "what waits, the first to be sent first"],
    ["waitlist outbox list --refused", "what is not tried any more, and why"],
    ["waitlist outbox list --refused --quiet", "the ids alone, for 'outbox retry'"],
  ],
  declare: (command) => {
    command
      .option("--refused", "list what is not tried any more")
      .option("--limit <number>", "list so many at the most, up to 1000", "100");
  },
  parse({ flags }) {
    const limit = parseCount("--limit", String(flags.limit));
    if (limit > 1_000) throw new UsageError(`--limit is '${limit}'; give a number up to 1000`);
    return { refused: flags.refused === true, limit };
  },
  async run(body, { connect, print }) {
    const { items, next } = await (await connect()).call("listOutbox", { body });
    const nothing = body.refused ? "Nothing was refused.\n" : "None are waiting.\n";
    return print({
      json: { items, ...next && { next } },
      text: (style) => items.length === 0 ? nothing : formatTable(HEADING, items.map(toRow), style),
      quiet: items.map(({ id }) => `${id}\n`).join(""),
      note: next ? "There are others behind them; give a larger --limit.\n" : "",
    });
  },
});

const HEADING = ["Id", "What", "To", "When", "Tries", "Reason"];

function toRow({ id, message, email, dueAt, refusedAt, tries, reason = "" }: ListedItem): string[] {
  const when = dueAt ?? refusedAt ?? "";
  return [id, message, email, when, String(tries), reason].map((text) => quotable(text, 300));
}

const retry = defineCommand({
  access: OPERATOR,
  goOn: "run the same command again",
  examples: [
    ["waitlist outbox retry --all", "everything that was refused"],
    ["waitlist outbox retry 0m1abc2defGhIjKlMnOpQrStUvWxYz", "one letter, by its id"],
  ],
  declare: (command) => {
    command
      .argument("[id...]", "the ids of letters and events, as 'outbox list' shows them")
      .option("--all", "all that were refused");
  },
  parse({ args: ids, flags }) {
    if ((ids.length === 0) !== (flags.all === true)) {
      throw new UsageError("Say what to try again; give either ids or --all");
    }
    if (ids.length > MAX_IDS) {
      throw new UsageError(`${ids.length} ids are given; give ${MAX_IDS} at the most, or --all`);
    }
    return ids.length > 0 ? { ids } : { all: true };
  },
  async run(body, { context, settings, connect, print }) {
    const client = await connect();
    const progress = createProgress(context, settings);
    const { retried, left } = await longWork("retryOutbox", { body }, { client, progress });
    const unchanged = left > 0 ? `; ${plural(left, "id is", "ids are")} unknown, or due soon` : "";
    return print({
      json: { retried, left },
      text: () =>
        body.all && retried === 0
          ? "Nothing was refused. If letters were paused, they are tried now.\n"
          : `Made due at once: ${plural(retried, "item", "items")}${unchanged}.\n`,
      exitCode: left > 0 ? EXIT.failedCheck : EXIT.fine,
    });
  },
});

/** The most ids that one call takes. */
const MAX_IDS = 500;

export default { list, retry };
