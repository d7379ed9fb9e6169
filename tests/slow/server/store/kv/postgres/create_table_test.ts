/** What `create_table.ts` makes in PostgreSQL: the options of the table, its functions and its index. */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { Commit } from "../../../../../../server/store/kv/engine.ts";
import { IS_CREATED } from "../../../../../../server/store/kv/postgres/create_table.ts";
import { listQuery } from "../../../../../../server/store/kv/postgres/table.ts";
import { startPostgres, test } from "../../../../../support/postgres.ts";

test("openKv() creates a table with free space in its pages and with its own autovacuum settings", async () => {
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
    explain ${listQuery("asc").replace("$1", "''").replace("$2", "'\\xff'").replace("$3", "9")}`;
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
