/**
 * `waitlist signups deliverable`: removes the marks "undeliverable" and "complained", so that letters go to addresses
 * again.
 *
 * @module
 */
import { defineCommand } from "../../command.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { plural } from "../../print.ts";

/** The most addresses of one call (`Addresses` in the OpenAPI document). */
const MOST = 200;

export default defineCommand<{ emails: string[] }, OperatorClient>({
  access: OPERATOR,
  goOn: "run the same command again; it changes nothing for addresses that are done",
  examples: [
    [
      "waitlist signups deliverable ada@example.com",
      "she asked for letters again after a complaint",
    ],
  ],
  declare: (command) => void command.argument("<email...>", "the addresses"),
  parse({ args: emails }) {
    if (emails.length > MOST) {
      throw new UsageError(`There are ${emails.length} addresses; give at most ${MOST}`);
    }
    return { emails };
  },
  async run({ emails }, { connect, print }) {
    const report = await (await connect()).call("markDeliverable", { body: { emails } });
    const { lifted, notLifted } = report;
    return print({
      json: report,
      text: () =>
        [
          ...notLifted.map((email) => `Nothing to do: ${email} is not on the list.\n`),
          `Letters go to ${plural(lifted, "address", "addresses")} again.\n`,
        ].join(""),
      exitCode: notLifted.length > 0 ? EXIT.failedCheck : EXIT.fine,
    });
  },
});
