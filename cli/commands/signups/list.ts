/**
 * `waitlist signups list`: people in the order of their first sign-up, or by the beginning of their address.
 *
 * @module
 */
import { STEPS } from "../../../shared/counters.ts";
import { quotable } from "../../../shared/api_failure.ts";
import type { ListRequest, SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { STATES } from "../../../shared/schemas.ts";
import { defineCommand } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { createProgress, type WorkProgress } from "../../operator/progress.ts";
import { formatTable, plural } from "../../print.ts";
import {
  addFilterFlags,
  parseChoice,
  parseCount,
  parseFilter,
  parseMomentFlag,
} from "./filters.ts";

/** The most people that the service gives at once. */
const PAGE_SIZE = 500;

type Searched = NonNullable<SignupPage["searched"]>;

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
    ["waitlist signups list --contains lovelace", "addresses with the name in them"],
    ["waitlist signups list --newest --limit 10 --quiet", "the last ten addresses"],
  ],
  declare: (command) => {
    command
      .option("--state <state>", `only people in this state: ${STATES.join(", ")}`)
      .option(
        "--search <beginning>",
        "only addresses that begin so, in the order of the addresses",
      );
    addFilterFlags(command);
    command
      .option("--contains <part>", "only addresses with this text in them, such as a surname")
      .option("--wave <id>", "only people who were invited in this wave")
      .option("--undeliverable", "only people to whom no letter goes")
      .option("--reached <step>", `only people who came to this step: ${STEPS.join(", ")}`)
      .option("--since <date>", "only first sign-ups since this UTC day, or this time")
      .option("--before <date>", "only first sign-ups before this UTC day, or this time")
      .option("--newest", "the newest people first")
      .option("--limit <number>", "list so many at the most", "50");
  },
  parse({ flags }) {
    if (flags.search !== undefined && flags.newest) {
      throw new UsageError("--search and --newest exclude each other; leave one out");
    }
    if (flags.search !== undefined && flags.contains !== undefined) {
      throw new UsageError("--search and --contains exclude each other; leave one out");
    }
    const moment = (name: "since" | "before") =>
      flags[name] === undefined
        ? {}
        : { [name]: parseMomentFlag(`--${name}`, String(flags[name])) };
    const request = {
      ...parseChoice("state", flags),
      ...flags.contains !== undefined && { contains: String(flags.contains) },
      ...flags.wave !== undefined && { wave: String(flags.wave) },
      ...flags.undeliverable === true && { undeliverable: true },
      ...parseChoice("reached", flags),
      ...moment("since"),
      ...moment("before"),
      ...flags.search !== undefined && { search: String(flags.search) },
      ...parseFilter(flags),
      ...flags.newest === true && { newest: true },
    };
    return { request, limit: parseCount("--limit", String(flags.limit)) };
  },
  async run({ request, limit }, { context, settings, connect, print }) {
    const client = await connect();
    using progress = createProgress(context, settings);
    const { people, more, searched } = await listPeople(client, { request, limit }, progress);
    progress.end();
    return print({
      json: { people, more, ...searched && { searched } },
      text: (style) =>
        people.length === 0 ? "Nobody.\n" : formatTable(HEADING, people.map(toRow), style),
      quiet: people.map(({ email }) => `${email}\n`).join(""),
      note: (more ? "There are others; give a larger --limit.\n" : "") + describe(searched),
    });
  },
});

function describe(searched: Searched | undefined): string {
  if (!searched) return "";
  const { hits, read, complete } = searched;
  return complete
    ? `${plural(hits, "hit", "hits")} in all.\n`
    : `${plural(hits, "hit", "hits")} among the first ${plural(read, "person", "people")}.\n`;
}

/** Asks for page after page until there are enough people, or no others. */
async function listPeople(
  client: OperatorClient,
  { request, limit }: ListOptions,
  progress: WorkProgress,
): Promise<{ people: StoredSignup[]; more: boolean; searched: Searched | undefined }> {
  const people: StoredSignup[] = [];
  let searched: Searched | undefined;
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
    searched = page.searched;
    if (searched) progress.show(`${searched.read.toLocaleString("en")} people looked at`);
  } while (after && people.length < limit);
  return { people, more: after !== undefined, searched };
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
