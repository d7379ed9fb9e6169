/** What the engine leaves in the catalog of PostgreSQL, and what it makes of a server that gives up its standby. */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { Commit, UnknownOutcome } from "../../../../server/store/kv/engine.ts";
import { IS_CREATED, LIST } from "../../../../server/store/kv/postgres/table.ts";
import { openUrl, type Postgres, startPostgres, test } from "../../../support/postgres.ts";

test("openKv() makes a table with room in its pages, which autovacuum keeps small and has statistics of", async () => {
  await using server = await startPostgres({ settings: ["autovacuum_naptime = 1s"] });
  using store = await server.open();
  const options = "select unnest(reloptions) from pg_class where oid = 'waitlist.kv'::regclass";
  assert.deepEqual((await server.sql(options)).split("\n"), [
    "fillfactor=85",
    "autovacuum_vacuum_scale_factor=0.02",
    "autovacuum_vacuum_insert_scale_factor=0.1",
    "autovacuum_analyze_scale_factor=0.05",
    "autovacuum_vacuum_cost_delay=1",
  ]);
  const made = `select string_agg(proname, ' ' order by proname) from pg_proc
    where pronamespace = 'waitlist'::regnamespace`;
  assert.equal(await server.sql(made), "commit_2 fold_2");
  assert.equal(await server.sql(IS_CREATED), "t");

  // Before there are statistics, rows are found by the index, too.
  const session = "select setting from pg_settings where name = 'enable_seqscan'";
  assert.equal(await server.sql(session), "on", "which the service's own sessions turn off");
  const plan = `set enable_seqscan = off; set enable_bitmapscan = off;
    explain ${LIST("asc").replace("$1", "''").replace("$2", "'\\xff'").replace("$3", "9")}`;
  assert.match(await server.sql(plan), /Index Scan using kv_pkey/);

  const commit = new Commit();
  for (let n = 0; n < 290; n++) commit.set(["k", n], n);
  await store.kv.commit(commit);
  const analyzed = `select last_autoanalyze is not null from pg_stat_user_tables
    where relname = 'kv'`;
  while (await server.sql(analyzed) !== "t") await delay(200);
  const estimate = "select reltuples::int from pg_class where oid = 'waitlist.kv'::regclass";
  assert.ok(Number(await server.sql(estimate)) > 250);
});

const WAITING = "from pg_stat_activity where wait_event = 'SyncRep'";

/** Waits until a commit waits for the standby, and cancels the wait. */
async function cancelWait(server: Postgres): Promise<void> {
  while (await server.sql(`select count(*) ${WAITING}`) === "0");
  await server.sql(`select pg_cancel_backend(pid) ${WAITING}`);
}

/** Waits until commits wait for the standby: the server takes a new configuration over a moment later. */
async function untilCommitsWait(server: Postgres): Promise<void> {
  for (let waited = false; !waited;) {
    const probe = server.sql("create table probe(); drop table probe").then(() => "over");
    while (await Promise.race([probe, server.sql(`select count(*) ${WAITING}`)]) === "0");
    waited = await server.sql(`select count(pg_cancel_backend(pid)) ${WAITING}`) === "1";
    await probe;
  }
}

test("commit() does not know what becomes of a commit whose wait for the standby is cancelled", async () => {
  await using server = await startPostgres();
  {
    using store = await server.open();
    await store.kv.commit(new Commit().set(["a"], 1));
    await server.configure("synchronous_standby_names = 'nobody'");
    await untilCommitsWait(server);
    // Each try to settle it waits for the standby, too, and is cancelled like the commit.
    let isOver = false;
    const outcome = store.kv.commit(new Commit().set(["a"], 2)).catch((error: Error) => error)
      .finally(() => isOver = true);
    while (!isOver) await Promise.race([cancelWait(server), outcome]);
    assert.ok(await outcome instanceof UnknownOutcome, String(await outcome));
    await server.configure("synchronous_standby_names = ''");
    assert.equal((await readOne(store.kv, ["a"])).value, 2);

    // Where the standby is back in time, the try to settle it tells that it has gone through.
    await server.configure("synchronous_standby_names = 'nobody'");
    await untilCommitsWait(server);
    const settled = store.kv.commit(new Commit().set(["a"], 3));
    await cancelWait(server);
    await server.configure("synchronous_standby_names = ''");
    assert.notEqual(await settled, "conflict");
  }
  using store = await openUrl(server.variables.KV_URL);
  assert.equal((await readOne(store.kv, ["a"])).value, 3);
});
