import type { WaitlistSignup } from "../../shared/schemas.ts";
import { UsageError } from "../cli_error.ts";
import { defineCommand } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit_codes.ts";
import { toCliError } from "../failures.ts";
import { createStyle } from "../output/style.ts";
import { type Flags, readSettings, type Settings } from "../settings.ts";

/** `waitlist join`: signs an address up. */
export default defineCommand({
  examples: [
    ["waitlist join ada@example.com --consent --sandbox", "try it, nothing is stored"],
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
  parse: ({ args, flags, variables }) => ({
    settings: readSettings(flags, variables),
    signUp: parseSignUp(args[0]!, flags),
    yes: flags.yes === true,
  }),
  async run({ settings, signUp, yes }, context) {
    if (settings.environment === "production" && !yes) await askFirst(signUp, settings, context);
    const { data, error } = await connect(settings, context).join(signUp);
    if (error) throw toCliError(error);

    const { green } = createStyle(context.stdout, context.variables);
    const stored = settings.environment === "sandbox" ? " The sandbox stores nothing." : "";
    if (settings.json) context.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
    else if (!settings.quiet) {
      context.stdout.write(`${green("Accepted:")} ${signUp.email} is on the waitlist.${stored}\n`);
    }
    return EXIT.fine;
  },
});

function parseSignUp(email: string, flags: Flags): WaitlistSignup {
  if (!flags.consent) {
    throw new UsageError(
      "An address is signed up only with its owner's explicit consent; add --consent if you have it",
    );
  }
  const source = parseChoice("--source", flags.source, ["hero", "cta"] as const);
  const lang = parseChoice("--lang", flags.lang, ["en", "de"] as const);
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

async function askFirst(
  { email }: WaitlistSignup,
  { baseUrl }: Settings,
  { stdin, stderr, prompt }: Context,
): Promise<void> {
  if (!stdin.isTerminal || !stderr.isTerminal) {
    throw new UsageError(
      "This is production and there is no terminal to ask on; add --yes, or try it with --sandbox",
    );
  }
  if (!await prompt.confirm(`Sign ${email} up at ${baseUrl}? This is production.`)) {
    throw new UsageError("Cancelled; nothing was sent");
  }
}
