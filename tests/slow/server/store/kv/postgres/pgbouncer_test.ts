/** The engine of PostgreSQL behind a pool: a real PgBouncer. */
import assert from "node:assert/strict";
import { readOne } from "../../../../../../server/store/kv/calls.ts";
import { Commit } from "../../../../../../server/store/kv/engine.ts";
import { CREDENTIALS_CHANGED } from "../../../../../../server/store/kv/keys.ts";
import { startPgBouncer, test } from "../../../../../support/pgbouncer.ts";
import { openUrl, startPostgres } from "../../../../../support/postgres.ts";

test("openKv(), commit() and watch() work through PgBouncer in session mode", async () => {
  await using server = await startPostgres();
  await using pool = await startPgBouncer(server, "session");
  using store = await openUrl(pool.urlOf("postgres"));
  const changed = Promise.withResolvers<void>();
  let calls = 0;
  const watch = store.kv.watch(CREDENTIALS_CHANGED, () => ++calls === 2 && changed.resolve());
  while (calls === 0) await readOne(store.kv, ["a"]);
  await Promise.all(
    Array.from(
      { length: 20 },
      (_, n) => store.kv.commit(new Commit().set(["a", n], n).add(["n"], 1)),
    ),
  );
  assert.equal((await readOne(store.kv, ["n"])).value, 20);
  await store.kv.commit(new Commit().set(CREDENTIALS_CHANGED, 1));
  await changed.promise;
  await watch.close();
});

for (const mode of ["transaction", "statement"] as const) {
  test(`openKv() refuses PgBouncer in ${mode} mode, and names host, port and mode`, async () => {
    await using server = await startPostgres();
    await using pool = await startPgBouncer(server, mode);
    for (let times = 0; times < 5; times++) {
      await assert.rejects(openUrl(pool.urlOf("postgres")), (error: Error) => {
        assert.match(error.message, /pool_mode=transaction or statement.*Set pool_mode=session/);
        assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${pool.port} is a pool`));
        return true;
      });
    }
  });
}
