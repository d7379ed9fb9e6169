import type { RunnableCommand } from "../command.ts";
import { EXIT } from "../exit_codes.ts";
import { defineOperatorCommand } from "./command.ts";
import { CLIENT } from "./shapes.ts";

/** A command that disables or enables a client; both are the same call but for its path. */
export function defineSwitch(
  action: "disable" | "enable",
  { examples, done }: { examples: RunnableCommand["examples"]; done: string },
): RunnableCommand {
  return defineOperatorCommand({
    examples,
    declare: (command) => {
      command.argument("<client_id>", "the client");
    },
    parse: ({ args }) => ({ client_id: args[0]! }),
    async run(path, { settings, context: { stdout }, connect }) {
      const { http, read } = await connect();
      const client = await read(
        CLIENT,
        http.POST(`/operator/v1/clients/{client_id}/${action}`, { params: { path } }),
      );
      if (settings.json) stdout.write(`${JSON.stringify(client, null, 2)}\n`);
      else if (!settings.quiet) stdout.write(`${done}\n`);
      return EXIT.fine;
    },
  });
}
