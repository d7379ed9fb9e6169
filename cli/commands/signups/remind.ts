/**
 * `waitlist signups remind`: asks people again to confirm.
 *
 * @module
 */
import type { NotReminded, ReminderRequest } from "../../../shared/operator_schemas.ts";
import { UsageError } from "../../errors.ts";
import { plural } from "../../format.ts";
import { checkedLines } from "../../operator/checked_lines.ts";
import { cutError } from "../../operator/cuts.ts";
import { defineAddressCommand } from "./address_command.ts";

/** A person who is not asked again, with the reason. */
type NotAsked = NotReminded["notReminded"];

/** Why a person is not asked again, as the end of a sentence. */
const REASONS: Record<NotAsked["reason"], string> = {
  unknown: "is not on the list",
  confirmed: "has confirmed already",
  undeliverable: "is marked as undeliverable",
  asked: "was asked once in the last 24 hours, or three times in the last 30 days",
  unreadable: "has a record that cannot be read",
};

export default defineAddressCommand<ReminderRequest>({
  resumeAdvice:
    "to go on, run the same command again; nobody is asked to confirm twice within 24 hours",
  examples: [
    ["waitlist signups remind ada@example.com", "exit code 1 if she is not asked again"],
    ["waitlist signups remind --all", "everybody who has not confirmed"],
  ],
  addresses: ["[email...]", "the addresses of the people"],
  hasYes: true,
  declare: (command) => {
    command.option("--all", "everybody who has not confirmed; asks first");
  },
  parse(emails, { all }) {
    if ((emails.length === 0) !== (all === true)) {
      throw new UsageError("It is not clear whom to remind; give either addresses or --all");
    }
    return emails.length > 0 ? { emails } : { all: true };
  },
  async act(body, { settings, connect, progress, confirm }) {
    if (body.all) {
      await confirm(
        `Send an e-mail to everybody who has not confirmed at ${settings.baseUrl}? ` +
          "This cannot be undone.",
      );
    }
    const client = await connect();
    const notAsked: NotAsked[] = [];
    for await (const line of checkedLines("remindSignups", { body }, { client })) {
      if ("progress" in line) {
        progress.show(plural(line.progress, "e-mail", "e-mails"));
      } else if ("complete" in line) {
        // The last line has the number of people who are not asked. The lines before it have named these people, unless
        // the call was for everybody.
        const { reminded, notReminded: notAskedCount } = line;
        return {
          json: { reminded, notReminded: body.emails ? notAsked : notAskedCount },
          notDoneLines: notAsked.map(({ email, reason }) =>
            `No request to confirm was sent: ${email} ${REASONS[reason]}.\n`
          ),
          text: () => describeReminders(reminded, body.all ? notAskedCount : 0),
        };
      } else {
        notAsked.push(line.notReminded);
      }
    }
    throw cutError(
      "The service's answer ended before the work was complete; run the command again",
    );
  },
});

/** Says how many letters are in the outbox, and how many people were left out by `--all`. */
function describeReminders(reminded: number, leftOut: number): string {
  const letters = plural(reminded, "e-mail is", "e-mails are");
  const leftOutText = leftOut > 0
    ? `; ${plural(leftOut, "person is", "people are")} left out: asked within the last 24 ` +
      "hours or three times in 30 days, or not reachable"
    : "";
  return `${letters} in the outbox${leftOutText}.\n`;
}
