/**
 * Programs as processes: to their end or while they run, and the service as `deno task start` runs it, with the command
 * lines and permissions of deno.json. @module
 */
import process from "node:process";
import { join } from "node:path";
import assert from "node:assert/strict";
import { ALL_VARIABLE_NAMES, PROJECT } from "../../server/config/mod.ts";
import { PROCESS_VARIABLES, serviceCommand, V8_FLAGS } from "../../server/start.ts";
import { accept } from "./config.ts";
export { PROJECT } from "../../server/config/mod.ts";

/** Environment variables of a process; those of the service that are not named are absent. */
export type TestVariables = Partial<
  Record<typeof ALL_VARIABLE_NAMES[number] | `OTEL_${string}`, string>
>;

/** What a process left behind. */
export interface ProcessEnd {
  code: number;
  stdout: string;
  stderr: string;
}

type ProcessOptions = Omit<Deno.CommandOptions, "args">;

/** Starts a program without input, unless told otherwise, and collects what it writes; disposing of it kills it. */
export function startProcess([program = "", ...args]: string[], options: ProcessOptions = {}) {
  const pipes = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(program, { args, ...pipes, ...options }).spawn();
  const [stdout, stderr] = [new Output(child.stdout), new Output(child.stderr)];
  /** Waits for the end, which a signal may bring about. */
  async function end(signal?: Deno.Signal): Promise<ProcessEnd> {
    try {
      if (signal) child.kill(signal);
    } catch {
      // It has ended already.
    }
    const [{ code }] = await Promise.all([child.status, stdout.finished, stderr.finished]);
    return { code, stdout: stdout.text, stderr: stderr.text };
  }
  const dispose = async () => void await end("SIGKILL");
  return { child, stdout, stderr, end, [Symbol.asyncDispose]: dispose };
}

/** Runs a program to its end. */
export const run = (command: string[], options?: ProcessOptions): Promise<ProcessEnd> =>
  startProcess(command, options).end();

/** Runs a program to its end, which must be a success; gives what it has printed. */
export async function outputOf(command: string[], options?: ProcessOptions): Promise<string> {
  const { code, stdout, stderr } = await run(command, options);
  assert.equal(code, 0, `${command.join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Runs a task to its end. */
export const runTask = (args: string[], variables: TestVariables = {}): Promise<ProcessEnd> =>
  run([Deno.execPath(), "task", "--quiet", ...args], { cwd: PROJECT, env: environment(variables) });

/** Runs another program as the start task runs the service. @param program its path in the project, and arguments */
export async function runInPlaceOfService(
  variables: Record<string, string>,
  [path = "", ...args]: string[],
): Promise<ProcessEnd> {
  const options = await serviceCommand(accept(variables), [join(PROJECT, path), ...args]);
  const env = { ...options.env, ...variables, NO_COLOR: "1" };
  return await run([Deno.execPath(), ...options.args!], { cwd: options.cwd!, env });
}

/** The variables of a service's process: an empty one counts as absent, whatever the test's own environment holds. */
export function environment(variables: TestVariables): Record<string, string> {
  const absent = Object.fromEntries(ALL_VARIABLE_NAMES.map((name) => [name, ""]));
  return { ...absent, ...variables, NO_COLOR: "1" };
}

/**
 * A folder for a test's KV file and others; disposing of it removes it.
 * @param prefix has no comma where Deno is to be allowed a path in it
 */
export async function makeTestFolder(
  prefix = "waitlist test, ",
): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** The line of the log that says where the service listens. */
export const STARTED = /^{.*"event":"started".*}$/m;

/** Makes the function that sends requests to a path such as `/api/v1/status` of a service, and follows no redirect. */
export const requestTo = (baseUrl: string) => (path: string, init?: RequestInit) =>
  fetch(baseUrl + path, { redirect: "manual", ...init });

/** The program of Node 26; `.ci/test_on_node` gives one. */
const NODE = process.env.NODE ?? "node";

/** The commands that run a program as `deno task start`, but for its permissions, and `npm start` run the service. */
export const RUN = {
  deno: () => [Deno.execPath(), "run", "-A", "--quiet", V8_FLAGS],
  node: () => [NODE, ...V8_FLAGS.replace("--v8-flags=", "").split(",")],
};

/** The variables that the start task of each runtime sets. */
export const RUN_VARIABLES = {
  deno: PROCESS_VARIABLES,
  node: {},
};

/** What a process of the service runs on. */
export type RuntimeName = keyof typeof RUN;

/** What it runs on where a test names nothing; `.ci/test_on_node` runs tests of processes on Node, too. */
export const RUNTIME: RuntimeName = process.env.SERVICE_RUNTIME === "node" ? "node" : "deno";

/** A running service; disposing of it stops it and waits for its end. */
export type ServiceProcess = Awaited<ReturnType<typeof startService>>;

/**
 * Starts the service, on any free port and in a folder of its own unless told otherwise, and waits until it logs that
 * it listens, which takes a `LOG_LEVEL` of `info` or `debug`.
 * @param limits how many files and connections it may have open at once
 */
export async function startService(
  variables: TestVariables = {},
  { openFiles }: { openFiles?: number } = {},
) {
  const folder = variables.KV_PATH ? undefined : await makeTestFolder();
  const KV_PATH = variables.KV_PATH ?? join(folder!.path, "kv.sqlite3");
  const command = RUNTIME === "node"
    ? [...RUN.node(), "server/main.ts"]
    : [Deno.execPath(), "task", "--quiet", "start"];
  if (openFiles) command.unshift("sh", "-c", 'ulimit -n "$0" && exec "$@"', String(openFiles));
  const env = environment({ PORT: "0", ...variables, KV_PATH });
  const { child, stderr, end } = startProcess(command, { cwd: PROJECT, env });
  const started = await stderr.find(STARTED);
  if (!started) throw new Error(`The service did not start: ${JSON.stringify(await end())}`);
  const { baseUrl, hostname, port, store }: Record<"baseUrl" | "hostname" | "store", string> & {
    port: number;
  } = JSON.parse(started);
  return {
    /** The first line of the log. */
    started: { baseUrl, hostname, port, store },
    /** Sends a request to the address of `started`. */
    request: requestTo(`http://${hostname}:${port}`),
    /** Opens a connection to the same address, for bytes that `fetch` would not send. */
    connect: () => Deno.connect({ hostname, port }),
    /** Sends a signal to `deno task`, as a supervisor would. */
    signal: (signal: Deno.Signal) => child.kill(signal),
    /** Waits until the log has what matches; `undefined` where it ends without that. */
    logged: (pattern: RegExp) => stderr.find(pattern),
    end,
    async [Symbol.asyncDispose]() {
      await end("SIGTERM");
      await folder?.[Symbol.asyncDispose]();
    },
  };
}

/** Collects what a process writes. */
class Output {
  text = "";
  /** Resolves once the process has closed the stream. */
  readonly finished: Promise<void>;
  #chunk = Promise.withResolvers<boolean>();

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.finished = this.#collect(stream);
  }

  /** The first match in the text, `undefined` where the stream ends without one. */
  async find(pattern: RegExp): Promise<string | undefined> {
    for (;;) {
      const match = pattern.exec(this.text);
      if (match) return match[0];
      if (!await this.#chunk.promise) return pattern.exec(this.text)?.[0];
    }
  }

  async #collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      this.text += chunk;
      this.#chunk.resolve(true);
      this.#chunk = Promise.withResolvers();
    }
    this.#chunk.resolve(false);
  }
}
