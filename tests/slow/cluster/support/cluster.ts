/** Server processes that share a PostgreSQL. @module */
import { startPostgres } from "../../../support/postgres.ts";
import type { TestVariables } from "../../../support/process.ts";
import { fromNewSource } from "../../../support/process_requests.ts";
import { createTestClient, getAccessToken } from "../../../support/service.ts";
import type { Credentials } from "../../../support/tokens.ts";
import { type Server, startServer } from "../../../support/victim.ts";

/** How many processes a cluster has. */
const PROCESSES = 4;

/** The public origin of every process. */
export const CLUSTER_BASE_URL = "https://waitlist.example.com";

/** Each call of the processes that PostgreSQL works on: what it waits for, its age in milliseconds, and its beginning. */
const ACTIVITY = `select pid, state, wait_event_type, wait_event, pg_blocking_pids(pid),
  round(1000 * extract(epoch from clock_timestamp() - query_start)),
  left(regexp_replace(query, '\\s+', ' ', 'g'), 60)
  from pg_stat_activity where backend_type = 'client backend' and state <> 'idle'`;

/** Files of Linux that say how long programs have waited for the processors and for the disk. */
const PRESSURE = ["/proc/loadavg", "/proc/pressure/cpu", "/proc/pressure/io"];

/** What runs, and the store beneath it. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/**
 * Starts PostgreSQL and, all together, four server processes on it.
 * @param options.variables further variables of the processes
 */
export async function startCluster({ variables = {} }: { variables?: TestVariables } = {}) {
  await using resources = new AsyncDisposableStack();
  const postgres = resources.use(await startPostgres());
  const all = {
    BASE_URL: CLUSTER_BASE_URL,
    TRUSTED_PROXY_HOPS: "1",
    ...postgres.variables,
    ...variables,
  };
  const starting = Array.from({ length: PROCESSES }, () => startServer(all));
  const servers = (await Promise.allSettled(starting)).flatMap((result) =>
    result.status === "fulfilled" ? resources.use(result.value) : []
  );
  // The first one that has failed says why.
  await Promise.all(starting);
  const { kv } = resources.use(await postgres.open());
  const started = resources.move();
  return {
    postgres,
    servers,
    kv,
    /** Ends all processes, each of which notes before what became of its letters. */
    stop: () => Promise.all(servers.map((server) => server.stop())),
    /** Says what the processes have logged, what PostgreSQL works on, and how busy the machine is. */
    async describe(): Promise<string> {
      const activity = postgres.sql(ACTIVITY).catch(String);
      const pressure = PRESSURE.map((file) => Deno.readTextFile(file).catch(String));
      const logs = servers.map(({ address, troubles }) => `${address}\n${troubles()}`);
      return [...await Promise.all([activity, ...pressure]), ...logs].join("\n\n");
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Credentials of a new production client that may read the statistics. */
export const createClusterClient = ({ kv }: Pick<Cluster, "kv">): Promise<Credentials> =>
  createTestClient({ kv, clock: { now: Date.now() } });

/** Gets an access token from one process. */
export const requestToken = (server: Server, credentials: Credentials): Promise<string> =>
  getAccessToken(server, credentials, "", fromNewSource());
