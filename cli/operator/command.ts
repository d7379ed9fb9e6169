import { type CommandDefinition, type CommandInput, type RunnableCommand } from "../command.ts";
import type { Context } from "../context.ts";
import type { ExitCode } from "../exit_codes.ts";
import { addSharedFlags, readSettings, type Settings } from "../settings.ts";
import { connectOperator, type OperatorClient } from "./client.ts";
import { addKeyFlags, getKey, readKeySource } from "./key.ts";

/** What a command of the operator runs with, besides its own options. */
export interface OperatorSession {
  settings: Settings;
  context: Context;
  /** Gets the key, which may ask for it, and makes the client; call it when all else is known. */
  connect: () => Promise<OperatorClient>;
}

/** A command on the operator surface. */
export interface OperatorCommandDefinition<Options>
  extends Pick<CommandDefinition<Options>, "examples" | "declare" | "parse"> {
  run: (options: Options, session: OperatorSession) => Promise<ExitCode>;
}

/** Ties parsing and running together; the settings and the key are read here, for all alike. */
export function defineOperatorCommand<Options>(
  { examples, declare, parse, run }: OperatorCommandDefinition<Options>,
): RunnableCommand {
  return {
    examples,
    ...(declare && { declare }),
    declareCommon(command) {
      addKeyFlags(command);
      addSharedFlags(command);
    },
    async execute(input: CommandInput, context: Context) {
      const settings = readSettings(input.flags, input.variables);
      const source = readKeySource(input, settings);
      const options = parse(input);
      const connect = async () => connectOperator(await getKey(source, context), settings, context);
      return await run(options, { settings, context, connect });
    },
  };
}
