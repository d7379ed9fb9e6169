/**
 * The definition of commands. A command declares its flags, parses them into options, and runs with these options. The
 * commands of the public API and those of operators are all defined in this way.
 *
 * @module
 */
import type { Command } from "commander";
import type { Context, Variables } from "./context.ts";
import { CliError, EXIT, type ExitCode } from "./errors.ts";
import type { FlagValues } from "./flag_values.ts";
import { type CommandAnswer, printAnswer } from "./print.ts";
import { withProxyAdvice } from "./proxies.ts";
import { addCommonFlags, readSettings, type Settings } from "./settings.ts";

/** The input of a command: its command line and the environment variables. */
export interface CommandInput {
  /** The arguments without flags, such as an address. */
  args: string[];
  flags: FlagValues;
  variables: Variables;
}

/** How a command authenticates, and which client of the service it gets. */
export interface Access<Client> {
  /** Declares the flags of commands with this access. */
  declare: (command: Command) => void;
  /**
   * Reads the flags that `declare` has declared, and the environment variables. It throws a `UsageError` if a value is
   * wrong.
   *
   * @returns a function that makes the client, and may ask the user for a secret
   */
  prepare: (input: CommandInput, settings: Settings, context: Context) => () => Promise<Client>;
}

/** The access of commands that call no service. Such a command has no flags for the access, and gets no client. */
export const NO_ACCESS: Access<undefined> = {
  declare() {},
  prepare: () => () => Promise.resolve(undefined),
};

/** The `parse` of a command without options of its own. */
export function parseNoOptions(): undefined {}

/** What a command gets besides its own options. */
export interface Session<Client> {
  settings: Settings;
  context: Context;
  /**
   * Makes the client. It may ask the user for a secret, so a command calls it after all checks that need no client.
   */
  connect: () => Promise<Client>;
  /** Prints the answer in the form that the user chose, and returns the exit code. */
  print: (answer: CommandAnswer) => ExitCode;
}

/** A command line to copy, with a few words about it. */
type CommandExample = [commandLine: string, remark: string];

/** The definition of a command. */
export interface CommandDefinition<Options, Client> {
  access: Access<Client>;
  examples: CommandExample[];
  /**
   * The advice after Ctrl+C, as the end of a sentence that begins with "Interrupted;". Only commands with long work
   * have such advice.
   */
  resumeAdvice?: string;
  /** Declares the arguments and flags that only this command has. */
  declare?: (command: Command) => void;
  /** Makes the options from flags and environment variables. It throws a `UsageError` if a value is wrong. */
  parse: (input: CommandInput) => Options;
  run: (options: Options, session: Session<Client>) => Promise<ExitCode>;
}

/**
 * A command in the form in which the program runs it. This type does not show the types of the command's options and
 * client, so all commands have this one type.
 */
export interface RunnableCommand {
  examples: CommandExample[];
  /** Declares all arguments and flags: the command's own, those of its access, and those that all commands have. */
  declare: (command: Command) => void;
  /** Parses the input and runs the command. */
  execute: (input: CommandInput, context: Context) => Promise<ExitCode>;
}

/** Makes a command that the program can run. */
export function defineCommand<Options, Client>(
  { access, examples, resumeAdvice, declare, parse, run }: CommandDefinition<Options, Client>,
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
      try {
        const running = run(parse(input), { settings, context, connect, print });
        if (resumeAdvice === undefined) return await running;
        return await Promise.race([running, rejectOnInterrupt(resumeAdvice, context)]);
      } catch (error) {
        throw withProxyAdvice(error, settings.baseUrl, context);
      }
    },
  };
}

/** Makes a promise that rejects with the advice when the user presses Ctrl+C, and that never resolves. */
function rejectOnInterrupt(
  resumeAdvice: string,
  { catchInterrupt, stderr }: Context,
): Promise<never> {
  return new Promise((_, reject) => {
    catchInterrupt().addEventListener("abort", () => {
      // Clears the line with the progress and with the "^C" that the terminal has written.
      if (stderr.isTerminal) stderr.write("\r\x1b[K");
      reject(new CliError(`Interrupted; ${resumeAdvice}`, EXIT.interrupted));
    });
  });
}
