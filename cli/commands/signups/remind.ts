/**
 * `waitlist signups remind`: asks people again to confirm.
 *
 * @module
 */
import type { NotReminded, ReminderRequest } from "../../../shared/operator_schemas.ts";
import { isObject } from "../../../shared/schemas.ts";
import { askFirst } from "../../ask_first.ts";
import { defineCommand } from "../../command.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { checkedLines } from "../../operator/checked_lines.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { cutError } from "../../operator/cuts.ts";
import { createProgress } from "../../operator/progress.ts";
import { plural } from "../../print.ts";

export default defineCommand<{ body: ReminderRequest; yes: boolean }, OperatorClient>({
  access: OPERATOR,
  goOn: "run the same command again; nobody is asked twice within 24 hours",
  examples: [
    ["waitlist signups remind ada@example.com", "exit code 1 if she is not asked again"],
    ["waitlist signups remind --all", "everybody who has not confirmed"],
  ],
  declare: (command) => {
    command
      .argument("[email...]", "the addresses of the people")
      .option("--all", "everybody who has not confirmed; asks first")
      .option("-y, --yes", "do not ask first");
  },
  parse({ args: emails, flags }) {
    if ((emails.length === 0) !== (flags.all === true)) {
      throw new UsageError("It is not clear whom to ask again; give either addresses or --all");
    }
    return { body: emails.length > 0 ? { emails } : { all: true }, yes: flags.yes === true };
  },
  async run({ body, yes }, { context, settings, connect, print }) {
    if (body.all && !yes) {
      const question = `Send a letter to everybody who has not confirmed at ${settings.baseUrl}? ` +
        "This cannot be undone.";
      await askFirst(question, context);
    }
    const client = await connect();
    using progress = createProgress(context, settings);
    const notAsked: NotReminded["notReminded"][] = [];
    for await (const value of checkedLines("remindSignups", { body }, { client })) {
      const { reminded, notReminded } = value;
      if (isObject(notReminded)) notAsked.push(notReminded as NotReminded["notReminded"]);
      else if (value.complete === true) {
        progress.end();
        const lines = notAsked.map(({ email, reason }) =>
          `Not asked: ${email} ${REASONS[reason]}.\n`
        );
        const letters = plural(Number(reminded), "letter is", "letters are");
        const leftOut = Number(notReminded);
        const others = body.all && leftOut > 0
          ? `; ${plural(leftOut, "person is", "people are")} left out: asked within the last 24 ` +
            "hours or three times in 30 days, or not reachable"
          : "";
        return print({
          json: { reminded, notReminded: body.emails ? notAsked : notReminded },
          text: () => `${lines.join("")}${letters} in the outbox${others}.\n`,
          exitCode: notAsked.length > 0 ? EXIT.failedCheck : EXIT.fine,
        });
      } else progress.show(`${Number(value.progress).toLocaleString("en")} letters`);
    }
    throw cutError("The answer ended before the work was complete; run the command again");
  },
});

const REASONS: Record<NotReminded["notReminded"]["reason"], string> = {
  unknown: "is not on the list",
  confirmed: "has confirmed already",
  undeliverable: "is marked as undeliverable",
  asked: "was asked within the last 24 hours, or three times in 30 days",
  unreadable: "has a record that cannot be read",
};
