/**
 * Runs the command that a command line names; the commands are in `command_tree.ts`.
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { CliError } from "./cli_error.ts";
import type { RunnableCommand } from "./command.ts";
import { ENTRIES, type Entry } from "./command_tree.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode } from "./exit_codes.ts";
import { createStyle } from "./output/style.ts";

const EXIT_CODES = `
Exit codes:
  0 fine            1 failed check   2 usage      3 cannot connect
  4 not authorised  5 limited        6 not found
`;

/**
 * Runs the program to its exit code. Expected errors are written to standard error, one line each, with
 * `--json` a line of JSON; what is thrown is a bug, or the end of a closed pipe.
 */
export async function runProgram(args: string[], context: Context): Promise<ExitCode> {
  const { stderr } = context;
  let exitCode: ExitCode = EXIT.fine;
  const program = createProgram(context);

  /** Adds entries; only those whose name is on the command line are loaded. */
  async function grow(parent: Command, entries: Entry[]): Promise<void> {
    for (const entry of entries) {
      const command = parent.command(entry.name).description(entry.summary);
      if (!args.includes(entry.name)) continue;
      if ("entries" in entry) {
        await grow(command, entry.entries);
        continue;
      }
      const { default: runnable } = await entry.load();
      complete(command, runnable);
      command.action(async () => {
        const input = { args: command.args, flags: command.opts(), variables: context.variables };
        exitCode = await runnable.execute(input, context);
      });
    }
  }

  await grow(program, ENTRIES);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    const failure = error instanceof CommanderError ? fromCommander(error, args) : error;
    if (!(failure instanceof CliError)) throw error;
    const { red } = createStyle(stderr, context.variables);
    if (failure.message) {
      stderr.write(
        asksForJson(args) ? failure.toJsonLine() : `${red("waitlist:")} ${failure.message}.\n`,
      );
    }
    return failure.exitCode;
  }
}

/** Whether `--json` is given, even on a command line that is wrong. */
export function asksForJson(args: string[]): boolean {
  return args.includes("--json");
}

function createProgram({ stdout, stderr, variables }: Context): Command {
  const hasColors = () => createStyle(stdout, variables).enabled;
  return new Command("waitlist")
    .description(
      "Looks at a waitlist service, holds it against its contract and does its operator's work.",
    )
    .addHelpText("after", EXIT_CODES)
    .addHelpText("after", "Run 'waitlist <command> --help' for its options and examples.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // Errors are written where all others are.
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns(),
      getErrHelpWidth: () => stderr.columns(),
      getOutHasColors: hasColors,
      getErrHasColors: hasColors,
    });
}

/** Gives a command its flags and help. */
function complete(command: Command, runnable: RunnableCommand): void {
  const { declare, declareCommon, examples } = runnable;
  declare?.(command);
  declareCommon(command);
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`);
  command.addHelpText("after", `\nExamples:\n${lines.join("\n")}\n${EXIT_CODES}`);
}

/** Commander's way out: of `--help` without a message, of a wrong command line with one. */
function fromCommander(error: CommanderError, args: string[]): CliError {
  if (error.exitCode === 0) return new CliError("", EXIT.fine);
  // Help that nobody asked for, because there is no command; it has been written.
  if (error.code === "commander.help") return new CliError("", EXIT.usage);
  const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
  const help = ["waitlist", ...namesIn(args, ENTRIES), "--help"].join(" ");
  return new CliError(`${message}; see '${help}'`, EXIT.usage);
}

/** The path of names in the tree that a command line follows, as far as it does. */
function namesIn(args: string[], entries: Entry[]): string[] {
  const entry = entries.find((entry) => args.includes(entry.name));
  if (!entry) return [];
  return [entry.name, ...("entries" in entry ? namesIn(args, entry.entries) : [])];
}
