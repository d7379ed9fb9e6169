/**
 * `waitlist letters`: lists what became of letters; lets the service send one letter, and shows the mail server's answer.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import { LETTER_KINDS, LETTER_STATES } from "../../shared/letter_kinds.ts";
import type { LetterLogRequest, ListedLetter } from "../../shared/operator_schemas.ts";
import { LANGS } from "../../shared/schemas.ts";
import { defineCommand } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { parseChoice, parseCount } from "../flag_values.ts";
import { formatMinute, formatTable } from "../format.ts";
import { OPERATOR_ACCESS } from "../operator/client.ts";

/**
 * The shortest time limit of the call that sends a letter, in milliseconds. The service itself waits for the mail
 * server for a slightly shorter time.
 */
const TEST_TIMEOUT_MS = 65_000;

/** How many letters one call lists at most (`LetterLogRequest` in the OpenAPI document). */
const MAX_LIMIT = 500;

/** How many characters of a text, such as the mail server's answer, are shown at most. */
const MAX_TEXT_LENGTH = 300;

/** How many characters of a Message-ID are shown at most. */
const MAX_ID_LENGTH = 200;

const HEADING = ["Put in (UTC)", "Letter", "To", "State", "Answer or reason"];

const test = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist letters test you@gmail.com", "then look at the source of the letter"],
    ["waitlist letters test you@gmail.com --lang de", "in German"],
  ],
  declare: (command) => {
    command
      .argument("<address>", "your own address, best at a large provider")
      .option("--lang <language>", "the language of the letter: en or de", "en");
  },
  parse: ({ args: [email = ""], flags }) => ({
    email,
    lang: parseChoice("--lang", String(flags.lang), LANGS),
  }),
  async run(body, { connect, print }) {
    const client = await connect();
    const delivery = await client.call("testLetter", { body }, { minTimeoutMs: TEST_TIMEOUT_MS });
    const { delivered, answer, ms, messageId } = delivery;
    const shownAnswer = quotable(answer, MAX_TEXT_LENGTH);
    const shownId = quotable(messageId, MAX_ID_LENGTH);
    return print({
      json: delivery,
      text: () =>
        delivered
          ? `The mail server has taken the letter after ${ms} ms, and answered '${shownAnswer}'.\n` +
            `Its Message-ID is ${shownId}. Save the letter's source from the mailbox, and run ` +
            "'waitlist doctor --letter FILE'.\n"
          : `The mail server has not taken the letter, because of the error '${shownAnswer}'. Check the ` +
            "service's MAIL_URL, MAIL_FROM and, for a mail API, MAIL_TOKEN.\n",
      exitCode: delivered ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

const list = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist letters list", "the newest 100 letters of the last 90 days"],
    ["waitlist letters list --state bounced", "only letters that came back"],
    [
      "waitlist letters list --limit 500 --json",
      "as JSON; 'next' is the --before of the next page",
    ],
  ],
  declare: (command) => {
    command
      .option("--letter <kind>", `only letters of this kind: ${LETTER_KINDS.join(", ")}`)
      .option("--state <state>", `only letters in this state: ${LETTER_STATES.join(", ")}`)
      .option("--limit <number>", `list this many at most, up to ${MAX_LIMIT}`, "100")
      .option("--before <position>", "the next page: the position that the page before it gives");
  },
  parse({ flags }) {
    const limit = parseCount("--limit", String(flags.limit));
    if (limit > MAX_LIMIT) {
      throw new UsageError(`--limit is '${limit}'; give a number up to ${MAX_LIMIT}`);
    }
    const { letter, state, before } = flags;
    return {
      limit,
      ...letter !== undefined &&
        { letter: parseChoice("--letter", String(letter), LETTER_KINDS) },
      ...state !== undefined && { state: parseChoice("--state", String(state), LETTER_STATES) },
      ...before !== undefined && { before: String(before) },
    };
  },
  async run(body, { connect, print }) {
    const { letters, next } = await (await connect()).call("listLetters", { body });
    return print({
      json: { letters, ...next && { next } },
      text: (style) =>
        letters.length === 0
          ? describeEmptyPage(body, next)
          : formatTable(HEADING, letters.map(toRow), style),
      note: next ? `There are older letters; add --before '${quotable(next)}'.\n` : "",
    });
  },
});

/**
 * Says why a page has no letters. If letters are chosen by their kind or state, the service reads a part of the log in
 * a call, so that a page can be empty although more letters follow.
 */
function describeEmptyPage({ letter, state, before }: LetterLogRequest, next?: string): string {
  const flags = [
    ...letter === undefined ? [] : [`--letter ${letter}`],
    ...state === undefined ? [] : [`--state ${state}`],
  ].join(" and ");
  if (next !== undefined) return `None of the letters that were searched fits ${flags}.\n`;
  if (before === undefined) {
    return flags === ""
      ? "No letter was sent in the last 90 days.\n"
      : `No letter of the last 90 days fits ${flags}.\n`;
  }
  return flags === ""
    ? `No letter of the last 90 days is before '${quotable(before)}'.\n`
    : `No letter of the last 90 days that is before '${quotable(before)}' fits ${flags}.\n`;
}

/**
 * Makes the row of a letter. If the letter came back later, or was reported as spam, the row has the reason in this report
 * in place of the mail server's answer.
 */
function toRow({ putAt, letter, email = "", state, answer = "", report }: ListedLetter): string[] {
  return [formatMinute(putAt), letter, email, state, report ? report.reason ?? "" : answer]
    .map((text) => quotable(text, MAX_TEXT_LENGTH));
}

export default { list, test };
