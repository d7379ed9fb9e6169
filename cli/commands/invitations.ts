/** `waitlist invitations`: single invitations, by their codes. @module */
import { defineCommand } from "../command.ts";
import { OPERATOR } from "../operator/client.ts";
import { parseExpires } from "./signups/filters.ts";

const renew = defineCommand({
  access: OPERATOR,
  examples: [
    [
      "waitlist invitations renew 5f1c7a90b2d34e6f8a1b2c3d4e5f6a7b --expires 2027-01-31",
      "this day is the last one",
    ],
  ],
  declare: (command) => {
    command.argument("<code>", "the code in the link of the invitation")
      .requiredOption("--expires <date>", "the last UTC day on which it can be redeemed, or a time")
      .option("--email <email>", "whose invitation it must be");
  },
  parse: ({ args, flags }) => ({
    code: args[0]!,
    expires: parseExpires(String(flags.expires)),
    ...flags.email !== undefined && { email: String(flags.email) },
  }),
  async run(body, { connect, print }) {
    const invitation = await (await connect()).call("renewInvitation", { body });
    const { state, email, expiresAt = "" } = invitation;
    return print({
      json: invitation,
      quiet: `${expiresAt}\n`,
      text: () =>
        state === "accepted"
          ? `Nothing to do: ${email} has accepted the invitation.\n`
          : `Renewed: ${email} can accept the invitation until ${expiresAt}.\n`,
    });
  },
});

export default { renew };
