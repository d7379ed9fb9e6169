/** The service for tests of the CLI: in a thread of the same process, behind a real socket. @module */
import { type Finished, runCli, type RunOptions } from "./cli.ts";
import type { ThreadInput, ThreadOutput } from "./service_thread.ts";

/** What a client authenticates with, as the environment of the CLI. */
interface ClientVariables extends Record<string, string> {
  WAITLIST_CLIENT_ID: string;
  WAITLIST_CLIENT_SECRET: string;
}

/** The operator key of these tests. This module loads nothing of the server, so that tests start fast. */
export const OPERATOR_KEY = "the-operator-key-of-the-tests-of-the-CLI";

/** What the operator authenticates with, as the environment of the CLI. */
export const OPERATOR = { WAITLIST_OPERATOR_KEY: OPERATOR_KEY };

/** A running service. */
interface CliService {
  url: string;
  /** A production client that may read the statistics. */
  client: ClientVariables;
  /** A production client without any scope. */
  unscopedClient: ClientVariables;
}

/**
 * Starts a service on a KV file, or on a KV in memory, which a test may stop before its end; by default its operator
 * surface is on.
 */
export async function startCliService(
  kvPath?: string,
  variables: Record<string, string> = { OPERATOR_KEY },
): Promise<AsyncDisposable & { url: string; stop: () => Promise<void> }> {
  const number = ++started;
  // It believes one proxy, so that each test can come from an address of its own.
  const all = { TRUSTED_PROXY_HOPS: "1", ...variables };
  const { url = "" } = await askThread({ number, variables: all, kvPath });
  let stopped: Promise<unknown> | undefined;
  const stop = async () => {
    await (stopped ??= askThread({ number, stop: true }));
  };
  return { url, stop, [Symbol.asyncDispose]: stop };
}

let started = 0;

const thread = new Worker(new URL("./service_thread.ts", import.meta.url), { type: "module" });

/** Asks the thread about one service, and waits for its answer. */
function askThread(input: ThreadInput): Promise<ThreadOutput> {
  return new Promise((resolve, reject) => {
    const end = new AbortController();
    const { signal } = end;
    thread.addEventListener("message", ({ data }: MessageEvent<ThreadOutput>) => {
      if (data.number !== input.number) return;
      end.abort();
      resolve(data);
    }, { signal });
    thread.addEventListener("error", ({ message }) => reject(new Error(message)), { signal });
    thread.postMessage(input);
  });
}

/** One service for the tests of a file, started before the first and stopped after the last. */
export function useService(): CliService {
  const service = {} as CliService;
  const resources = new AsyncDisposableStack();
  Deno.test.beforeAll(async () => {
    const { url } = resources.use(await startCliService());
    const client = await createClient(url, ["--scope", "waitlist:stats:read"]);
    const unscopedClient = await createClient(url);
    Object.assign(service, { url, client, unscopedClient });
  });
  Deno.test.afterAll(() => resources.disposeAsync());
  return service;
}

/** Runs a command with the operator key. */
export function runOperator(
  url: string,
  args: string[],
  options: Omit<RunOptions, "env"> = {},
): Promise<Finished> {
  return runCli(args, { ...options, env: { ...OPERATOR, WAITLIST_BASE_URL: url } });
}

async function createClient(url: string, flags: string[] = []): Promise<ClientVariables> {
  const args = ["clients", "create", "--name", "Test", "--quiet", ...flags];
  const { stdout } = await runOperator(url, args);
  const [WAITLIST_CLIENT_ID = "", WAITLIST_CLIENT_SECRET = ""] = stdout.split("\n");
  return { WAITLIST_CLIENT_ID, WAITLIST_CLIENT_SECRET };
}
