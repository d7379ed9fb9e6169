/**
 * The service as its operators run it: a process of its own on a temporary KV file, started by its
 * task, with two production clients.
 *
 * @module
 */
import { STATS_SCOPE } from "../../../server/oauth/clients.ts";

const PROJECT = new URL("../../../", import.meta.url);

/** What a client authenticates with, as the environment of the CLI. */
export interface ClientVariables extends Record<string, string> {
  WAITLIST_CLIENT_ID: string;
  WAITLIST_CLIENT_SECRET: string;
}

/** A running service. */
export interface ServiceProcess {
  url: string;
  /** A production client that may read the statistics. */
  client: ClientVariables;
  /** A production client without any scope. */
  unscopedClient: ClientVariables;
  stop: () => Promise<void>;
}

/** One service for the tests of a file, started before the first and stopped after the last. */
export function useService(): ServiceProcess {
  const service = {} as ServiceProcess;
  Deno.test.beforeAll(async () => {
    Object.assign(service, await startService());
  });
  Deno.test.afterAll(() => service.stop());
  return service;
}

/** Starts a service that believes one proxy, so that each test can come from an address of its own. */
export async function startService(): Promise<ServiceProcess> {
  const folder = await Deno.makeTempDir({ prefix: "waitlist-cli-test-" });
  const env = {
    KV_PATH: `${folder}/kv.sqlite3`,
    PORT: "0",
    TRUSTED_PROXY_HOPS: "1",
  };
  const client = await createClient(env, ["--scope", STATS_SCOPE]);
  const unscopedClient = await createClient(env, []);
  const process = task("start", [], env).spawn();
  const url = await addressOf(process);
  return {
    url,
    client,
    unscopedClient,
    async stop() {
      process.kill("SIGTERM");
      await process.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function createClient(
  env: Record<string, string>,
  args: string[],
): Promise<ClientVariables> {
  const { stdout, stderr, code } = await task("client:create", ["--name", "CLI", ...args], env)
    .output();
  const text = new TextDecoder().decode(stdout);
  if (code !== 0) throw new Error(`client:create failed: ${new TextDecoder().decode(stderr)}`);
  const value = (name: string) => new RegExp(`^${name}\\s+(\\S+)$`, "m").exec(text)![1]!;
  return {
    WAITLIST_CLIENT_ID: value("client_id"),
    WAITLIST_CLIENT_SECRET: value("client_secret"),
  };
}

function task(name: string, args: string[], env: Record<string, string>): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", name, ...args],
    cwd: PROJECT,
    env,
    stdout: "piped",
    stderr: "piped",
  });
}

/** Waits for the greeting, then lets the rest of the output run off. */
async function addressOf(process: Deno.ChildProcess): Promise<string> {
  process.stderr.pipeTo(new WritableStream()).catch(() => {});
  const reader = process.stdout.pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  for (let text = "";;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The service ended before it was up: ${text}`);
    text += value;
    const [, url] = /runs at (\S+)/.exec(text) ?? [];
    if (!url) continue;
    (async () => {
      while (!(await reader.read()).done);
    })().catch(() => {});
    return url;
  }
}
