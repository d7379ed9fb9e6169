/**
 * `waitlist signups list`: lists people in the order of their first sign-up.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { marksOf } from "../../../shared/counters.ts";
import type { ListRequest, SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { MAX_LISTED } from "../../../shared/people_query.ts";
import { defineCommand } from "../../command.ts";
import { parseCount } from "../../flag_values.ts";
import { formatMinute, formatTable, plural } from "../../format.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../../operator/client.ts";
import { createProgress, type WorkProgress } from "../../operator/progress.ts";
import type { Style } from "../../print.ts";
import { addSelectionFlags, parseSelection } from "./filters.ts";

/** The titles of the columns, in the words of the console: "Form" for `source`, and "Use case" for `building`. */
const HEADING = ["Address", "State", "First sign-up (UTC)", "Language", "Form", "Role", "Use case"];

/** The columns that the table may leave out on a narrow terminal. */
const TABLE_FIT = { mayDrop: ["Use case", "Role", "Form", "Language"] };

/** The greatest length of an address, which is the longest text of a row. */
const MAX_ADDRESS_LENGTH = 254;

/** Which people to list, and in which order. */
type Query = Omit<ListRequest, "limit" | "after">;

/** The options of the command. */
interface ListOptions {
  query: Query;
  limit: number;
}

export default defineCommand<ListOptions, OperatorClient>({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist signups list --state waiting", "waiting people, the first sign-ups first"],
    ["waitlist signups list --search lovelace", "addresses with this name in them"],
    ["waitlist signups list --mark complained --json", "people who complained, with all data"],
    ["waitlist signups list --newest --limit 10 --quiet", "the last ten addresses"],
  ],
  declare: (command) => {
    addSelectionFlags(command);
    command
      .option("--newest", "the newest people first")
      .option("--limit <number>", "list this many at most", "50");
  },
  parse: ({ flags }) => ({
    query: { ...parseSelection(flags), ...flags.newest === true && { order: "newest" } },
    limit: parseCount("--limit", String(flags.limit)),
  }),
  async run({ query, limit }, { context, settings, connect, print }) {
    const client = await connect();
    using progress = createProgress(context, settings);
    const listed = await listPeople(client, { query, limit }, progress);
    progress.end();
    const { people } = listed;
    return print({
      json: listed,
      text: (style) => people.length === 0 ? "Nobody.\n" : formatPeople(people, style),
      quiet: people.map(({ email }) => `${email}\n`).join(""),
      note: formatNote(listed, query),
    });
  },
});

/** The people who are listed, with the counts in the service's last answer. */
interface ListedPeople extends Pick<SignupPage, "people" | "count" | "searched"> {
  /** Whether there are more people than the limit allows. The name must not change, because `--json` prints it. */
  more: boolean;
}

/**
 * Returns the note below the list. After a search, the note says how many people were found and, if there are more, up
 * to which day the search has come. Otherwise it says how many people there are, unless the list shows all of them.
 */
function formatNote({ people, more, count, searched }: ListedPeople, { order }: Query): string {
  const advice = more ? "There are more; give a larger --limit.\n" : "";
  if (searched) {
    const hits = plural(searched.hits, "hit", "hits");
    return more ? `${hits}${describeReach(searched, order)}.\n${advice}` : `${hits} in all.\n`;
  }
  if (count === undefined || count === people.length) return advice;
  return `${people.length} of ${plural(count, "person", "people")}.\n${advice}`;
}

/** Describes the day up to which a search has come, as the end of a sentence; empty if it has read nobody. */
function describeReach(
  { until }: NonNullable<ListedPeople["searched"]>,
  order: Query["order"],
): string {
  if (until === undefined) return "";
  return `, searched ${order === "newest" ? "back" : "up"} to ${until.slice(0, 10)}`;
}

/** Reads page after page until the limit is reached, or until there are no more people. */
async function listPeople(
  client: OperatorClient,
  { query, limit }: ListOptions,
  progress: WorkProgress,
): Promise<ListedPeople> {
  const people: StoredSignup[] = [];
  let after: ListRequest["after"];
  while (true) {
    const pageLimit = Math.min(limit - people.length, MAX_LISTED);
    const body = { ...query, limit: pageLimit, ...after && { after } };
    const page = await client.call("listSignups", { body });
    const { next, count, searched } = page;
    people.push(...page.people);
    after = next;
    if (searched) {
      progress.show(plural(searched.hits, "hit", "hits") + describeReach(searched, query.order));
    }
    if (!after || people.length === limit) {
      const counts = { ...count !== undefined && { count }, ...searched && { searched } };
      return { people, more: after !== undefined, ...counts };
    }
  }
}

/** Makes a table of people. It has a column with the numbers of referrals if one of the people has such a number. */
function formatPeople(people: StoredSignup[], style: Style): string {
  const hasReferrals = people.some(({ referrals }) => referrals !== undefined);
  if (!hasReferrals) return formatTable(HEADING, people.map(toRow), style, TABLE_FIT);
  const rows = people.map((person) => [...toRow(person), String(person.referrals ?? "")]);
  return formatTable([...HEADING, "Referrals"], rows, style, TABLE_FIT);
}

function toRow(person: StoredSignup): string[] {
  const { email, state = "", createdAt, lang, source = "", role = "", building = "" } = person;
  // A person with the marks `undeliverable` and `complained` is shown as `complained`, the last of MARKS.
  const mark = marksOf(person).at(-1);
  const stateText = mark ? `${state}, ${mark}` : state;
  return [email, stateText, formatMinute(createdAt), lang, source, role, building].map((text) =>
    quotable(text, MAX_ADDRESS_LENGTH)
  );
}
