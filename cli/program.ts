/**
 * Runs the command that a command line names; the commands are in `command_tree.ts`.
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { VERSION } from "../shared/version.ts";
import type { RunnableCommand } from "./command.ts";
import { ENTRIES, type TreeEntry } from "./command_tree.ts";
import type { Context } from "./context.ts";
import { CliError, EXIT, type ExitCode } from "./errors.ts";
import { escapeLine, escapeOutputs, type GivenOutputs } from "./escaped_output.ts";
import { createStyle } from "./print.ts";
import { addCommonFlags, type Flags } from "./settings.ts";

const EXIT_CODES = `
Exit codes:
  0 fine            1 failed check   2 usage      3 cannot connect
  4 not authorised  5 limited        6 not found  130 interrupted
`;

/** The context of a run, whose outputs take text as it is. */
export type GivenContext = Omit<Context, "stdout"> & GivenOutputs;

/**
 * Runs the program to its exit code. Expected errors are written to standard error, one line each, with
 * `--json` a line of JSON. It throws for a bug, and where the reader of its output closes a pipe.
 */
export async function runProgram(args: string[], given: GivenContext): Promise<ExitCode> {
  const context: Context = { ...given, ...escapeOutputs(given) };
  const { stderr } = context;
  let exitCode: ExitCode = EXIT.fine;
  const program = createProgram(context);

  /** Adds entries. Loads only commands whose name is on the command line, to start fast. */
  async function addEntries(parent: Command, entries: TreeEntry[]): Promise<void> {
    for (const entry of entries) {
      const command = parent.command(entry.name).description(entry.summary);
      if (!args.includes(entry.name)) continue;
      if (entry.entries) {
        await addEntries(command.enablePositionalOptions(), entry.entries);
      }
      const runnable = await entry.load?.();
      if (!runnable) {
        addCommonFlags(command);
        continue;
      }
      addFlagsAndHelp(command, runnable);
      command.action(async () => {
        const input = { args: command.args, flags: flagsOf(command), variables: context.variables };
        exitCode = await runnable.execute(input, context);
      });
    }
  }

  await addEntries(program, ENTRIES);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    const failure = error instanceof CommanderError ? fromCommander(error, args) : error;
    if (!(failure instanceof CliError)) throw error;
    const { red } = createStyle(stderr, context.variables);
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

/** Whether `--json` is given, even on a wrong command line. */
export function asksForJson(args: string[]): boolean {
  return args.includes("--json");
}

/** The flags of a command, and those in front of its name, which a flag behind the name overrides. */
function flagsOf(command: Command): Flags {
  return { ...command.parent && flagsOf(command.parent), ...command.opts() };
}

function createProgram({ stdout, stderr, variables }: Context): Command {
  const hasColors = () => createStyle(stdout, variables).enabled;
  const program = new Command("waitlist")
    .description(
      "Uses a waitlist service, checks it against its contract and does its operator's work.",
    )
    .version(`waitlist ${VERSION}`, "-V, --version", "print the version")
    .addHelpText("after", EXIT_CODES)
    .addHelpText("after", "Run 'waitlist <command> --help' for its options and examples.")
    // Without this, the program itself would take flags behind the name of a command, such as `--version`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // `runProgram` writes errors, those of commander too.
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
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`);
  command.addHelpText("after", `\nExamples:\n${lines.join("\n")}\n${EXIT_CODES}`);
}

/** Makes commander's error ours. Commander ends `--help` with an error too, which gets no message. */
function fromCommander(error: CommanderError, args: string[]): CliError {
  if (error.exitCode === 0) return new CliError("", EXIT.fine);
  // Commander has written the help already, as the command line names no command.
  if (error.code === "commander.help") return new CliError("", EXIT.usage);
  const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
  const help = ["waitlist", ...namesIn(args, ENTRIES), "--help"].join(" ");
  return new CliError(`${message}; see '${help}'`, EXIT.usage);
}

/** The names of the tree that a command line follows, in the order of its words. */
function namesIn(args: string[], entries: TreeEntry[]): string[] {
  for (const [at, word] of args.entries()) {
    const entry = entries.find(({ name }) => name === word);
    if (!entry) continue;
    return [word, ...namesIn(args.slice(at + 1), entry.entries ?? [])];
  }
  return [];
}
