/** A primary with a standby, and a process of the service that knows both. @module */
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres } from "../../../support/postgres.ts";
import { startService } from "../../../support/process.ts";
import { OPERATOR_KEY } from "../../../support/operator.ts";

const STANDBY = "db2";

/** A primary, and the standby that follows it. */
export type Replicated = Awaited<ReturnType<typeof startReplicated>>;

/** @param options.isSynchronous whether a commit waits until the standby has it */
export async function startReplicated({ isSynchronous = true } = {}) {
  await using resources = new AsyncDisposableStack();
  // A stop does not wait for the standby, which may hang.
  const settings = ["wal_keep_size = 256MB"];
  const primary = resources.use(await startPostgres({ settings }));
  const standby = resources.use(
    await startPostgres({
      settings,
      standbyOf: `host=127.0.0.1 port=${primary.port} user=postgres application_name=${STANDBY}`,
    }),
  );
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`);
  const KV_URL = primary.urlOf("postgres", hosts.join());
  const following = "select count(*) from pg_stat_replication where state = 'streaming'";
  while (await primary.sql(following) === "0") await delay(100);
  if (isSynchronous) {
    await primary.configure(`synchronous_standby_names = '${STANDBY}'`);
    const synchronous = "select count(*) from pg_stat_replication where sync_state = 'sync'";
    while (await primary.sql(synchronous) === "0") await delay(100);
  }
  const started = resources.move();
  return {
    primary,
    standby,
    KV_URL,
    startService: () => startService({ KV_URL, OPERATOR_KEY, TRUSTED_PROXY_HOPS: "1" }),
    /** Makes the standby the primary of the next timeline. */
    promote: () => standby.sql("select pg_promote()"),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
