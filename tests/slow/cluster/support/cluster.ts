/**
 * Server processes that share a `denokv`, and a client that goes to them in turn as through a proxy.
 *
 * @module
 */
import assert from "node:assert/strict";
import { newClient, STATS_SCOPE } from "../../../../server/oauth/clients.ts";
import { createClient } from "../../../../server/store/credentials/clients.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { Denokv, DENOKV_ACCESS_TOKEN } from "../../../support/denokv.ts";
import type { TestVariables } from "../../../support/process.ts";
import { basic } from "../../../support/service.ts";
import type { Credentials } from "../../../support/tokens.ts";
import { ServerProcess } from "./server_process.ts";

/** How many processes a cluster has. */
const PROCESSES = 4;

/** The public origin of every process. */
export const CLUSTER_BASE_URL = "https://waitlist.example.com";

/** What runs, and the store beneath it. */
export interface Cluster extends AsyncDisposable {
  denokv: Denokv;
  servers: ServerProcess[];
  /** The shared store, seen by a client of its own. */
  kv: Deno.Kv;
}

/**
 * Starts `denokv` and, all together, four server processes on it.
 *
 * @param options.folder that of the KV file to go on with; an empty one unless told otherwise
 * @param options.variables further variables of the processes
 */
export async function startCluster(
  { folder, variables = {} }: { folder?: string; variables?: TestVariables } = {},
): Promise<Cluster> {
  const resources = new AsyncDisposableStack();
  try {
    const denokv = resources.use(await Denokv.start(folder));
    const starting = Array.from({ length: PROCESSES }, () =>
      ServerProcess.start({
        BASE_URL: CLUSTER_BASE_URL,
        KV_URL: denokv.url,
        DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN,
        TRUSTED_PROXY_HOPS: "1",
        ...variables,
      }));
    const results = await Promise.allSettled(starting);
    const servers = results.flatMap((result) =>
      result.status === "fulfilled" ? [resources.use(result.value)] : []
    );
    const failed = results.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    const location = { url: denokv.url, accessToken: DENOKV_ACCESS_TOKEN };
    const { kv } = resources.use(await openKv({ kind: "connect", ...location }));
    const started = resources.move();
    return { denokv, servers, kv, [Symbol.asyncDispose]: () => started.disposeAsync() };
  } finally {
    await resources.disposeAsync();
  }
}

let sources = 0;

/** The header by which the proxy in front names the caller; each time another one. */
export function fromNewSource(): { "X-Forwarded-For": string } {
  sources++;
  const [high, middle, low] = [sources >> 16 & 255, sources >> 8 & 255, sources & 255];
  return { "X-Forwarded-For": `10.${low}.${middle}.${high}` };
}

/** Credentials of a new production client that may read the statistics. */
export async function createClusterClient({ kv }: Cluster): Promise<Credentials> {
  const { client, clientSecret } = newClient({ name: "Test", scopes: [STATS_SCOPE] }, {
    now: Date.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  await createClient(kv, client);
  return { clientId: client.clientId, clientSecret };
}

/** Asks one process for an access token. */
export function askForToken(server: ServerProcess, credentials: Credentials): Promise<Response> {
  return server.request("/api/v1/oauth/token", {
    method: "POST",
    headers: {
      ...fromNewSource(),
      Authorization: basic(credentials.clientId, credentials.clientSecret),
    },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
}

/** Gets an access token from one process. */
export async function requestToken(server: ServerProcess, credentials: Credentials) {
  const response = await askForToken(server, credentials);
  const { access_token, ...rest } = await response.json();
  assert.equal(response.status, 200, JSON.stringify(rest));
  return access_token as string;
}

/** Reads the statistics at one process, which must accept the token. */
export async function readStats(server: ServerProcess, token: string) {
  const response = await server.request("/api/v1/waitlist/stats", {
    headers: { ...fromNewSource(), Authorization: `Bearer ${token}` },
  });
  const stats = await response.json();
  assert.equal(response.status, 200, JSON.stringify(stats));
  return stats;
}
