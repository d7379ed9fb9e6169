import type { NotReminded, ReminderRequest } from "../../../shared/operator_schemas.ts";
import { isObject } from "../../../shared/schemas.ts";
import { askFirst } from "../../ask_first.ts";
import { defineCommand } from "../../command.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { checkedLines } from "../../operator/checked_lines.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { cutError } from "../../operator/lines.ts";
import { createProgress } from "../../operator/progress.ts";
import { plural } from "../../print.ts";

/** `waitlist signups remind`: asks people again to confirm. */
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
      throw new UsageError("Say whom to ask again; give either addresses or --all");
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
    const left: NotReminded["notReminded"][] = [];
    for await (const value of checkedLines("remindSignups", { body }, { client })) {
      const { reminded, notReminded } = value;
      if (isObject(notReminded)) left.push(notReminded as NotReminded["notReminded"]);
      else if (value.complete === true) {
        progress.end();
        const named = left.map(({ email, reason }) => `Not asked: ${email} ${REASONS[reason]}.\n`);
        const letters = plural(Number(reminded), "letter is", "letters are");
        const others = body.all && Number(notReminded) > 0
          ? `; ${
            plural(Number(notReminded), "person was", "people were")
          } asked within the last 24 hours or three times, or cannot be reached`
          : "";
        return print({
          json: { reminded, notReminded: body.emails ? left : notReminded },
          text: () => `${named.join("")}${letters} in the outbox${others}.\n`,
          exitCode: left.length > 0 ? EXIT.failedCheck : EXIT.fine,
        });
      } else progress.show(`${Number(value.progress).toLocaleString("en")} letters`);
    }
    throw cutError("The answer ended before the work was complete; run the command again");
  },
});

const REASONS: Record<NotReminded["notReminded"]["reason"], string> = {
  unknown: "is not on the list",
  confirmed: "need not confirm any more",
  undeliverable: "is marked as undeliverable",
  asked: "was asked within the last 24 hours, or three times",
  unreadable: "has a record that cannot be read",
};
