/**
 * The service for tests of the CLI: a process of its own on a temporary KV file, with two production
 * clients.
 *
 * @module
 */
import { join } from "node:path";
import { STATS_SCOPE } from "../../../server/oauth/clients.ts";
import {
  makeTestFolder,
  runTask,
  startService,
  type TestVariables,
} from "../../support/process.ts";

/** What a client authenticates with, as the environment of the CLI. */
export interface ClientVariables extends Record<string, string> {
  WAITLIST_CLIENT_ID: string;
  WAITLIST_CLIENT_SECRET: string;
}

/** A running service. */
export interface CliService {
  url: string;
  /** A production client that may read the statistics. */
  client: ClientVariables;
  /** A production client without any scope. */
  unscopedClient: ClientVariables;
}

/** One service for the tests of a file, started before the first and stopped after the last. */
export function useService(): CliService {
  const service = {} as CliService;
  const resources = new AsyncDisposableStack();
  Deno.test.beforeAll(async () => {
    const folder = resources.use(await makeTestFolder());
    // It believes one proxy, so that each test can come from an address of its own.
    const variables = { KV_PATH: join(folder.path, "kv.sqlite3"), TRUSTED_PROXY_HOPS: "1" };
    const client = await createClient(variables, ["--scope", STATS_SCOPE]);
    const unscopedClient = await createClient(variables, []);
    const { started } = resources.use(await startService(variables));
    const url = `http://${started.hostname}:${started.port}`;
    Object.assign(service, { url, client, unscopedClient });
  });
  Deno.test.afterAll(() => resources.disposeAsync());
  return service;
}

async function createClient(variables: TestVariables, flags: string[]): Promise<ClientVariables> {
  const { code, stdout, stderr } = await runTask(
    ["client:create", "--name", "CLI", ...flags],
    variables,
  );
  if (code !== 0) throw new Error(`client:create failed: ${stderr}`);
  const value = (name: string) => new RegExp(`^${name}\\s+(\\S+)$`, "m").exec(stdout)![1]!;
  return {
    WAITLIST_CLIENT_ID: value("client_id"),
    WAITLIST_CLIENT_SECRET: value("client_secret"),
  };
}
