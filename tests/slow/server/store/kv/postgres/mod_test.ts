/** What an operator sees of PostgreSQL at a start, and what its engine does with outcomes, watches and counters. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readOne } from "../../../../../../server/store/kv/calls.ts";
import { Commit, type Kv, UnknownOutcome } from "../../../../../../server/store/kv/engine.ts";
import { CREDENTIALS_CHANGED } from "../../../../../../server/store/kv/keys.ts";
import { withKnownOutcomes } from "../../../../../../server/store/kv/outcomes.ts";
import { openPostgres } from "../../../../../../server/store/kv/postgres/mod.ts";
import { accept } from "../../../../../support/config.ts";
import type { Postgres } from "../../../../../support/postgres.ts";
import { openUrl, POSTGRES, startPostgres, test } from "../../../../../support/postgres.ts";
import { listAll } from "../../../../../support/memory_kv.ts";
import { TcpProxy } from "../../../../../support/tcp_proxy.ts";
import { makeTestFolder, outputOf } from "../../../../../support/process.ts";

let server: Postgres;
if (POSTGRES) {
  Deno.test.beforeAll(async () => void (server = await startPostgres()));
  Deno.test.afterAll(() => server[Symbol.asyncDispose]());
}

async function openAt(KV_URL: string, deadlineMs?: number): Promise<Kv> {
  const { kv } = accept({ KV_URL });
  assert.ok(kv.kind === "postgres");
  const { engine } = await openPostgres(kv, deadlineMs);
  return withKnownOutcomes(engine);
}

async function open(database?: string, deadlineMs?: number) {
  const name = database ?? await server.createDatabase();
  const kv = await openAt(server.urlOf(name), deadlineMs);
  return { kv, name, [Symbol.dispose]: () => kv.close() };
}

test("openKv() opens a prepared store only for a PostgreSQL role that may use the store's tables", async () => {
  const name = await server.createDatabase();
  await server.sql("create role user_of_it login");
  const url = server.urlOf(name).replace("postgres:unused", "user_of_it:unused");
  await assert.rejects(openUrl(url), (error: Error) => {
    assert.match(
      error.message,
      /^KV_URL gives no store at postgres:\/\/127\.0\.0\.1:\d+\/waitlist_/,
    );
    assert.match(error.message, /permission denied.*server\/docs\/deploy\.md/);
    assert.ok(!error.message.includes("unused"));
    return true;
  });
  (await openUrl(server.urlOf(name)))[Symbol.dispose]();
  // As server/docs/deploy.md has it.
  await server.sql(
    `grant usage on schema waitlist to user_of_it;
    grant select, insert, update, delete on waitlist.kv to user_of_it;
    grant usage on sequence waitlist.version to user_of_it`,
    name,
  );
  using store = await openUrl(url);
  assert.ok(store.isShared, "other processes may use it");
  await store.kv.commit(new Commit().set(["a"], 1).add(["n"], 2));
  assert.equal((await readOne(store.kv, ["n"])).value, 2);
});

test("openKv() refuses a PostgreSQL role with synchronous_commit = off, and says what to set", async () => {
  const name = await server.createDatabase();
  await server.sql("create role careless login superuser");
  await server.sql("alter role careless set synchronous_commit = off");
  const url = server.urlOf(name).replace("postgres:unused", "careless:unused");
  await assert.rejects(openUrl(url), /synchronous_commit is 'off'.*Set it to 'on'/);
});

test("openKv() refuses a database that does not exist", async () => {
  await assert.rejects(openUrl(server.urlOf("nowhere")), /database "nowhere" does not exist/);
});

test("openKv() connects only to a PostgreSQL server whose certificate is trusted and names the host", async (t) => {
  await using folder = await makeTestFolder("waitlist_tls_");
  const file = (name: string) => join(folder.path, name);
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  for (const name of ["server", "other"]) {
    await outputOf(
      ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names].concat(
        ["-keyout", file(`${name}.key`), "-out", file(`${name}.crt`)],
      ),
    );
  }
  const key = await Deno.readTextFile(file("server.key"));
  await using secure = await startPostgres({
    settings: ["ssl = on"],
    files: { "server.key": key, "server.crt": await Deno.readTextFile(file("server.crt")) },
  });
  const urlOf = (host: string, ca: string) =>
    `${secure.urlOf("postgres", `${host}:${secure.port}`)}?sslmode=verify-full&sslrootcert=${
      file(ca)
    }`;
  {
    using _store = await openUrl(urlOf("localhost", "server.crt"));
    const encrypted = `select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid)
      where application_name = 'waitlist'`;
    assert.equal(await secure.sql(encrypted), "t");
  }
  for (const [host, ca] of [["localhost", "other.crt"], ["127.0.0.1", "server.crt"]] as const) {
    await t.step(`${host} with ${ca}`, async () => {
      await assert.rejects(openUrl(urlOf(host, ca)), /certificate|altname|altnames|signed/i);
    });
  }
});

test("commit() works again after PostgreSQL was silent, although more calls had waited than there are connections", async () => {
  const name = await server.createDatabase();
  using proxy = new TcpProxy(`http://127.0.0.1:${server.port}`);
  const kv = await openAt(server.urlOf(name, new URL(proxy.url).host), 1_500);
  await kv.commit(new Commit().set(["a"], 0));
  proxy.setMode("silent");
  const reads = Array.from({ length: 10 }, () => readOne(kv, ["a"]));
  const writes = Array.from({ length: 10 }, () => kv.commit(new Commit().set(["a"], 0)));
  const settled = await Promise.allSettled([...reads, ...writes]);
  assert.ok(settled.every(({ status }) => status === "rejected"));
  proxy.setMode("pass");
  proxy.cut();
  // The first tries may come before the next poll of the server.
  let made: string | Error | undefined;
  for (let tries = 0; tries < 5 && typeof made !== "string"; tries++) {
    made = await kv.commit(new Commit().set(["a"], 1)).catch((error: Error) => error);
  }
  kv.close();
  assert.equal(typeof made, "string", String(made));
});

test("commit() gives up when a row stays locked, and the store does not make the commit after the row is unlocked", async () => {
  using store = await open(undefined, 2_000);
  const { kv, name } = store;
  await kv.commit(new Commit().set(["a"], 1));
  const held = server.sql(
    "begin; select 1 from waitlist.kv for update; select pg_sleep(3); commit",
    name,
  );
  const sleeping = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";
  while (await server.sql(sleeping) === "0");
  await assert.rejects(kv.commit(new Commit().set(["a"], 2)), /did not answer in time/);
  await held;
  assert.equal((await readOne(kv, ["a"])).value, 1);
  await kv.commit(new Commit().set(["a"], 3));
  assert.equal((await readOne(kv, ["a"])).value, 3);
});

test("After PostgreSQL's answer to a commit is lost, commit() finds out whether PostgreSQL has made the commit", async () => {
  const name = await server.createDatabase();
  using proxy = new TcpProxy(`http://127.0.0.1:${server.port}`);
  const url = server.urlOf(name, new URL(proxy.url).host);
  const kv = await openAt(url);
  let isOver = false;
  const cutting = (async () => {
    for (let n = 0; !isOver; n++) {
      proxy.cutNext(n % 3 === 0 ? "question" : "answer");
      await delay(n % 7);
    }
  })();
  const outcomes = { done: 0, failed: 0, unknown: 0 };
  const changeInTurn = async (worker: number) => {
    for (let n = 0; n < 150; n++) {
      const commit = new Commit().set(["at", worker, n], n).add(["n"], 1);
      const result = await kv.commit(commit).catch((error: Error) => error);
      if (result instanceof UnknownOutcome) outcomes.unknown++;
      else if (result instanceof Error) outcomes.failed++;
      else outcomes.done++;
    }
  };
  await Promise.all([1, 2, 3, 4].map(changeInTurn));
  isOver = true;
  await cutting;
  kv.close();
  using store = await openUrl(server.urlOf(name));
  const entries = await listAll(store.kv, { prefix: ["at"] });
  assert.equal((await readOne<number>(store.kv, ["n"])).value, entries.length);
  console.log(JSON.stringify(outcomes));
  assert.ok(outcomes.failed > 20 && outcomes.done > 20, "there were faults and commits");
  const { done, unknown } = outcomes;
  assert.ok(entries.length >= done && entries.length <= done + unknown, String(entries.length));
});

test("commit() does not mistake another process's commit for its own when a promoted standby repeats version numbers", async () => {
  const name = await server.createDatabase();
  using proxy = new TcpProxy(`http://127.0.0.1:${server.port}`);
  const kv = await openAt(server.urlOf(name, new URL(proxy.url).host));
  await kv.commit(new Commit().set(["a"], 1));
  // A standby that has none of this.
  await server.sql("truncate waitlist.kv; select setval('waitlist.version', 1, false)", name);
  using other = await open(name);
  for (let n = 0; n < 5; n++) await other.kv.commit(new Commit().set(["b"], n));
  proxy.cutNext("question");
  await assert.rejects(kv.commit(new Commit().set(["a"], 2)), /Connection terminated/);
  assert.equal((await readOne(other.kv, ["a"])).value, null);
  kv.close();
});

test("commit() locks rows in the same order each time, so that commits of the same keys do not deadlock", async () => {
  const name = await server.createDatabase();
  {
    using store = await open(name);
    await store.kv.commit(new Commit().set(["k", 5], true));
    const checked = await readOne(store.kv, ["k", 5]);
    const commitOf = (from: number) => {
      const commit = new Commit().check(checked);
      for (let n = 0; n < 300; n++) {
        const key = ["k", (n * 7 + from) % 300];
        if (key[1] === 5) continue;
        if ((n + from) % 3 === 0) commit.delete(key);
        else commit.set(key, from);
      }
      return store.kv.commit(commit.add(["n"], 1));
    };
    // First over keys that are all there.
    await commitOf(1);
    await Promise.all(Array.from({ length: 60 }, (_, n) => commitOf(n)));
    assert.equal((await readOne(store.kv, ["n"])).value, 61);
  }
  const sessions = `select count(*) from pg_stat_activity where datname = '${name}'`;
  while (await server.sql(sessions) !== "0");
  const deadlocks = `select deadlocks from pg_stat_database where datname = '${name}'`;
  assert.equal(await server.sql(deadlocks), "0");
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

test("commit() reports an unknown outcome when the wait for the synchronous standby is cancelled", async () => {
  // A server of its own, because the test changes its configuration.
  await using own = await startPostgres();
  {
    using store = await own.open();
    await store.kv.commit(new Commit().set(["a"], 1));
    await own.configure("synchronous_standby_names = 'nobody'");
    await untilCommitsWait(own);
    // Each try to settle it waits for the standby, too, and is cancelled like the commit.
    let isOver = false;
    const outcome = store.kv.commit(new Commit().set(["a"], 2)).catch((error: Error) => error)
      .finally(() => isOver = true);
    while (!isOver) await Promise.race([cancelWait(own), outcome]);
    assert.ok(await outcome instanceof UnknownOutcome, String(await outcome));
    await own.configure("synchronous_standby_names = ''");
    assert.equal((await readOne(store.kv, ["a"])).value, 2);

    // Where the standby is back in time, the try to settle it tells that it has gone through.
    await own.configure("synchronous_standby_names = 'nobody'");
    await untilCommitsWait(own);
    const settled = store.kv.commit(new Commit().set(["a"], 3));
    await cancelWait(own);
    await own.configure("synchronous_standby_names = ''");
    assert.notEqual(await settled, "conflict");
  }
  using store = await openUrl(own.variables.KV_URL);
  assert.equal((await readOne(store.kv, ["a"])).value, 3);
});

test("watch() reports changes again after its connection was lost", async () => {
  using store = await open();
  const { kv, name } = store;
  const calls = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let made = 0;
  const watch = kv.watch(CREDENTIALS_CHANGED, () => calls[made++]?.resolve());
  await calls[0]!.promise;
  await server.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  await calls[1]!.promise;
  await watch.close();
});

test("sweep() keeps the sum of a counter when it removes the counter's parts", async () => {
  using store = await open();
  const { kv, name } = store;
  await Promise.all(Array.from({ length: 8 }, () => kv.commit(new Commit().add(["n"], 3))));
  // A part and its slot, as programs of version 1.2.0 wrote them: the keys are ["slot"] and ["n"].
  await server.sql(
    `insert into waitlist.kv (key, part, version, number)
      values ('\\x02736c6f7400', 7, 1, 1), ('\\x026e00', 7, 1, 1)`,
    name,
  );
  const rows = () => server.sql("select count(*) from waitlist.kv", name);
  const before = await readOne(kv, ["n"]);
  assert.ok(Number(await rows()) > 2);
  await kv.sweep(0);
  await kv.sweep(60 * 60 * 1000);
  assert.deepEqual(await readOne(kv, ["n"]), before);
  assert.equal(await rows(), "1");
  await kv.commit(new Commit().check(before).add(["n"], -4));
  assert.equal((await readOne(kv, ["n"])).value, 21);
});
