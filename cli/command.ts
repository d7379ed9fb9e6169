/**
 * The one way to define a command, public or the operator's: flags become options, options run.
 *
 * @module
 */
import type { Command } from "commander";
import type { Context, Variables } from "./context.ts";
import { CliError, EXIT, type ExitCode } from "./errors.ts";
import { type CommandAnswer, printAnswer } from "./print.ts";
import { addCommonFlags, type Flags, readSettings, type Settings } from "./settings.ts";

/** What a command line and the environment say. */
export interface CommandInput {
  args: string[];
  flags: Flags;
  variables: Variables;
}

/** How a command authenticates, and which client of the service it gets. */
export interface Access<Client> {
  /** Declares the flags that belong to it. */
  declare: (command: Command) => void;
  /**
   * Reads these flags and the environment, or throws a `UsageError`.
   *
   * @returns makes the client; it may ask for a secret
   */
  prepare: (input: CommandInput, settings: Settings, context: Context) => () => Promise<Client>;
}

/** What a command runs with, besides its own options. */
export interface Session<Client> {
  settings: Settings;
  context: Context;
  /** Makes the client, which may ask for a secret; call it when nothing else can fail before. */
  connect: () => Promise<Client>;
  /** Prints the answer in the chosen form, and gives the exit code. */
  print: (answer: CommandAnswer) => ExitCode;
}

/** A command: its flags are parsed into options, and it runs with these. */
export interface CommandDefinition<Options, Client> {
  access: Access<Client>;
  /** Command lines to copy, each with a few words on what it does. */
  examples: [line: string, what: string][];
  /** Long work: what to do after Ctrl+C, as the end of a sentence. */
  goOn?: string;
  /** Declares arguments and flags besides those of {@linkcode Access} and the common ones. */
  declare?: (command: Command) => void;
  /** Makes options of flags and environment; throws a `UsageError` where they are wrong. */
  parse: (input: CommandInput) => Options;
  run: (options: Options, session: Session<Client>) => Promise<ExitCode>;
}

/** A command as the program runs it, whatever its options and its client are. */
export interface RunnableCommand {
  examples: CommandDefinition<never, never>["examples"];
  /** Declares all arguments and flags. */
  declare: (command: Command) => void;
  execute: (input: CommandInput, context: Context) => Promise<ExitCode>;
}

/** Ties declaring, parsing and running together. */
export function defineCommand<Options, Client>(
  { access, examples, goOn, declare, parse, run }: CommandDefinition<Options, Client>,
): RunnableCommand {
  return {
    examples,
    declare(command) {
      declare?.(command);
      access.declare(command);
      addCommonFlags(command);
    },
    async execute(input, context) {
      const settings = readSettings(input.flags, input.variables);
      const connect = access.prepare(input, settings, context);
      const print = (answer: CommandAnswer) => printAnswer(answer, settings, context);
      const running = run(parse(input), { settings, context, connect, print });
      if (goOn === undefined) return await running;
      return await Promise.race([running, interruption(goOn, context)]);
    },
  };
}

/** Ends a command with the advice how to go on as soon as Ctrl+C is pressed. */
function interruption(goOn: string, { interrupted, stderr }: Context): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  interrupted().addEventListener("abort", () => {
    // Removes the progress, and the "^C" that the terminal has written.
    if (stderr.isTerminal) stderr.write("\r\x1b[K");
    reject(new CliError(`Interrupted; to go on, ${goOn}`, EXIT.interrupted));
  });
  return promise;
}
