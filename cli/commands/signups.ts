/**
 * `waitlist signups show` and `erase`: the rights of a person whose address is on the waitlist.
 *
 * @module
 */
import type { ErasureOutcome } from "../../shared/operator_schemas.ts";
import { quotable } from "../../shared/api_failure.ts";
import { askFirst } from "../ask_first.ts";
import { defineCommand } from "../command.ts";
import { OPERATOR } from "../operator/client.ts";
import { formatFields } from "../print.ts";

const show = defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist signups show ada@example.com", "for an access request"],
    ["waitlist signups show ada@example.com --json", "all stored data, to hand over"],
    ["waitlist signups show ada@example.com --quiet", "says by the exit code whether it is there"],
  ],
  declare: (command) => {
    command.argument("<email>", "the person's address");
  },
  parse: ({ args }) => ({ email: args[0]! }),
  async run(body, { connect, print }) {
    const signup = await (await connect()).call("showSignup", { body });
    const fields = Object.entries(signup)
      .map(([name, value]): [string, string] => [name, quotable(String(value))]);
    return print({ json: signup, text: (style) => formatFields(fields, style) });
  },
});

const erase = defineCommand({
  access: OPERATOR,
  examples: [
    ["waitlist signups erase ada@example.com", "asks first, as it cannot be undone"],
    ["waitlist signups erase ada@example.com --yes", "without asking, for scripts"],
    ["waitlist signups erase ada@example.com --yes --json", "shows the time, for the records"],
  ],
  declare: (command) => {
    command
      .argument("<email>", "the person's address")
      .option("-y, --yes", "do not ask first");
  },
  parse: ({ args, flags }) => ({ email: args[0]!, yes: flags.yes === true }),
  async run({ email, yes }, { settings, context, connect, print }) {
    if (!yes) {
      await askFirst(`Erase ${email} at ${settings.baseUrl}? This cannot be undone.`, context);
    }
    const erasure = await (await connect()).call("eraseSignup", { body: { email } });
    return print({ json: erasure, text: () => describeErasure(email, erasure) });
  },
});

function describeErasure(
  email: string,
  { outcome, erasedAt, countersLeft }: ErasureOutcome,
): string {
  if (outcome === "erased_before") {
    return `Nothing to do: ${email} was erased before, at ${erasedAt}.\n`;
  }
  if (!countersLeft) {
    return `Erased: ${email} is no longer on the waitlist, nor in its statistics.\n`;
  }
  return `Erased: ${email} is no longer on the waitlist. Its record could not be read, so that the ` +
    "statistics still count it; correct them by 'waitlist counters repair'.\n";
}

export default { show, erase };
