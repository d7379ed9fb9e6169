/**
 * `waitlist letters`: lists what became of letters; lets the service send one letter, and shows the mail server's answer.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import { LETTER_KINDS, LETTER_STATE_FILTERS } from "../../shared/letter_kinds.ts";
import type { LetterLogRequest, ListedLetter } from "../../shared/operator_schemas.ts";
import { LANGS } from "../../shared/schemas.ts";
import { defineCommand } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { parseBefore, parseChoice, parseCount, parseMomentFlag } from "../flag_values.ts";
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

const HEADING = ["Put in (UTC)", "E-mail", "To", "State", "Answer or reason"];

const test = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist letters test you@gmail.com", "then look at the source of the e-mail"],
    ["waitlist letters test you@gmail.com --lang de", "in German"],
  ],
  declare: (command) => {
    command
      .argument("<address>", "your own address, best at a large provider")
      .option("--lang <language>", "the language of the e-mail: en or de", "en");
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
          ? `The mail server has taken the e-mail after ${ms} ms, and answered '${shownAnswer}'.\n` +
            `Its Message-ID is ${shownId}. Save the e-mail's source from the mailbox, and run ` +
            "'waitlist doctor --letter FILE'.\n"
          : `The mail server has not taken the e-mail, because of the error '${shownAnswer}'. Check the ` +
            "service's MAIL_URL, MAIL_FROM and, for a mail API, MAIL_TOKEN.\n",
      exitCode: delivered ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

const list = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist letters list", "the newest 100 e-mails of the last 90 days"],
    [
      "waitlist letters list --state reported",
      "only those that came back or were reported as spam",
    ],
    [
      "waitlist letters list --wave 2026-06-01 --state refused",
      "the rejected invitations of a wave",
    ],
    ["waitlist letters list --since 2026-05-31 --before 2026-06-01", "the e-mails of one UTC day"],
    [
      "waitlist letters list --limit 500 --json",
      "as JSON; 'next' is the --before of the next page",
    ],
  ],
  declare: (command) => {
    command
      .option("--letter <kind>", `only e-mails of this kind: ${LETTER_KINDS.join(", ")}`)
      .option("--state <state>", `only e-mails in this state: ${LETTER_STATE_FILTERS.join(", ")}`)
      .option("--wave <id>", "only invitations to the people of this wave")
      .option(
        "--since <date>",
        "only e-mails that were put in on this UTC day, at this time, or later",
      )
      .option("--limit <number>", `list this many at most, up to ${MAX_LIMIT}`, "100")
      .option(
        "--before <date>",
        "only e-mails that were put in before this UTC day or time, or the next page's value",
      );
  },
  parse({ flags }) {
    const limit = parseCount("--limit", String(flags.limit));
    if (limit > MAX_LIMIT) {
      throw new UsageError(`--limit is '${limit}'; give a number up to ${MAX_LIMIT}`);
    }
    const { letter, state, wave, since, before } = flags;
    return {
      limit,
      ...letter !== undefined &&
        { letter: parseChoice("--letter", String(letter), LETTER_KINDS) },
      ...state !== undefined &&
        { state: parseChoice("--state", String(state), LETTER_STATE_FILTERS) },
      ...wave !== undefined && { wave: String(wave) },
      ...since !== undefined && { since: parseMomentFlag("--since", String(since)) },
      ...before !== undefined && { before: parseBefore(String(before)) },
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
      note: next ? `There are older e-mails; add --before '${quotable(next)}'.\n` : "",
    });
  },
});

/**
 * Says why a page has no letters. If the letters are chosen by their kind, state or wave, the service reads a part of
 * the log in a call, so that a page can be empty although more letters follow.
 */
function describeEmptyPage(request: LetterLogRequest, next?: string): string {
  const { before } = request;
  const flags = (["letter", "state", "wave", "since"] as const).flatMap((name) => {
    const value = request[name];
    return value === undefined ? [] : [`--${name} ${quotable(value)}`];
  }).join(" and ");
  if (next !== undefined) return `None of the e-mails that were searched fits ${flags}.\n`;
  if (before === undefined) {
    return flags === ""
      ? "No e-mail was sent in the last 90 days.\n"
      : `No e-mail of the last 90 days fits ${flags}.\n`;
  }
  return flags === ""
    ? `No e-mail of the last 90 days is before '${quotable(before)}'.\n`
    : `No e-mail of the last 90 days that is before '${quotable(before)}' fits ${flags}.\n`;
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
