/**
 * The real process: `deno task` with the command lines and permissions of deno.json, and HTTP to what
 * it starts.
 *
 * @module
 */
import { join } from "node:path";
import assert from "node:assert/strict";
import { readConfig, VARIABLE_NAMES } from "../../server/config/mod.ts";
import { serviceCommand } from "../../server/start.ts";

/** The project's folder. */
export const PROJECT = join(import.meta.dirname ?? "", "../..");

/** Environment variables of a process; those of the service that are not named are absent. */
export type TestVariables = Partial<
  Record<typeof VARIABLE_NAMES[number] | `OTEL_${string}`, string>
>;

/** What the operating system allows a process. */
export interface ProcessLimits {
  /** Files and connections that are open at once. */
  openFiles?: number;
}

/** What a process left behind. */
export interface ProcessEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** A running service; disposing of it stops it and waits for its end. */
export interface ServiceProcess extends AsyncDisposable {
  /** The first line of the log. */
  started: { baseUrl: string; hostname: string; port: number; store: string };
  /** Sends a request to a path such as `/api/v1/status`, at the address of {@linkcode started}. */
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Opens a connection to the same address, for bytes that `fetch` would not send. */
  connect: () => Promise<Deno.TcpConn>;
  /** Sends a signal to `deno task`, as a supervisor would. */
  signal: (signal: Deno.Signal) => void;
  /** Waits until the log has what matches; `undefined` where it ends without that. */
  logged: (pattern: RegExp) => Promise<string | undefined>;
  /** Waits for the end. */
  end: () => Promise<ProcessEnd>;
}

/** A folder for a test's KV file; disposing of it removes it. */
export async function makeTestFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix: "waitlist test, " });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Runs a task to its end. */
export async function runTask(args: string[], variables: TestVariables = {}): Promise<ProcessEnd> {
  const { code, stdout, stderr } = await taskCommand(args, variables).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs another program as the start task runs the service. @param program its path in the project, and arguments */
export async function runInPlaceOfService(
  variables: Record<string, string>,
  [path = "", ...args]: string[],
): Promise<ProcessEnd> {
  const result = readConfig(variables);
  assert.ok("config" in result);
  const options = await serviceCommand(result.config, [join(PROJECT, path), ...args]);
  const env = { ...options.env, ...variables, NO_COLOR: "1" };
  const command = new Deno.Command(Deno.execPath(), { ...options, env, stdin: "null" });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/**
 * Starts the service, on any free port and in a folder of its own unless told otherwise, and waits until it logs that
 * it listens, which takes a `LOG_LEVEL` of `info` or `debug`.
 */
export async function startService(
  variables: TestVariables = {},
  limits: ProcessLimits = {},
): Promise<ServiceProcess> {
  const folder = variables.KV_PATH ? undefined : await makeTestFolder();
  const KV_PATH = variables.KV_PATH ?? join(folder!.path, "kv.sqlite3");
  const child = taskCommand(["start"], { PORT: "0", ...variables, KV_PATH }, limits).spawn();
  const stdout = new Output(child.stdout);
  const stderr = new Output(child.stderr);
  async function end(): Promise<ProcessEnd> {
    const [{ code }] = await Promise.all([child.status, stdout.finished, stderr.finished]);
    return { code, stdout: stdout.text, stderr: stderr.text };
  }
  const started = await stderr.find(/^{.*"event":"started".*}$/m);
  if (!started) throw new Error(`The service did not start: ${JSON.stringify(await end())}`);

  const { baseUrl, hostname, port, store } = JSON.parse(started);
  return {
    started: { baseUrl, hostname, port, store },
    request: (path, init) =>
      fetch(`http://${hostname}:${port}${path}`, { redirect: "manual", ...init }),
    connect: () => Deno.connect({ hostname, port }),
    signal: (signal) => child.kill(signal),
    logged: (pattern) => stderr.find(pattern),
    end,
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGTERM");
      } catch {
        // It has ended already.
      }
      await end();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}

/** An empty variable counts as absent, whatever the test's own environment holds. */
function taskCommand(
  args: string[],
  variables: TestVariables,
  { openFiles }: ProcessLimits = {},
): Deno.Command {
  const absent = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ""]));
  const command = [Deno.execPath(), "task", "--quiet", ...args];
  if (openFiles) command.unshift("sh", "-c", 'ulimit -n "$0" && exec "$@"', String(openFiles));
  const [program = "", ...programArgs] = command;
  return new Deno.Command(program, {
    args: programArgs,
    cwd: PROJECT,
    env: { ...absent, ...variables, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Collects what a process writes. */
export class Output {
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
