/**
 * The command tree. A command is one entry here and one file under `commands/`, which is loaded when
 * its name is on the command line.
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import { CliError } from "./cli_error.ts";
import type { RunnableCommand } from "./command.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode } from "./exit_codes.ts";
import { createStyle } from "./output/style.ts";

/** A place in the tree: a command, or a group of them. */
type Entry =
  & { name: string; summary: string }
  & ({ load: () => Promise<{ default: RunnableCommand }> } | { entries: Entry[] });

const ENTRIES: Entry[] = [
  {
    name: "status",
    summary: "show whether the service is up, its clock and its limits",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "token",
    summary: "get an access token",
    load: () => import("./commands/token.ts"),
  },
  {
    name: "stats",
    summary: "show the waitlist's statistics",
    load: () => import("./commands/stats.ts"),
  },
  {
    name: "join",
    summary: "sign an address up for the waitlist",
    load: () => import("./commands/join.ts"),
  },
  {
    name: "validate",
    summary: "hold every operation of a service against its OpenAPI document",
    load: () => import("./commands/validate.ts"),
  },
  {
    name: "smoke",
    summary: "run the whole sandbox flow, validation included",
    load: () => import("./commands/smoke.ts"),
  },
  {
    name: "clients",
    summary: "issue production's OAuth clients and look after them (operator)",
    entries: [
      {
        name: "create",
        summary: "issue a client; its secret is shown once",
        load: () => import("./commands/clients/create.ts"),
      },
      {
        name: "list",
        summary: "show the clients and their last use",
        load: () => import("./commands/clients/list.ts"),
      },
      {
        name: "rotate",
        summary: "give a client a new secret, beside the old one for a while",
        load: () => import("./commands/clients/rotate.ts"),
      },
      {
        name: "disable",
        summary: "give a client no more tokens",
        load: () => import("./commands/clients/disable.ts"),
      },
      {
        name: "enable",
        summary: "give a disabled client tokens again",
        load: () => import("./commands/clients/enable.ts"),
      },
    ],
  },
  {
    name: "signups",
    summary: "look after the people on the waitlist (operator)",
    entries: [
      {
        name: "export",
        summary: "get the list out, as CSV or NDJSON",
        load: () => import("./commands/signups/export.ts"),
      },
      {
        name: "show",
        summary: "show what is kept of a person, for an access request",
        load: () => import("./commands/signups/show.ts"),
      },
      {
        name: "import",
        summary: "take sign-ups from a file, CSV or NDJSON",
        load: () => import("./commands/signups/import.ts"),
      },
      {
        name: "erase",
        summary: "remove a person, for an erasure request",
        load: () => import("./commands/signups/erase.ts"),
      },
    ],
  },
  {
    name: "counters",
    summary: "hold the statistics' counters against the records (operator)",
    entries: [
      {
        name: "verify",
        summary: "recount all records and tell what differs",
        load: () => import("./commands/counters/verify.ts"),
      },
      {
        name: "repair",
        summary: "correct the counters by an exact recount",
        load: () => import("./commands/counters/repair.ts"),
      },
    ],
  },
  {
    name: "backup",
    summary: "write all that a new store needs into a file (operator)",
    load: () => import("./commands/backup.ts"),
  },
  {
    name: "restore",
    summary: "put a backup into an empty store (operator)",
    load: () => import("./commands/restore.ts"),
  },
  {
    name: "keys",
    summary: "look after the keys that sign access tokens (operator)",
    entries: [
      {
        name: "rotate",
        summary: "make a new key; no token is refused on the way",
        load: () => import("./commands/keys/rotate.ts"),
      },
    ],
  },
];

const EXIT_CODES = `
Exit codes:
  0 fine   1 failed check   2 usage   3 cannot connect   4 not authorised   5 limited
`;

/**
 * Runs the program to its exit code. Expected errors are written to standard error, one line each; what
 * is thrown is a bug, or the end of a closed pipe.
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
    if (failure.message) stderr.write(`${red("waitlist:")} ${failure.message}.\n`);
    return failure.exitCode;
  }
}

function createProgram({ stdout, stderr, variables }: Context): Command {
  const hasColors = () => createStyle(stdout, variables).enabled;
  return new Command("waitlist")
    .description("Looks at a waitlist service, and holds it against its contract.")
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
