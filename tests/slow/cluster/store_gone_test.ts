/** The real process on a PostgreSQL whose database, schema, rights or settings change while it runs. @module */
import assert from "node:assert/strict";
import { startPostgres, test } from "../../support/postgres.ts";
import { startService } from "../../support/process.ts";
import {
  fromNewSource,
  sendSignUp,
  statusOf,
  untilReadyIs,
} from "../../support/process_requests.ts";

async function start() {
  await using resources = new AsyncDisposableStack();
  const postgres = resources.use(await startPostgres());
  await postgres.sql("create role waitlist login");
  await postgres.sql("create database waitlist");
  const owner = resources.use(await startService({ KV_URL: postgres.urlOf("waitlist") }));
  await owner.end("SIGTERM");
  await postgres.sql(
    `grant usage on schema waitlist to waitlist;
    grant select, insert, update, delete on waitlist.kv to waitlist;
    grant usage on sequence waitlist.version to waitlist`,
    "waitlist",
  );
  const KV_URL = postgres.urlOf("waitlist").replace("postgres:unused", "waitlist:unused");
  const service = resources.use(await startService({ KV_URL, TRUSTED_PROXY_HOPS: "1" }));
  const started = resources.move();
  return {
    postgres,
    service,
    signUp: () => statusOf(sendSignUp(service, { email: "ada@example.com" })),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

for (
  const { what, sql, database } of [
    { what: "database", sql: "drop database waitlist with (force)", database: "postgres" },
    { what: "schema", sql: "drop schema waitlist cascade", database: "waitlist" },
  ]
) {
  test(`A process logs that the PostgreSQL ${what} has vanished, and answers /ready with 503`, async () => {
    await using setup = await start();
    const { service, postgres, signUp } = setup;
    assert.equal(await signUp(), 200);
    const said = service.logged(
      new RegExp(`"event":"the store has vanished".*The ${what} `),
    );
    await postgres.sql(sql, database);
    assert.ok(await said);
    await untilReadyIs(service, ["store"]);
    assert.equal(await signUp(), 500);
    assert.equal(
      await statusOf(service.request("/api/v1/status", { headers: fromNewSource() })),
      200,
    );
  });
}

test("A process accepts no sign-up, and logs why, while PostgreSQL runs with synchronous_commit = off", async () => {
  await using setup = await start();
  const { service, postgres, signUp } = setup;
  assert.equal(await signUp(), 200);
  const said = service.logged(/"event":"KV takes no writes".*synchronous_commit is 'off'/);
  await postgres.configure("synchronous_commit = off");
  // No later than the settings have reached the connections.
  while (await signUp() === 200);
  for (let times = 0; times < 5; times++) assert.equal(await signUp(), 500);
  assert.ok(await said);
  await untilReadyIs(service, ["writes"]);
  await postgres.configure("synchronous_commit = on");
  await untilReadyIs(service);
  assert.equal(await signUp(), 200);
});

test("A process that gets no requests answers /ready with 503 while its PostgreSQL role may not write", async () => {
  await using setup = await start();
  const { service, postgres, signUp } = setup;
  const said = service.logged(/"event":"KV takes no writes".*The role of KV_URL may not write/);
  await postgres.sql("revoke insert, update, delete on waitlist.kv from waitlist", "waitlist");
  assert.ok(await said);
  await untilReadyIs(service, ["writes"]);
  assert.equal(await signUp(), 500);
  await postgres.sql("grant insert, update, delete on waitlist.kv to waitlist", "waitlist");
  await untilReadyIs(service);
  assert.equal(await signUp(), 200);

  // A role whose transactions only read: new sessions have this, and the open ones go on writing.
  await postgres.sql("alter role waitlist set default_transaction_read_only = on");
  for (let times = 0; times < 10; times++) assert.equal(await signUp(), 200);
  await untilReadyIs(service);
  await postgres.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'waitlist'",
  );
  await untilReadyIs(service, ["writes"]);
  await postgres.sql("alter role waitlist reset default_transaction_read_only");
  await postgres.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'waitlist'",
  );
  await untilReadyIs(service);
});
