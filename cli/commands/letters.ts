/**
 * `waitlist letters test`: lets the service send one letter, and shows the mail server's answer.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import { LANGS } from "../../shared/schemas.ts";
import { defineCommand } from "../command.ts";
import { EXIT } from "../errors.ts";
import { parseChoice } from "../flag_values.ts";
import { OPERATOR } from "../operator/client.ts";

/** How long the call may take, in milliseconds. The service itself waits a little shorter for the mail server. */
const EXPECTED_MS = 65_000;

const test = defineCommand({
  access: OPERATOR,
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
    const result = await (await connect()).call("testLetter", { body }, {
      expectedMs: EXPECTED_MS,
    });
    const { delivered, answer, ms, messageId } = result;
    const shownAnswer = quotable(answer, 300);
    return print({
      json: result,
      text: () =>
        delivered
          ? `The mail server has taken the letter after ${ms} ms: ${shownAnswer}\n` +
            `Its Message-ID is ${
              quotable(messageId, 200)
            }. Save the letter's source from the mailbox, and run ` +
            "'waitlist doctor --letter FILE'.\n"
          : `The mail server has not taken the letter: ${shownAnswer}. Check MAIL_URL, MAIL_FROM and, ` +
            "for a mail API, MAIL_TOKEN.\n",
      exitCode: delivered ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

export default { test };
