import { quotable } from "../../../shared/api_failure.ts";
import { EXIT } from "../../exit_codes.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { SIGNUP } from "../../operator/shapes.ts";
import { formatFields } from "../../output/fields.ts";
import { createStyle } from "../../output/style.ts";

/** `waitlist signups show`: what is kept of a person. */
export default defineOperatorCommand({
  examples: [
    ["waitlist signups show ada@example.com", "for an access request"],
    ["waitlist signups show ada@example.com --json", "all of it, to hand over"],
    ["waitlist signups show ada@example.com --quiet", "only whether it is there, by the exit code"],
  ],
  declare: (command) => {
    command.argument("<email>", "the person's address");
  },
  parse: ({ args }) => ({ email: args[0]! }),
  async run(body, { settings, context, connect }) {
    const { http, read } = await connect();
    const signup = await read(SIGNUP, http.POST("/operator/v1/signups/show", { body }));
    const { stdout, variables } = context;
    if (settings.json) stdout.write(`${JSON.stringify(signup, null, 2)}\n`);
    else if (!settings.quiet) {
      const fields = Object.entries(signup)
        .map(([name, value]) => [name, quotable(value)] as [string, string]);
      stdout.write(formatFields(fields, createStyle(stdout, variables)));
    }
    return EXIT.fine;
  },
});
