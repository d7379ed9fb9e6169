/**
 * `waitlist outbox`: lists the letters and events that wait or were refused, and tries them again.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import type {
  ListedItem,
  OutboxList,
  RetryEnd,
  RetryRequest,
} from "../../shared/operator_schemas.ts";
import { defineCommand } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { parseCount } from "../flag_values.ts";
import { formatMinute, formatTable, plural } from "../format.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../operator/client.ts";
import { createProgress } from "../operator/progress.ts";
import { runLongWork } from "../operator/run_long_work.ts";

/** How many letters and events one call lists at most (`OutboxRequest` in the OpenAPI document). */
const MAX_ITEMS = 1_000;

/** How many characters of a text, such as the reason of a refusal, are shown at most. */
const MAX_TEXT_LENGTH = 300;

/** How many ids one call has at most (`RetryRequest` in the OpenAPI document). */
const MAX_IDS = 500;

const HEADING = ["Id", "What", "To", "When (UTC)", "Tries", "Reason"];

/** The columns that the table may drop or shorten on a narrow terminal. */
const TABLE_FIT = { mayDrop: ["Tries"], mayShorten: ["Reason"] };

const list = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist outbox list", "waiting e-mails and events, the next one first"],
    ["waitlist outbox list --refused", "refused e-mails and events, with the reason"],
    ["waitlist outbox list --refused --quiet", "only the ids, for 'outbox retry'"],
  ],
  declare: (command) => {
    command
      .option("--refused", "list the refused ones, which are not tried any more")
      .option("--limit <number>", "list this many at most", "100");
  },
  parse: ({ flags }) => ({
    refused: flags.refused === true,
    limit: parseCount("--limit", String(flags.limit)),
  }),
  async run({ refused, limit }, { connect, print }) {
    const { items, next } = await listItems(await connect(), { refused, limit });
    const emptyText = refused
      ? "No e-mail or event was refused.\n"
      : "No e-mail or event is waiting.\n";
    return print({
      json: { items, ...next && { next } },
      text: (style) =>
        items.length === 0 ? emptyText : formatTable(HEADING, items.map(toRow), style, TABLE_FIT),
      quiet: items.map(({ id }) => `${id}\n`).join(""),
      note: next ? "There are more; give a larger --limit.\n" : "",
    });
  },
});

/** Reads page after page until the limit is reached, or until there are no more letters and events. */
async function listItems(
  client: OperatorClient,
  { refused, limit }: { refused: boolean; limit: number },
): Promise<OutboxList> {
  const items: ListedItem[] = [];
  let after: OutboxList["next"];
  do {
    const pageLimit = Math.min(limit - items.length, MAX_ITEMS);
    const body = { refused, limit: pageLimit, ...after && { after } };
    const page = await client.call("listOutbox", { body });
    items.push(...page.items);
    after = page.next;
  } while (after && items.length < limit);
  return { items, ...after && { next: after } };
}

function toRow({ id, message, email, dueAt, refusedAt, tries, reason = "" }: ListedItem): string[] {
  const when = dueAt ?? refusedAt ?? "";
  return [id, message, email, formatMinute(when), String(tries), reason].map((text) =>
    quotable(text, MAX_TEXT_LENGTH)
  );
}

const retry = defineCommand({
  access: OPERATOR_ACCESS,
  resumeAdvice: "to go on, run the same command again",
  examples: [
    ["waitlist outbox retry --all", "all refused e-mails and events"],
    ["waitlist outbox retry --unmarked", "the same, except to people marked as undeliverable"],
    ["waitlist outbox retry --waiting", "all that wait for a later try, as after an outage"],
    ["waitlist outbox retry --pause", "one e-mail, to test whether a pause of all e-mails is over"],
    ["waitlist outbox retry 0m1abc2defGhIjKlMnOpQrStUvWxYz", "one e-mail, by its id"],
  ],
  declare: (command) => {
    command
      .argument("[id...]", "the ids of e-mails and events, as 'outbox list' shows them")
      .option("--all", "all refused e-mails and events")
      .option("--unmarked", "the same, except e-mails to people marked as undeliverable")
      .option("--waiting", "all e-mails and events that wait for a later try")
      .option("--pause", "one e-mail that tests whether a pause of all e-mails is over");
  },
  parse({ args: ids, flags }) {
    const choices = [
      ids.length > 0,
      flags.all === true,
      flags.unmarked === true,
      flags.waiting === true,
      flags.pause === true,
    ];
    if (choices.filter(Boolean).length !== 1) {
      throw new UsageError(
        "It is not clear which e-mails and events to send; give their ids, --all, --unmarked, --waiting or --pause",
      );
    }
    if (ids.length > MAX_IDS) {
      throw new UsageError(
        `There are ${ids.length} ids; give at most ${MAX_IDS} ids, or give --all`,
      );
    }
    if (ids.length > 0) return { ids };
    if (flags.waiting) return { waiting: true };
    if (flags.pause) return { pause: true };
    return flags.unmarked ? { unmarked: true } : { all: true };
  },
  async run(body, { context, settings, connect, print }) {
    const client = await connect();
    const progress = createProgress(context, settings);
    const { retried, left } = await runLongWork("retryOutbox", { body }, { client, progress });
    return print({
      json: { retried, left },
      text: () => describeRetry(body, { retried, left }),
      exitCode: left > 0 ? EXIT.failedCheck : EXIT.fine,
    });
  },
});

/**
 * Describes how many letters and events are tried again. On the wire, `left` is the number of ids whose letters and
 * events are not tried again.
 */
function describeRetry(
  { ids, unmarked, waiting, pause }: RetryRequest,
  { retried, left: untriedCount }: Pick<RetryEnd, "retried" | "left">,
): string {
  if (pause) {
    return "If e-mails are paused, the service now tries one of them; see the outcome with 'waitlist overview'.\n";
  }
  if (!ids && retried === 0) {
    const refused = `was refused${unmarked ? ", except to people marked as undeliverable" : ""}`;
    return `No e-mail or event ${waiting ? "waits for a later try" : refused}. ` +
      "If e-mails were paused, the service tries them now.\n";
  }
  const tried = plural(retried, "e-mail or event", "e-mails and events");
  const untried = untriedCount > 0
    ? `; ${plural(untriedCount, "id is", "ids are")} unknown or due soon anyway`
    : "";
  return `The service now tries ${tried} again${untried}.\n`;
}

export default { list, retry };
