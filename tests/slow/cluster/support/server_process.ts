import { join } from "node:path";
import { Output, PROJECT, type TestVariables } from "../../../support/process.ts";
import { freePort } from "../../../support/free_port.ts";

/**
 * One server process of a cluster, on a port that it keeps when it is started again. It is run without
 * `deno task` in between, so that a SIGKILL reaches it.
 */
export class ServerProcess implements AsyncDisposable {
  readonly #variables: TestVariables;
  readonly #port = freePort();
  #child: Deno.ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  private constructor(variables: TestVariables) {
    this.#variables = variables;
  }

  /** Starts a process and waits until it listens. */
  static async start(variables: TestVariables): Promise<ServerProcess> {
    const server = new ServerProcess(variables);
    await server.start();
    return server;
  }

  /** Starts it, for the first time or again, and waits until it listens. */
  async start(): Promise<void> {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", join(PROJECT, "server/main.ts")],
      env: { ...this.#variables, PORT: String(this.#port), NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const stderr = new Output(child.stderr);
    this.#child = child;
    this.#ended = Promise.all([child.status, stderr.finished]);
    if (await stderr.find(/"event":"started"/)) return;
    throw new Error(`A server process did not start: ${stderr.text}`);
  }

  /** Where it listens, such as `127.0.0.1:8001`. */
  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Sends a request to a path such as `/api/v1/status`; throws where no answer comes. */
  request(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://${this.address}${path}`, { redirect: "manual", ...init });
  }

  /** Ends it without a warning. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#ended;
  }

  /** Ends it as a supervisor does; it can be started again. */
  async stop(): Promise<void> {
    try {
      this.#child?.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
    await this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
