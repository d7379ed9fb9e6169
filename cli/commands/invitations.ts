/**
 * `waitlist invitations`: changes single invitations.
 *
 * @module
 */
import { defineCommand } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { parseExpires } from "../flag_values.ts";
import { OPERATOR, type OperatorClient } from "../operator/client.ts";

const renew = defineCommand({
  access: OPERATOR,
  examples: [
    [
      "waitlist invitations renew 5f1c7a90b2d34e6f8a1b2c3d4e5f6a7b --expires 2027-01-31",
      "until the end of this UTC day",
    ],
    ["waitlist invitations renew ada@example.com --expires 2027-01-31", "by the address"],
  ],
  declare: (command) => {
    command.argument("<code>", "the code in the link of the invitation, or the person's address")
      .requiredOption("--expires <date>", "the last UTC day of the invitation, or a time")
      .option("--email <email>", "renew only if it is the invitation of this address");
  },
  parse: ({ args, flags }) => ({
    code: args[0]!,
    expires: parseExpires(String(flags.expires)),
    ...flags.email !== undefined && { email: String(flags.email) },
  }),
  async run({ code: given, ...options }, { connect, print }) {
    const client = await connect();
    const code = given.includes("@") ? await codeOf(given, client) : given;
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
  throw new CliError(
    `${email} has no invitation; look at the state with 'waitlist signups show ${email}'`,
    EXIT.failedCheck,
  );
}

export default { renew };
