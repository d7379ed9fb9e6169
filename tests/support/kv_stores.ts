/** Where the store of a real process is, for trials that run on a file and on PostgreSQL. @module */
import { join } from "node:path";
import { Option } from "commander";
import { openKv } from "../../server/store/kv/open.ts";
import { startPostgres } from "./postgres.ts";

const KINDS = ["file", "postgres"] as const;

/** The kind of a store. */
export type StoreKind = typeof KINDS[number];

/** The option of a command that names the kind. */
export const KV_OPTION = new Option("--kv <kind>", "where the store is")
  .choices(KINDS).default("file");

/** A store that lasts as long as the trial. */
export type TrialStore = Awaited<ReturnType<typeof makeStore>>;

/** Makes an empty store. */
export async function makeStore(kind: StoreKind) {
  if (kind === "postgres") {
    const server = await startPostgres();
    const bytes = "select pg_total_relation_size('waitlist.kv')";
    const dead = "select n_dead_tup from pg_stat_user_tables where relname = 'kv'";
    return {
      ...server,
      bytes: async () => Number(await server.sql(bytes)),
      deadRows: async () => Number(await server.sql(dead)),
    };
  }
  const folder = await Deno.makeTempDir({ prefix: "waitlist trial, " });
  const path = join(folder, "kv.sqlite3");
  return {
    /** Tell a process of the service where it is. */
    variables: { KV_PATH: path },
    /** The size of the store. */
    bytes: async () => (await Deno.stat(path)).size,
    /** The rows that a server keeps though they have been replaced, as it counts them. */
    deadRows: () => Promise.resolve(0),
    /** Opens it, beside the service where that is possible. */
    open: () => openKv({ kind: "file", path }),
    /** Ends its server, if it has one, without a warning. */
    kill: () => Promise.resolve(),
    /** Starts its server again. */
    start: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
