/**
 * `waitlist signups list`: people in the order of their first sign-up, or by the beginning of their address.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import type { ListRequest, StoredSignup } from "../../../shared/operator_schemas.ts";
import { defineCommand } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { formatTable } from "../../print.ts";
import { addFilterFlags, parseChoice, parseCount, parseFilter } from "./filters.ts";

/** The most people that the service gives at once. */
const PAGE_SIZE = 500;

/** Which people to list, and how many. */
interface ListOptions {
  request: Omit<ListRequest, "limit" | "after">;
  limit: number;
}

export default defineCommand<ListOptions, OperatorClient>({
  access: OPERATOR,
  examples: [
    ["waitlist signups list --state waiting", "those who wait, the first ones first"],
    ["waitlist signups list --search ada@ --json", "addresses that begin so, with all data"],
    ["waitlist signups list --newest --limit 10 --quiet", "the last ten addresses"],
  ],
  declare: (command) => {
    command
      .option("--state <state>", "only people in this state: unconfirmed, waiting or invited")
      .option(
        "--search <beginning>",
        "only addresses that begin so, in the order of the addresses",
      );
    addFilterFlags(command);
    command
      .option("--newest", "the newest people first")
      .option("--limit <number>", "list so many at the most", "50");
  },
  parse({ flags }) {
    if (flags.search !== undefined && flags.newest) {
      throw new UsageError("--search and --newest exclude each other; leave one out");
    }
    const request = {
      ...parseChoice("state", flags),
      ...flags.search !== undefined && { search: String(flags.search) },
      ...parseFilter(flags),
      ...flags.newest === true && { newest: true },
    };
    return { request, limit: parseCount("--limit", String(flags.limit)) };
  },
  async run({ request, limit }, { connect, print }) {
    const { people, more } = await listPeople(await connect(), request, limit);
    return print({
      json: { people, more },
      text: (style) =>
        people.length === 0 ? "Nobody.\n" : formatTable(HEADING, people.map(toRow), style),
      quiet: people.map(({ email }) => `${email}\n`).join(""),
      note: more ? "There are others; give a larger --limit.\n" : "",
    });
  },
});

/** Asks for page after page until there are enough people, or no others. */
async function listPeople(
  client: OperatorClient,
  request: ListOptions["request"],
  limit: number,
): Promise<{ people: StoredSignup[]; more: boolean }> {
  const people: StoredSignup[] = [];
  let after: ListRequest["after"];
  do {
    const body = {
      ...request,
      limit: Math.min(limit - people.length, PAGE_SIZE),
      ...after && { after },
    };
    const page = await client.call("listSignups", { body });
    people.push(...page.people);
    after = page.next;
  } while (after && people.length < limit);
  return { people, more: after !== undefined };
}

const HEADING = ["Address", "State", "First sign-up", "Language", "Form", "Role", "Use case"];

function toRow(person: StoredSignup): string[] {
  const { email, state = "", createdAt, lang, source = "", role = "", building = "" } = person;
  const mark = person.complainedAt ? "complained" : person.undeliverableAt && "undeliverable";
  const marked = mark ? `${state}, ${mark}` : state;
  return [email, marked, createdAt, lang, source, role, building].map((text) =>
    quotable(text, 254)
  );
}
