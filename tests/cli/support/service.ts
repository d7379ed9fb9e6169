/**
 * The service for tests of the CLI: a process of its own on a temporary KV file, with two production
 * clients.
 *
 * @module
 */
import { join } from "node:path";
import { STATS_SCOPE } from "../../../server/oauth/clients.ts";
import type { NewClient } from "../../../shared/operator_schemas.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { makeTestFolder, type ServiceProcess, startService } from "../../support/process.ts";
import { issueClient } from "../../support/process_requests.ts";

/** What a client authenticates with, as the environment of the CLI. */
export interface ClientVariables extends Record<string, string> {
  WAITLIST_CLIENT_ID: string;
  WAITLIST_CLIENT_SECRET: string;
}

/** What the operator authenticates with, as the environment of the CLI. */
export const OPERATOR = { WAITLIST_OPERATOR_KEY: OPERATOR_KEY };

/** A running service. */
export interface CliService {
  url: string;
  process: ServiceProcess;
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
    const process = resources.use(
      await startService({
        KV_PATH: join(folder.path, "kv.sqlite3"),
        TRUSTED_PROXY_HOPS: "1",
        OPERATOR_KEY,
      }),
    );
    const { hostname, port } = process.started;
    const url = `http://${hostname}:${port}`;
    const client = await createClient(process, [STATS_SCOPE]);
    const unscopedClient = await createClient(process, []);
    Object.assign(service, { url, process, client, unscopedClient });
  });
  Deno.test.afterAll(() => resources.disposeAsync());
  return service;
}

async function createClient(
  process: ServiceProcess,
  scopes: NewClient["scopes"],
): Promise<ClientVariables> {
  const { clientId, clientSecret } = await issueClient(process, scopes);
  return { WAITLIST_CLIENT_ID: clientId, WAITLIST_CLIENT_SECRET: clientSecret };
}
