import type { Command } from "commander";
import type { Context, Variables } from "./context.ts";
import type { ExitCode } from "./exit_codes.ts";
import { addCommonFlags, type Flags } from "./settings.ts";

/** A command: its flags are parsed into options, and with these it runs. */
export interface CommandDefinition<Options> {
  /** Command lines to copy, each with what it does. */
  examples: [line: string, what: string][];
  /** Declares arguments and flags beside the common ones. */
  declare?: (command: Command) => void;
  /** Makes flags and environment options; throws a `UsageError` where they are wrong. */
  parse: (input: CommandInput) => Options;
  run: (options: Options, context: Context) => Promise<ExitCode>;
}

/** What a command line says. */
export interface CommandInput {
  args: string[];
  flags: Flags;
  variables: Variables;
}

/** A command whose options are its own affair. */
export interface RunnableCommand extends Pick<CommandDefinition<never>, "examples" | "declare"> {
  /** Declares the flags that the command has in common with others. */
  declareCommon: (command: Command) => void;
  execute: (input: CommandInput, context: Context) => Promise<ExitCode>;
}

/** Ties parsing and running together. */
export function defineCommand<Options>(definition: CommandDefinition<Options>): RunnableCommand {
  const { examples, declare, parse, run } = definition;
  return {
    examples,
    ...(declare && { declare }),
    declareCommon: addCommonFlags,
    execute: async (input, context) => await run(parse(input), context),
  };
}
