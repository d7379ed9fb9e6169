/**
 * The CLI in the process of the test: `runProgram()` with a context that the test makes. Files and the network are
 * real; a wait moves the clock on at once. @module
 */
import assert from "node:assert/strict";
import { type Dns, VARIABLES, type Variables } from "../../../cli/context.ts";
import { LOCAL_FILES } from "../../../cli/files.ts";
import { runProgram, type UnescapedContext } from "../../../cli/program.ts";
import { createSecrets } from "../../../cli/secrets.ts";

/** What a run leaves behind. */
export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** What a run can be given. */
export interface RunOptions {
  /** Environment variables; none by default. */
  env?: Record<string, string>;
  /** Standard input; empty by default. */
  stdin?: string | Uint8Array<ArrayBuffer>;
  /** Answers questions, as a person at a terminal does; without it there is no terminal. */
  confirm?: (question: string) => boolean;
  /** In place of the runtime's own, such as one that trusts another certificate. */
  fetch?: typeof fetch;
  /** Whether the runtime uses the proxies of `env`, as Deno does; `true` by default. */
  usesProxies?: boolean;
  /** What DNS says; without it, DNS does not answer. */
  dns?: Dns;
  /** Stands for Ctrl+C, beside `interrupt`. */
  interruption?: AbortController;
  /** Is told what is written to standard error; `interrupt` stands for Ctrl+C. */
  onError?: (text: string, interrupt: () => void) => void;
}

/** Runs the CLI to its end. */
export async function runCli(args: string[], options: RunOptions = {}): Promise<Finished> {
  const { env = {}, stdin = "", confirm, onError, interruption = new AbortController() } = options;
  const isTerminal = confirm !== undefined;
  const secrets = createSecrets();
  let skipped = 0;
  const written = { stdout: "", stderr: "" };
  const outputTo = (name: keyof typeof written) =>
    secrets.keepOutOf({
      isTerminal: isTerminal && name === "stderr",
      isFile: false,
      columns: () => 80,
      write(text: string) {
        written[name] += text;
        if (name === "stderr") onError?.(text, () => interruption.abort());
      },
    });
  const withoutDns = () => Promise.reject(new Error("there is no network in this test"));
  const unasked = () => Promise.reject(new Error("There is no terminal to ask on"));
  const context: UnescapedContext = {
    stdout: outputTo("stdout"),
    stderr: outputTo("stderr"),
    stdin: {
      isTerminal,
      readText: () => Promise.resolve(new TextDecoder().decode(bytesOf(stdin))),
      async *read() {
        yield bytesOf(stdin);
      },
    },
    variables: variablesOf(env),
    clock: {
      now: () => Date.now() + skipped,
      wait(milliseconds) {
        skipped += milliseconds;
        return Promise.resolve();
      },
    },
    fetch: options.fetch ?? fetch,
    usesProxies: options.usesProxies ?? true,
    dns: options.dns ?? { txt: withoutDns, mx: withoutDns },
    prompt: {
      secret: unasked,
      confirm: confirm ? (question) => Promise.resolve(confirm(question)) : unasked,
    },
    files: LOCAL_FILES,
    catchInterrupt: () => interruption.signal,
    hide: secrets.hide,
  };
  const code = await runProgram(args, context);
  return { code, ...written };
}

/** Gives what a run prints that must end well, and write nothing to standard error. */
export async function printed(running: Promise<Finished>): Promise<string> {
  const { code, stdout, stderr } = await running;
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

const bytesOf = (input: string | Uint8Array<ArrayBuffer>) =>
  typeof input === "string" ? new TextEncoder().encode(input) : input;

function variablesOf(env: Record<string, string>): Variables {
  const variables: Variables = {};
  for (const name of VARIABLES) {
    const value = env[name];
    if (value !== undefined) variables[name] = value;
  }
  return variables;
}

/**
 * Asserts that each command line ends with its code, 2 by default, and a line that matches, and prints nothing else: no
 * secret of the command line, either.
 */
export async function assertRefused(
  run: (args: string[]) => Promise<Finished>,
  commandLines: [args: string[], line: RegExp, code?: number][],
): Promise<void> {
  for (const [args, line, expected = 2] of commandLines) {
    const { code, stdout, stderr } = await run(args);
    assert.match(stderr, line);
    assert.match(stderr, args.includes("--json") ? /^{[^\n]+\."}\n$/ : /^waitlist: [^\n]+\.\n$/);
    assert.doesNotMatch(stderr, /s3cret-value/);
    assert.deepEqual([code, stdout], [expected, ""], args.join(" "));
  }
}
