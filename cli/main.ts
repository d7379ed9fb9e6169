/**
 * The program's edge: the only place that reads arguments and environment and ends the process.
 *
 * @module
 */
import { fstatSync } from "node:fs";
import { SYSTEM_CLOCK } from "../shared/system_clock.ts";
import { CliError, UsageError } from "./cli_error.ts";
import {
  type Context,
  type Output,
  VARIABLES,
  type Variables,
  type WritableFile,
} from "./context.ts";
import { EXIT, type ExitCode } from "./exit_codes.ts";
import { asksForJson, runProgram } from "./program.ts";
import { createSecrets } from "./secrets.ts";

/** The mode of files that hold addresses, digests of secrets or the key of marks: their owner's alone. */
const PRIVATE = 0o600;

/** What the commands get from the computer that they run on. */
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
    prompt: {
      secret: async (question) => (await import("./prompt.ts")).terminalPrompt.secret(question),
      confirm: async (question) => (await import("./prompt.ts")).terminalPrompt.confirm(question),
    },
    files: {
      readText: Deno.readTextFile,
      writeText: Deno.writeTextFile,
      writePrivate: (path, text) => Deno.writeTextFile(path, text, { mode: PRIVATE }),
      read: readFrom,
      size: async (path) => (await Deno.stat(path)).size,
      openAt,
      rename: Deno.rename,
      remove,
    },
    interrupted() {
      const controller = new AbortController();
      Deno.addSignalListener("SIGINT", () => controller.abort());
      return controller.signal;
    },
    hide: secrets.hide,
  };
}

async function* readFrom(path: string, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await Deno.open(path);
  await file.seek(from, Deno.SeekMode.Start);
  yield* file.readable;
}

async function openAt(path: string, length: number): Promise<WritableFile> {
  const file = await Deno.open(path, { write: true, create: true, mode: PRIVATE });
  await file.truncate(length);
  await file.seek(length, Deno.SeekMode.Start);
  return {
    async write(bytes) {
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await file.write(rest));
    },
    sync: () => file.sync(),
    [Symbol.dispose]: () => file.close(),
  };
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The file descriptor of standard output. */
const STDOUT = 1;

/** Whether a file descriptor is that of a file; it may be closed. */
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
    // A terminal may not know its size.
    columns: () => (isTerminal && Deno.consoleSize().columns) || 80,
    write(text) {
      let rest = new TextEncoder().encode(text);
      while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
    },
  };
}

/** The output until its reader closes it; what follows is lost, and the exit code stays what it is. */
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
    // `waitlist stats | head -1`: the reader has what it wanted.
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
