/**
 * Starts the program: it makes the real context, runs the command and ends the process. No other module reads arguments
 * or environment variables, or ends the process.
 *
 * @module
 */
import { resolveMx, resolveTxt } from "node:dns/promises";
import { fstatSync, writeSync } from "node:fs";
import process from "node:process";
import { text } from "node:stream/consumers";
import { isatty } from "node:tty";
import { quotable } from "../shared/api_failure.ts";
import { SYSTEM_CLOCK } from "../shared/clock.ts";
import { type Dns, type Output, type Prompt, VARIABLES, type Variables } from "./context.ts";
import { CliError, EXIT, type ExitCode, UsageError } from "./errors.ts";
import { escapeLine } from "./escaped_output.ts";
import { lacksPermission } from "./file_errors.ts";
import { LOCAL_FILES } from "./files.ts";
import { asksForJson, runProgram, type UnescapedContext } from "./program.ts";
import { createSecrets } from "./secrets.ts";

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

/** The width of an output whose width is not known, in characters. */
const DEFAULT_COLUMNS = 80;

/** Makes the context of commands on this computer. */
function createContext(): UnescapedContext {
  const secrets = createSecrets();
  const variables: Variables = {};
  for (const name of VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) variables[name] = value;
  }
  return {
    stdout: secrets.keepOutOf({ ...outputTo(STDOUT), isFile: isFile(STDOUT) }),
    stderr: secrets.keepOutOf(ignoreClosedPipe(outputTo(STDERR))),
    stdin: {
      isTerminal: isatty(STDIN),
      readText: () => text(process.stdin),
      read: () => process.stdin,
    },
    variables,
    clock: SYSTEM_CLOCK,
    fetch,
    usesProxies: usesProxies(),
    dns: DNS,
    prompt: PROMPT,
    files: LOCAL_FILES,
    catchInterrupt() {
      const controller = new AbortController();
      process.on("SIGINT", () => controller.abort());
      return controller.signal;
    },
    hide: secrets.hide,
  };
}

/**
 * Whether `fetch` uses the proxies that the environment variables name. Deno and Bun always use these proxies.
 * Node uses them only with `NODE_USE_ENV_PROXY=1`.
 */
function usesProxies(): boolean {
  const onNode = !("deno" in process.versions || "bun" in process.versions);
  return !onNode || process.env.NODE_USE_ENV_PROXY === "1";
}

/**
 * Asks on standard error, because standard output may go to another program. The library is loaded only for a question.
 */
const PROMPT: Prompt = {
  async secret(question) {
    const { isCancel, password } = await import("@clack/prompts");
    const answer = await password({ message: question, mask: "", output: process.stderr });
    return isCancel(answer) ? undefined : answer ?? "";
  },
  async confirm(question) {
    const { confirm, isCancel } = await import("@clack/prompts");
    const options = { message: question, initialValue: false, output: process.stderr };
    const answer = await confirm(options);
    return isCancel(answer) ? undefined : answer;
  },
};

/** Queries the DNS resolver of this computer. */
const DNS: Dns = {
  async txt(name) {
    // DNS stores a long text in several pieces.
    return (await recordsOrNone(resolveTxt(name))).map((pieces) => pieces.join(""));
  },
  async mx(name) {
    const records = await recordsOrNone(resolveMx(name));
    return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
  },
};

/** Waits for DNS records. Returns an empty list if the name has no records of the asked type. */
async function recordsOrNone<T>(records: Promise<T[]>): Promise<T[]> {
  try {
    return await records;
  } catch (error) {
    if (["ENOTFOUND", "ENODATA"].includes((error as { code?: string }).code ?? "")) return [];
    throw error;
  }
}

/** Whether a file descriptor belongs to a file; false if the descriptor is closed. */
function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** Makes the output that writes to a file descriptor at once. */
function outputTo(descriptor: typeof STDOUT | typeof STDERR): Output {
  const isTerminal = isatty(descriptor);
  const stream = () => descriptor === STDOUT ? process.stdout : process.stderr;
  return {
    isTerminal,
    // Some terminals report an unknown width as 0.
    columns: () => (isTerminal && stream().columns) || DEFAULT_COLUMNS,
    write(text) {
      let unwritten = new TextEncoder().encode(text);
      while (unwritten.length > 0) {
        unwritten = unwritten.subarray(writeSync(descriptor, unwritten));
      }
    },
  };
}

/** Wraps an output so that it ignores a closed pipe. The exit code of the command stays the same. */
function ignoreClosedPipe(output: Output): Output {
  return {
    ...output,
    write(text) {
      try {
        output.write(text);
      } catch (error) {
        if (!isBrokenPipe(error)) throw error;
      }
    },
  };
}

const isBrokenPipe = (error: unknown) => (error as NodeJS.ErrnoException).code === "EPIPE";

/** Runs the command on the command line, and prints an error that nobody has expected. */
async function main(): Promise<ExitCode> {
  const args = process.argv.slice(2);
  try {
    return await runProgram(args, createContext());
  } catch (error) {
    // It is no error that the reader, such as `head -1`, has read enough and closed the pipe.
    if (isBrokenPipe(error)) return EXIT.fine;
    const { message } = error as Error;
    const failure = lacksPermission(error)
      ? new UsageError(
        `Deno has stopped this program with the message '${
          quotable(message)
        }'; install this program again with the flag that ` +
          "Deno's message names",
      )
      : new CliError(
        `This program has a fault, which led to the error '${message}'; please report this error to the makers of ` +
          "the program",
        EXIT.failedCheck,
      );
    console.error(
      asksForJson(args)
        ? failure.toJsonLine().trimEnd()
        : `waitlist: ${escapeLine(failure.message)}.`,
    );
    return failure.exitCode;
  }
}

process.exit(await main());
