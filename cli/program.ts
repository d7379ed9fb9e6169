/**
 * Runs the command on the command line, and prints help and errors. The commands are in `command_tree.ts`.
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { VERSION } from "../shared/version.ts";
import type { RunnableCommand } from "./command.ts";
import { COMMANDS } from "./command_tree.ts";
import type { Context } from "./context.ts";
import { CliError, EXIT, type ExitCode } from "./errors.ts";
import { escapeLine, escapeOutputs, type UnescapedOutputs } from "./escaped_output.ts";
import type { FlagValues } from "./flag_values.ts";
import { createStyle } from "./print.ts";
import { addCommonFlags } from "./settings.ts";
import type { TreeEntry } from "./tree_entry.ts";

const EXIT_CODES = `
Exit codes:
  0 fine            1 failed check   2 usage      3 cannot connect
  4 not authorised  5 limited        6 not found  130 interrupted
`;

/** The context of a run before its outputs escape texts. */
export type UnescapedContext = Omit<Context, "stdout"> & UnescapedOutputs;

/**
 * Runs the program, and returns its exit code. It writes an expected error to standard error as one line. With
 * `--json`, this line is JSON.
 *
 * @throws if there is a bug, or if the reader of the output has closed the pipe
 */
export async function runProgram(
  args: string[],
  unescapedContext: UnescapedContext,
): Promise<ExitCode> {
  const context: Context = { ...unescapedContext, ...escapeOutputs(unescapedContext) };
  const { stderr, variables } = context;
  let exitCode: ExitCode = EXIT.fine;
  async function execute(runnable: RunnableCommand, command: Command): Promise<void> {
    const input = { args: command.args, flags: flagsOf(command), variables };
    exitCode = await runnable.execute(input, context);
  }
  const program = createProgram(context);
  await addEntries(program, COMMANDS, { args, execute });
  try {
    // Without a command, the program shows what it can do, which is no error.
    await program.parseAsync(args.length > 0 ? args : ["--help"], { from: "user" });
    return exitCode;
  } catch (error) {
    const failure = error instanceof CommanderError ? fromCommander(error, args) : error;
    if (!(failure instanceof CliError)) throw error;
    const { red } = createStyle(stderr, variables);
    if (failure.message) {
      stderr.write(
        asksForJson(args)
          ? failure.toJsonLine()
          : `${red("waitlist:")} ${escapeLine(failure.message)}.\n`,
      );
    }
    return failure.exitCode;
  }
}

/**
 * Adds commands to the program or to a group. It loads only commands whose name is on the command line, so that the
 * program starts fast.
 *
 * @param options.args the command line
 * @param options.execute runs a command when commander has parsed the command line
 */
async function addEntries(
  parent: Command,
  entries: TreeEntry[],
  options: {
    args: string[];
    execute: (runnable: RunnableCommand, command: Command) => Promise<void>;
  },
): Promise<void> {
  for (const entry of entries) {
    const command = parent.command(entry.name).description(entry.summary);
    if (!options.args.includes(entry.name)) continue;
    if (entry.entries) {
      await addEntries(command.enablePositionalOptions(), entry.entries, options);
    }
    const runnable = await entry.load?.();
    if (runnable) {
      addFlagsAndHelp(command, runnable);
      command.action(() => options.execute(runnable, command));
    } else {
      addCommonFlags(command);
    }
  }
}

/** Whether `--json` is given. It also works for a command line that cannot be parsed. */
export function asksForJson(args: string[]): boolean {
  return args.includes("--json");
}

/** Returns the flags in front of the command's name and behind it. A flag behind the name wins. */
function flagsOf(command: Command): FlagValues {
  return { ...command.parent && flagsOf(command.parent), ...command.opts() };
}

function createProgram({ stdout, stderr, variables }: Context): Command {
  const hasColors = () => createStyle(stdout, variables).isEnabled;
  const program = new Command("waitlist")
    .description(
      "Uses a waitlist service, checks it against its contract and does its operator's work.",
    )
    .version(`waitlist ${VERSION}`, "-V, --version", "print the version")
    .addHelpText("after", EXIT_CODES)
    .addHelpText("after", "Run 'waitlist <command> --help' for its options and examples.")
    // A flag behind the name of a command belongs to the command. Without this setting, commander would read a flag
    // such as `--version` behind the name as a flag of the program.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // Commander must write no errors, because `runProgram()` writes all of them.
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns(),
      getErrHelpWidth: () => stderr.columns(),
      getOutHasColors: hasColors,
      getErrHasColors: hasColors,
    });
  addCommonFlags(program);
  return program;
}

function addFlagsAndHelp(command: Command, { declare, examples }: RunnableCommand): void {
  declare(command);
  const width = Math.max(...examples.map(([commandLine]) => commandLine.length));
  const lines = examples.map(([commandLine, remark]) =>
    `  ${commandLine.padEnd(width)}  ${remark}`
  );
  command.addHelpText("after", `\nExamples:\n${lines.join("\n")}\n${EXIT_CODES}`);
}

/** Turns an error of commander into a `CliError`. Commander also throws after `--help`, which needs no message. */
function fromCommander(error: CommanderError, args: string[]): CliError {
  if (error.exitCode === 0) return new CliError("", EXIT.fine);
  // The command line names no command, and commander has already written the help.
  if (error.code === "commander.help") return new CliError("", EXIT.usage);
  const message = reword(removeFarSuggestions(error.message));
  const help = ["waitlist", ...namesIn(args, COMMANDS), "--help"].join(" ");
  return new CliError(`${message}; see '${help}'`, EXIT.usage);
}

/** Patterns in the messages of commander that are hard to read, and the texts that replace them. */
const REWORDINGS: [pattern: RegExp, text: string][] = [
  [/^error: /, ""],
  [/\n/g, " "],
  [/^option (.+) argument missing$/, "option $1 lacks its value"],
  [/^required option (.+) not specified$/, "the required option $1 is missing"],
  [/^missing required argument (.+)$/, "the required argument $1 is missing"],
  [
    /^(too many arguments for '.+'). Expected (\d+ arguments?) but got (\d+): (.*)\.$/,
    "$1, which takes $2 and got $3: '$4'",
  ],
];

/** Rewords a message of commander. */
function reword(message: string): string {
  return REWORDINGS.reduce((text, [pattern, newText]) => text.replace(pattern, newText), message);
}

/**
 * Removes commander's suggestions that begin with another letter than the given name: a mistyped name rarely has a wrong
 * first letter, and `login` does not mean `join`.
 */
function removeFarSuggestions(message: string): string {
  const typedName = /'-{0,2}([^']*)'/.exec(message)?.[1] ?? "";
  return message.replace(/\s*\(Did you mean (?:one of )?(.*?)\?\)/, (_, names: string) => {
    const nearNames = names.split(", ")
      .filter((name) => name.replace(/^-+/, "")[0] === typedName[0]);
    const suggestion = nearNames.length > 1 ? `one of ${nearNames.join(", ")}` : nearNames[0];
    return suggestion === undefined ? "" : ` (Did you mean ${suggestion}?)`;
  });
}

/** Returns the names of commands and groups on a command line, such as `signups` and `list`. */
function namesIn(args: string[], entries: TreeEntry[]): string[] {
  for (const [index, word] of args.entries()) {
    const entry = entries.find(({ name }) => name === word);
    if (!entry) continue;
    return [word, ...namesIn(args.slice(index + 1), entry.entries ?? [])];
  }
  return [];
}
