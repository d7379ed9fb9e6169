/**
 * `waitlist invitations`: changes single invitations and sends them again, and sends a letter with a test invitation.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import { LANGS } from "../../shared/schemas.ts";
import { defineCommand } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { parseChoice, parseExpires } from "../flag_values.ts";
import { formatExpiry } from "../format.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../operator/client.ts";
import { createProgress } from "../operator/progress.ts";
import { chooseLink } from "./waves/choose_link.ts";

const renew = defineCommand({
  access: OPERATOR_ACCESS,
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
    codeOrAddress: args[0]!,
    expires: parseExpires(String(flags.expires)),
    ...flags.email !== undefined && { email: String(flags.email) },
  }),
  async run({ codeOrAddress, ...options }, { connect, print }) {
    const client = await connect();
    const code = codeOrAddress.includes("@")
      ? await fetchCode(codeOrAddress, client)
      : codeOrAddress;
    const invitation = await client.call("renewInvitation", { body: { ...options, code } });
    const { state, email, expiresAt = "" } = invitation;
    return print({
      json: invitation,
      quiet: `${expiresAt}\n`,
      text: () =>
        state === "accepted"
          ? `Nothing to do: ${email} has accepted the invitation.\n`
          : `Renewed: ${email} can accept the invitation until ${formatExpiry(expiresAt)}.\n`,
    });
  },
});

/** Gets the code of a person's invitation from the service. */
async function fetchCode(email: string, client: OperatorClient): Promise<string> {
  const { invitationCode } = await client.call("showSignup", { body: { email } });
  if (invitationCode !== undefined) return invitationCode;
  throw new CliError(
    `${email} has no invitation; look at the person's state with 'waitlist signups show ${email}'`,
    EXIT.failedCheck,
  );
}

const resend = defineCommand({
  access: OPERATOR_ACCESS,
  resumeAdvice:
    "to go on, run the same command again; nobody gets an invitation twice within 24 hours",
  examples: [
    ["waitlist invitations resend ada@example.com", "with the same code, link and end"],
  ],
  declare: (command) => {
    command.argument("<email>", "the address of the invited person");
  },
  parse: ({ args: [email = ""] }) => ({ email }),
  async run(body, { connect, print }) {
    const invitation = await (await connect()).call("resendInvitation", { body });
    const { email, expiresAt } = invitation;
    const end = expiresAt === undefined
      ? ""
      : `; the person can accept the invitation until ${formatExpiry(expiresAt)}`;
    return print({
      json: invitation,
      text: () => `The invitation to ${email} is in the outbox again${end}.\n`,
    });
  },
});

/**
 * The shortest time limit of the call that sends a test letter, in milliseconds. The service itself waits for the mail
 * server for a slightly shorter time.
 */
const TEST_TIMEOUT_MS = 65_000;

/** How many characters of the mail server's answer are shown at most. */
const MAX_ANSWER = 300;

const test = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    [
      'waitlist invitations test you@gmail.com --link "https://app.example.com/?code={code}"',
      "the e-mail of a wave, with a code that is not valid",
    ],
    ["waitlist invitations test you@gmail.com --lang en,de", "with the last wave's link"],
  ],
  declare: (command) => {
    command.argument("<address>", "your own address; nobody is invited")
      .option("--link <url>", "the link in the e-mail; that of the last wave if left out")
      .option("--expires <date>", "the last UTC day of the invitation, or a time")
      .option("--lang <languages>", "the languages of the e-mails: en, de, or en,de", "en");
  },
  parse: ({ args: [email = ""], flags }) => ({
    email,
    link: flags.link as string | undefined,
    ...flags.expires !== undefined && { expires: parseExpires(String(flags.expires)) },
    langs: String(flags.lang).split(",").map((lang) => parseChoice("--lang", lang.trim(), LANGS)),
  }),
  async run({ link: typedLink, ...options }, { context, settings, connect, print }) {
    const client = await connect();
    using progress = createProgress(context, settings);
    const link = await chooseLink(typedLink, { client, context, progress });
    const body = { ...options, link };
    const tested = await client.call("testInvitation", { body }, { minTimeoutMs: TEST_TIMEOUT_MS });
    progress.end();
    const { letters } = tested;
    return print({
      json: tested,
      text: () =>
        letters.map(({ lang, delivered, ms, answer }) => {
          const letter = `the e-mail in the language '${lang}'`;
          const shownAnswer = quotable(answer, MAX_ANSWER);
          return delivered
            ? `The mail server has accepted ${letter} after ${ms} ms, and answered '${shownAnswer}'.\n`
            : `The mail server has not accepted ${letter}, because of the error '${shownAnswer}'.\n`;
        }).join(""),
      exitCode: letters.every(({ delivered }) => delivered) ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

export default { renew, resend, test };
