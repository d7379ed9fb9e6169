/**
 * `waitlist join`: signs an address up.
 *
 * @module
 */
import { LANGS, SOURCES, type WaitlistSignup } from "../../shared/schemas.ts";
import { PUBLIC_ACCESS } from "../api_access.ts";
import { askFirst } from "../ask_first.ts";
import { defineCommand } from "../command.ts";
import { toCliError, UsageError } from "../errors.ts";
import { type FlagValues, parseChoice } from "../flag_values.ts";

export default defineCommand({
  access: PUBLIC_ACCESS,
  examples: [
    ["waitlist join ada@example.com --consent --sandbox", "a try; nothing is stored"],
    ["waitlist join ada@example.com --consent", "asks first, because it is production"],
    ["waitlist join ada@example.com --consent --lang de --yes", "without asking, for scripts"],
  ],
  declare: (command) => {
    command
      .argument("<email>", "the address to sign up")
      .option("--consent", "the owner of the address has agreed to join; required")
      .option("--source <form>", "the form that was used: hero or cta")
      .option("--lang <lang>", "the language of e-mails: en or de")
      .option("-y, --yes", "do not ask first in production");
  },
  parse: ({ args, flags }) => ({
    signUp: parseSignUp(args[0]!, flags),
    yes: flags.yes === true,
  }),
  async run({ signUp, yes }, { settings, context, connect, print }) {
    const { baseUrl, environment } = settings;
    const { email } = signUp;
    if (environment === "production" && !yes) {
      await askFirst(`Sign ${email} up at ${baseUrl}? This is production.`, context, {
        noTerminal:
          "This command signs an address up in production, and without a terminal it cannot ask you first; add --yes to run " +
          "the command without this question, or add --sandbox to try the command",
      });
    }
    const { data, error } = await (await connect()).join(signUp);
    if (error) throw toCliError(error);
    // The response is the same for every address, so it does not tell whether a letter is sent.
    const nextStep = environment === "sandbox"
      ? "The sandbox stores nothing and sends no e-mail."
      : "If the service sends e-mails, the owner must confirm the address by the link in an e-mail.";
    return print({
      json: data,
      text: ({ green }) => `${green("Accepted:")} ${email}. ${nextStep}\n`,
    });
  },
});

function parseSignUp(email: string, flags: FlagValues): WaitlistSignup {
  if (!flags.consent) {
    throw new UsageError(
      "An address is signed up only with its owner's explicit consent; add --consent if the owner has given this consent",
    );
  }
  const { source, lang } = flags;
  return {
    email,
    consent: true,
    ...source !== undefined && { source: parseChoice("--source", String(source), SOURCES) },
    ...lang !== undefined && { lang: parseChoice("--lang", String(lang), LANGS) },
  };
}
