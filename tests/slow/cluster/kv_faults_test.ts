/** The real process on a real PostgreSQL, with a network between them that fails. @module */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Postgres } from "../../support/postgres.ts";
import { openUrl, POSTGRES, startPostgres, test } from "../../support/postgres.ts";
import { startService } from "../../support/process.ts";
import {
  fromNewSource,
  sendSignUp,
  statusOf,
  untilReadyIs,
} from "../../support/process_requests.ts";
import { TcpProxy } from "../../support/tcp_proxy.ts";
import { assertEachOnce, sendSignUps } from "./support/sign_up_load.ts";
import { listAll } from "../../support/memory_kv.ts";

/** Longer than a call to KV may take. */
const OUTAGE_MS = 7_000;

let postgres: Postgres;
if (POSTGRES) {
  Deno.test.beforeAll(async () => {
    postgres = await startPostgres();
    // A role whose connections can be limited, as those of a superuser cannot.
    await postgres.sql("create role waitlist login");
  });
  Deno.test.afterAll(() => postgres[Symbol.asyncDispose]());
}

type Setup = Awaited<ReturnType<typeof start>>;

/** Starts a process that reaches a database of its own through a proxy. */
async function start() {
  const resources = new AsyncDisposableStack();
  const database = await postgres.createDatabase();
  await postgres.sql(`alter database ${database} owner to waitlist`);
  const proxy = resources.use(new TcpProxy(`http://127.0.0.1:${postgres.port}`));
  const KV_URL = `postgres://waitlist@${new URL(proxy.url).host}/${database}`;
  const service = resources.use(await startService({ KV_URL, TRUSTED_PROXY_HOPS: "1" }));
  return {
    database,
    proxy,
    service,
    open: () => openUrl(postgres.urlOf(database)),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function assertStatusIsUp({ service }: Setup): Promise<void> {
  const response = await service.request("/api/v1/status", { headers: fromNewSource() });
  assert.equal(response.status, 200, await response.text());
}

interface Fault {
  name: string;
  /** Begins the fault, and ends it. */
  happen: (setup: Setup) => Promise<void>;
  /** Whether clients are told that something went wrong. */
  isSeen: boolean;
}

type Act = (setup: Setup) => unknown;

/** A fault that lasts longer than a call may take. */
const outage = (name: string, begin: Act, end: Act, isSeen = true): Fault => ({
  name,
  async happen(setup) {
    await begin(setup);
    await delay(OUTAGE_MS);
    await assertStatusIsUp(setup);
    await end(setup);
  },
  isSeen,
});

const pass: Act = ({ proxy }) => proxy.setMode("pass");
const passNewOnes: Act = ({ proxy }) => proxy.passNewOnes();

const FAULTS: Fault[] = [
  outage("is slow", ({ proxy }) => proxy.setMode("slow"), pass, false),
  outage(
    "falls silent, and the connection stays dead",
    ({ proxy }) => proxy.setMode("silent"),
    passNewOnes,
  ),
  {
    name: "commits and its answers are lost",
    async happen(setup) {
      for (let times = 0; times < 20; times++) {
        setup.proxy.setMode("loses_answers");
        await delay(50);
        setup.proxy.cut();
        setup.proxy.setMode("pass");
        await assertStatusIsUp(setup);
        await delay(100);
      }
    },
    isSeen: false,
  },
  outage(
    "commits and its answers are lost for long",
    ({ proxy }) => proxy.setMode("loses_answers"),
    ({ proxy }) => {
      proxy.cut();
      proxy.setMode("pass");
    },
  ),
  outage(
    "answers when its calls were given up long before",
    ({ proxy }) => proxy.setMode("late"),
    pass,
  ),
  outage(
    "has closed its side of the connections, of which nothing is heard",
    ({ proxy }) => proxy.setMode("half_closed"),
    passNewOnes,
  ),
  {
    name: "loses its connections again and again",
    async happen({ proxy }) {
      for (let times = 0; times < 50; times++) {
        proxy.cut();
        await delay(50);
      }
    },
    isSeen: false,
  },
  outage(
    "is killed and started again",
    () => postgres.kill(),
    () => postgres.start(),
  ),
  outage("takes no writes", async (setup) => {
    await postgres.configure("default_transaction_read_only = on");
    await untilReadyIs(setup.service, ["writes"]);
  }, async (setup) => {
    await postgres.configure("default_transaction_read_only = off");
    await untilReadyIs(setup.service);
  }),
  outage("has no connection to give", async (setup) => {
    const sessions = "from pg_stat_activity where usename = 'waitlist'";
    await postgres.sql("alter role waitlist connection limit 0");
    await postgres.sql(`select pg_terminate_backend(pid) ${sessions}`);
    await untilReadyIs(setup.service, ["kv"]);
  }, async (setup) => {
    await postgres.sql("alter role waitlist connection limit -1");
    await untilReadyIs(setup.service);
  }),
];

for (const { name, happen, isSeen } of FAULTS) {
  test(`A process loses no sign-up and stores none twice when PostgreSQL ${name}`, async () => {
    await using setup = await start();
    const { service } = setup;
    const { refused, acknowledged } = await sendSignUps(
      { servers: [service] },
      () => happen(setup),
    );
    console.log(`${refused} requests were not acknowledged`);
    if (isSeen) assert.ok(refused > 0, "the fault was not seen");
    using store = await setup.open();
    await assertEachOnce(store, acknowledged);

    const { code, stderr } = await service.end("SIGTERM");
    assert.equal(code, 0);
    for (const line of stderr.trimEnd().split("\n")) {
      assert.doesNotThrow(() => JSON.parse(line), `a line that is not of the log: ${line}`);
    }
  });
}

test("A process stops on SIGTERM with exit code 0, even if PostgreSQL does not answer any more", async () => {
  await using setup = await start();
  const { service, proxy } = setup;
  proxy.setMode("silent");
  const signUp = sendSignUp(service, { email: "ada@example.com" })
    .then((response) => response.text(), () => "the connection broke");
  await assertStatusIsUp(setup);
  assert.equal((await service.end("SIGTERM")).code, 0);
  await signUp;
});

test("A process accepts no sign-up and answers /ready with 503 when PostgreSQL comes back with an empty table", async () => {
  await using setup = await start();
  const { service, database } = setup;
  const signUp = () => statusOf(sendSignUp(service, { email: "ada@example.com" }));
  assert.equal(await signUp(), 200);
  const vanished = service.logged(/"event":"the store has vanished"/);
  await postgres.sql("truncate waitlist.kv", database);
  for (let times = 0; times < 10; times++) assert.equal(await signUp(), 500);
  assert.ok(await vanished);
  await untilReadyIs(setup.service, ["store"]);
  using store = await setup.open();
  const signUps = await listAll(store.kv, { prefix: ["sign_up"] });
  assert.deepEqual(signUps, []);
});
