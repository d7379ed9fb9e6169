import { LANGS, SOURCES, type WaitlistSignup } from "../../shared/schemas.ts";
import { PUBLIC } from "../api_access.ts";
import { askFirst } from "../ask_first.ts";
import { defineCommand } from "../command.ts";
import { toCliError, UsageError } from "../errors.ts";
import type { Flags } from "../settings.ts";

/** `waitlist join`: signs an address up. */
export default defineCommand({
  access: PUBLIC,
  examples: [
    ["waitlist join ada@example.com --consent --sandbox", "tries it, nothing is stored"],
    ["waitlist join ada@example.com --consent", "asks first, as this is production"],
    ["waitlist join ada@example.com --consent --lang de --yes", "without asking, for scripts"],
  ],
  declare: (command) => {
    command
      .argument("<email>", "the address to sign up")
      .option("--consent", "its owner has explicitly agreed to join; needed")
      .option("--source <form>", "the form that was used: hero or cta")
      .option("--lang <lang>", "the language of the notification: en or de")
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
        unasked: "This is production and there is no terminal to ask on; add --yes, or try it " +
          "with --sandbox",
      });
    }
    const { data, error } = await (await connect()).join(signUp);
    if (error) throw toCliError(error);
    // The response does not tell whether the service sends letters: it is the same for every address.
    const next = environment === "sandbox"
      ? "The sandbox stores nothing and sends no letter."
      : "If the service sends letters, the owner must confirm the address by the link in one.";
    return print({ json: data, text: ({ green }) => `${green("Accepted:")} ${email}. ${next}\n` });
  },
});

function parseSignUp(email: string, flags: Flags): WaitlistSignup {
  if (!flags.consent) {
    throw new UsageError(
      "An address is signed up only with its owner's explicit consent; add --consent if you have it",
    );
  }
  const source = parseChoice("--source", flags.source, SOURCES);
  const lang = parseChoice("--lang", flags.lang, LANGS);
  return { email, consent: true, ...(source && { source }), ...(lang && { lang }) };
}

function parseChoice<T extends string>(
  flag: string,
  value: unknown,
  choices: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((choice) => choice === value);
  if (choice) return choice;
  throw new UsageError(`${flag} is '${value}'; give ${choices.join(" or ")}`);
}
