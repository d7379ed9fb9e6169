/** `waitlist invitations`: single invitations, by their codes. @module */
import { defineCommand } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { OPERATOR, type OperatorClient } from "../operator/client.ts";
import { parseExpires } from "./signups/filters.ts";

const renew = defineCommand({
  access: OPERATOR,
  examples: [
    [
      "waitlist invitations renew 5f1c7a90b2d34e6f8a1b2c3d4e5f6a7b --expires 2027-01-31",
      "this day is the last one",
    ],
    ["waitlist invitations renew ada@example.com --expires 2027-01-31", "whose code is not known"],
  ],
  declare: (command) => {
    command.argument("<code>", "the code in the link of the invitation, or the person's address")
      .requiredOption("--expires <date>", "the last UTC day on which it can be redeemed, or a time")
      .option("--email <email>", "whose invitation it must be");
  },
  parse: ({ args, flags }) => ({
    code: args[0]!,
    expires: parseExpires(String(flags.expires)),
    ...flags.email !== undefined && { email: String(flags.email) },
  }),
  async run({ code: named, ...options }, { connect, print }) {
    const client = await connect();
    const code = named.includes("@") ? await codeOf(named, client) : named;
    const invitation = await client.call("renewInvitation", { body: { ...options, code } });
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

async function codeOf(email: string, client: OperatorClient): Promise<string> {
  const { invitationCode } = await client.call("showSignup", { body: { email } });
  if (invitationCode !== undefined) return invitationCode;
  throw new CliError(`${email} has no invitation; see 'waitlist signups show'`, EXIT.failedCheck);
}

export default { renew };
