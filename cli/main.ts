/**
 * The only place that reads arguments and the environment, and that ends the process.
 *
 * @module
 */
import { fstatSync } from "node:fs";
import process from "node:process";
import { SYSTEM_CLOCK } from "../shared/clock.ts";
import { type Context, type Output, type Prompt, VARIABLES, type Variables } from "./context.ts";
import { CliError, EXIT, type ExitCode, UsageError } from "./errors.ts";
import { DENO_FILES } from "./files.ts";
import { asksForJson, runProgram } from "./program.ts";
import { createSecrets } from "./secrets.ts";

/** The context of a command on this computer. */
function createContext(): Context {
  const secrets = createSecrets();
  const variables: Variables = {};
  for (const name of VARIABLES) {
    const value = Deno.env.get(name);
    if (value !== undefined) variables[name] = value;
  }
  return {
    stdout: secrets.keepOutOf({ ...outputTo(Deno.stdout), isFile: isFile(STDOUT) }),
    stderr: secrets.keepOutOf(whileOpen(outputTo(Deno.stderr))),
    stdin: {
      isTerminal: Deno.stdin.isTerminal(),
      readText: () => new Response(Deno.stdin.readable).text(),
    },
    variables,
    clock: SYSTEM_CLOCK,
    fetch,
    prompt: PROMPT,
    files: DENO_FILES,
    interrupted() {
      const controller = new AbortController();
      Deno.addSignalListener("SIGINT", () => controller.abort());
      return controller.signal;
    },
    hide: secrets.hide,
  };
}

/** Asks on standard error, so that a piped result stays clean. The library is loaded when it is needed. */
const PROMPT: Prompt = {
  async secret(message) {
    const { isCancel, password } = await import("@clack/prompts");
    const answer = await password({ message, mask: "", output: process.stderr });
    return isCancel(answer) ? undefined : answer ?? "";
  },
  async confirm(message) {
    const { confirm, isCancel } = await import("@clack/prompts");
    const answer = await confirm({ message, initialValue: false, output: process.stderr });
    return isCancel(answer) ? undefined : answer;
  },
};

/** The file descriptor of standard output. */
const STDOUT = 1;

/** Whether a file descriptor belongs to a file; false for a descriptor that is closed. */
function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

function outputTo(stream: typeof Deno.stdout | typeof Deno.stderr): Output {
  const isTerminal = stream.isTerminal();
  return {
    isTerminal,
    // A terminal may report a width of 0.
    columns: () => (isTerminal && Deno.consoleSize().columns) || 80,
    write(text) {
      let rest = new TextEncoder().encode(text);
      while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
    },
  };
}

/** Drops what is written after the reader has closed the output, so that the exit code stays the same. */
function whileOpen(output: Output): Output {
  return {
    ...output,
    write(text) {
      try {
        output.write(text);
      } catch (error) {
        if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      }
    },
  };
}

async function main(): Promise<ExitCode> {
  try {
    return await runProgram(Deno.args, createContext());
  } catch (error) {
    // The reader of `waitlist stats | head -1` has read all that it wants.
    if (error instanceof Deno.errors.BrokenPipe) return EXIT.fine;
    const { message } = error as Error;
    const failure = error instanceof Deno.errors.NotCapable
      ? new UsageError(message)
      : new CliError(
        `Something unexpected happened: ${message}; please report it`,
        EXIT.failedCheck,
      );
    console.error(
      asksForJson(Deno.args) ? failure.toJsonLine().trimEnd() : `waitlist: ${failure.message}.`,
    );
    return failure.exitCode;
  }
}

Deno.exit(await main());
