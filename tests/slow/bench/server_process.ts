import type { KvLocation } from "../../../server/config/mod.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { freePort } from "../../support/free_port.ts";
import { V8_FLAGS } from "../../../server/start.ts";

/** A server under measurement. */
export interface RunningServer extends AsyncDisposable {
  /** Where it listens; the load is divided among them. */
  ports: number[];
  /** All its processes. */
  pids: number[];
}

/** A server under measurement, in a process of its own. */
export class ServerProcess implements RunningServer {
  private readonly _child: Deno.ChildProcess;
  readonly port: number;

  private constructor(child: Deno.ChildProcess, port: number) {
    this._child = child;
    this.port = port;
  }

  /** Starts a Deno program of this folder; see {@linkcode ServerProcess.spawn}. */
  static start(
    program: string,
    options: { args?: string[]; env?: Record<string, string> } = {},
  ): Promise<ServerProcess> {
    const { args = [], env = {} } = options;
    const path = new URL(program, import.meta.url).pathname;
    return ServerProcess.spawn(Deno.execPath(), {
      args: ["run", "-A", V8_FLAGS, path, ...args],
      env,
    });
  }

  /** Starts a program of this folder on Node, beside which {@linkcode installForNode} has put it. */
  static startOnNode(folder: string, program: string): Promise<ServerProcess> {
    const node = `${folder}/node_modules/.bin/node`;
    return ServerProcess.spawn(node, { args: [`${folder}/${program}`], env: {} });
  }

  /**
   * Starts a server and waits until it prints the port that it listens on, in a line that has
   * `http://localhost:` or `listening` before it.
   */
  private static async spawn(
    command: string,
    options: { args: string[]; env: Record<string, string> },
  ): Promise<ServerProcess> {
    const child = new Deno.Command(command, { ...options, stdout: "piped", stderr: "null" })
      .spawn();
    let output = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += text;
      const port = /(?:http:\/\/localhost:|listening )(\d+)\s/.exec(output)?.[1];
      if (port) return new ServerProcess(child, Number(port));
    }
    throw new Error(`${command} ${options.args.join(" ")} did not start: ${output}`);
  }

  /**
   * Starts the service itself on a KV file, with one trusted proxy and the default log level. Its base
   * URL is always the same, so that an access token of one start is valid in the next.
   */
  static async startService(
    kvPath: string,
    env: Record<string, string> = {},
  ): Promise<ServerProcess> {
    await forgetLimits({ kind: "file", path: kvPath });
    return await ServerProcess.startServiceOn({ KV_PATH: kvPath, ...env });
  }

  /** Starts the service on the KV that the variables name; see {@linkcode ServerProcess.startService}. */
  static async startServiceOn(env: Record<string, string>): Promise<ServerProcess> {
    const port = freePort();
    const { _child } = await ServerProcess.start("../../../server/main.ts", {
      env: {
        BASE_URL: "http://localhost:8000",
        PORT: String(port),
        TRUSTED_PROXY_HOPS: "1",
        ...env,
      },
    });
    return new ServerProcess(_child, port);
  }

  get pid(): number {
    return this._child.pid;
  }

  get pids(): number[] {
    return [this.pid];
  }

  get ports(): number[] {
    return [this.port];
  }

  /** Resident memory, in megabytes (Linux). */
  async residentMegabytes(): Promise<number> {
    const status = await Deno.readTextFile(`/proc/${this._child.pid}/status`);
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this._child.kill("SIGTERM");
    await this._child.status;
    await this._child.stdout.cancel();
  }
}

/** Forgets the counts of an earlier start in the same minute, so that each measurement starts alike. */
export async function forgetLimits(location: KvLocation): Promise<void> {
  using store = await openKv(location);
  const { kv } = store;
  for await (const { key } of kv.list({ prefix: ["limit_counts"] })) await kv.delete(key);
}

/** Installs packages, Node among them, from npm into a folder, and copies a program of this one there. */
export async function installForNode(
  folder: string,
  program: string,
  packages: string[],
): Promise<void> {
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/package.json`, '{"type":"module"}');
  const { code, stderr } = await new Deno.Command("npm", {
    args: ["install", "--no-audit", "--no-fund", ...packages],
    cwd: folder,
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  const name = program.slice(program.lastIndexOf("/") + 1);
  await Deno.copyFile(new URL(program, import.meta.url), `${folder}/${name}`);
}
