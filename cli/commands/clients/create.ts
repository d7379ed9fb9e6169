import type { NewClient } from "../../../shared/operator_schemas.ts";
import { EXIT } from "../../exit_codes.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { ISSUED_CLIENT } from "../../operator/shapes.ts";
import { formatFields } from "../../output/fields.ts";
import { createStyle } from "../../output/style.ts";

/** `waitlist clients create`: issues an OAuth client of production. */
export default defineOperatorCommand({
  examples: [
    [
      'waitlist clients create --name "Dashboard" --scope waitlist:stats:read',
      "may read the stats",
    ],
    ["waitlist clients create --name Test", "without a scope"],
    ["waitlist clients create --name CI --scope waitlist:stats:read --json", "for programs"],
  ],
  declare: (command) => {
    command
      .requiredOption("--name <name>", "what you call the client")
      .option("--scope <scope...>", "what its tokens may do; none if left out");
  },
  parse: ({ flags }) => ({ name: flags.name, scopes: flags.scope ?? [] }) as NewClient,
  async run(description, { settings, context, connect }) {
    const { http, read } = await connect();
    const issued = await read(
      ISSUED_CLIENT,
      http.POST("/operator/v1/clients", { body: description }),
    );
    const { stdout, stderr, variables } = context;
    if (settings.json) stdout.write(`${JSON.stringify(issued, null, 2)}\n`);
    else if (settings.quiet) stdout.write(`${issued.client_id}\n${issued.client_secret}\n`);
    else {
      stdout.write(formatFields([
        ["client_id", issued.client_id],
        ["client_secret", issued.client_secret],
      ], createStyle(stdout, variables)));
      stderr.write("Keep the secret now; it is not shown again.\n");
    }
    return EXIT.fine;
  },
});
