import { EXIT } from "../../exit_codes.ts";
import { askFirst } from "../../operator/ask_first.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { ERASURE } from "../../operator/shapes.ts";

/** `waitlist signups erase`: removes a person. */
export default defineOperatorCommand({
  examples: [
    ["waitlist signups erase ada@example.com", "asks first, as it cannot be undone"],
    ["waitlist signups erase ada@example.com --yes", "without asking, for scripts"],
    ["waitlist signups erase ada@example.com --yes --json", "when it was done, for the records"],
  ],
  declare: (command) => {
    command
      .argument("<email>", "the person's address")
      .option("-y, --yes", "do not ask first");
  },
  parse: ({ args, flags }) => ({ email: args[0]!, yes: flags.yes === true }),
  async run({ email, yes }, { settings, context, connect }) {
    if (!yes) {
      await askFirst(`Erase ${email} at ${settings.baseUrl}? This cannot be undone.`, context);
    }
    const { http, read } = await connect();
    const erasure = await read(
      ERASURE,
      http.POST("/operator/v1/signups/erase", { body: { email } }),
    );
    const { stdout } = context;
    if (settings.json) stdout.write(`${JSON.stringify(erasure, null, 2)}\n`);
    else if (!settings.quiet) {
      stdout.write(
        erasure.outcome === "erased"
          ? `Erased: ${email} is no longer on the waitlist, nor in its statistics.\n`
          : `Nothing to do: ${email} was erased before, at ${erasure.erasedAt}.\n`,
      );
    }
    return EXIT.fine;
  },
});
