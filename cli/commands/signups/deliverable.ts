/**
 * `waitlist signups deliverable`: removes the marks "undeliverable" and "complained", so that letters go to addresses
 * again.
 *
 * @module
 */
import { UsageError } from "../../errors.ts";
import { plural } from "../../format.ts";
import { defineAddressCommand } from "./address_command.ts";

/** How many addresses a call has at most. Even with the longest addresses, the body is smaller than 64 KB. */
const MAX_ADDRESSES = 200;

export default defineAddressCommand({
  resumeAdvice:
    "to go on, run the same command again; it changes nothing for addresses that are done",
  examples: [
    [
      "waitlist signups deliverable ada@example.com",
      "she asked for e-mails again after a complaint",
    ],
  ],
  addresses: ["<email...>", "the addresses"],
  declare: (command) => {
    command.option("--reason <text>", "why, for the history of each person; without an address");
  },
  parse(emails, flags) {
    if (emails.length > MAX_ADDRESSES) {
      throw new UsageError(`There are ${emails.length} addresses; give at most ${MAX_ADDRESSES}`);
    }
    return { emails, ...flags.reason !== undefined && { reason: String(flags.reason) } };
  },
  async act(body, { connect }) {
    const report = await (await connect()).call("markDeliverable", { body });
    const { lifted, notLifted } = report;
    return {
      json: report,
      notDoneLines: notLifted.map((email) =>
        `Not changed: ${email} is not on the list, or the record of this address cannot be read.\n`
      ),
      text: () => `E-mails go to ${plural(lifted, "address", "addresses")} again.\n`,
    };
  },
});
