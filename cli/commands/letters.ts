/** `waitlist letters`: tries out how letters go. @module */
import { quotable } from "../../shared/api_failure.ts";
import { defineCommand } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { OPERATOR } from "../operator/client.ts";

/** How long the service waits for the mail server, and a little more, in milliseconds. */
const TAKES_MS = 65_000;

/** `waitlist letters test`: has the service send one letter, and says what the mail server answered. */
const test = defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist letters test you@gmail.com", "then look at the letter's source"],
    ["waitlist letters test you@gmail.com --lang de", "in German"],
  ],
  declare: (command) => {
    command
      .argument("<address>", "a mailbox of your own, best at a large provider")
      .option("--lang <language>", "the language of the letter: en or de", "en");
  },
  parse({ args: [email = ""], flags }) {
    const lang = flags.lang;
    if (lang !== "en" && lang !== "de") {
      throw new UsageError(`--lang is '${quotable(String(lang), 40)}'; give en or de`);
    }
    return { email, lang } as const;
  },
  async run(body, { connect, print }) {
    const result = await (await connect()).call("testLetter", { body }, { takes: TAKES_MS });
    const { delivered, answer, ms, messageId } = result;
    const said = quotable(answer, 300);
    return print({
      json: result,
      text: () =>
        delivered
          ? `The mail server has taken the letter after ${ms} ms: ${said}\n` +
            `Its Message-ID is ${
              quotable(messageId, 200)
            }. Save the letter's source from the mailbox, and run ` +
            "'waitlist doctor --letter FILE'.\n"
          : `The letter was not taken: ${said}. Check MAIL_URL, MAIL_FROM and, for a mail API, MAIL_TOKEN.\n`,
      exitCode: delivered ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

export default { test };
