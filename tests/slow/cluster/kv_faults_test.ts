/**
 * The real process on a real `denokv`, with a network between them that fails.
 *
 * @module
 */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { openKv } from "../../../server/store/kv/open.ts";
import { DENOKV, Denokv, DENOKV_ACCESS_TOKEN } from "../../support/denokv.ts";
import { type ServiceProcess, startService } from "../../support/process.ts";
import { TcpProxy } from "../../support/tcp_proxy.ts";
import { fromNewSource } from "./support/cluster.ts";
import { assertEachOnce, sendSignUps } from "./support/sign_up_load.ts";

const ignore = DENOKV === undefined;

/** Longer than a call to KV may take. */
const OUTAGE_MS = 7_000;

interface Setup extends AsyncDisposable {
  denokv: Denokv;
  proxy: TcpProxy;
  service: ServiceProcess;
}

async function start(): Promise<Setup> {
  const resources = new AsyncDisposableStack();
  const denokv = resources.use(await Denokv.start());
  // The server is ready before its first client asks, as that client's time is not what is tried here.
  (await openStore(denokv))[Symbol.dispose]();
  const proxy = resources.use(new TcpProxy(denokv.url));
  const service = resources.use(
    await startService({
      KV_URL: proxy.url,
      DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN,
      TRUSTED_PROXY_HOPS: "1",
    }),
  );
  return { denokv, proxy, service, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** The store of a server, reached without the proxy. */
function openStore({ url }: Denokv) {
  return openKv({ kind: "connect", url, accessToken: DENOKV_ACCESS_TOKEN });
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

const FAULTS: Fault[] = [
  {
    name: "is slow",
    async happen(setup) {
      setup.proxy.setMode("slow");
      await assertStatusIsUp(setup);
      await delay(OUTAGE_MS);
      setup.proxy.setMode("pass");
    },
    isSeen: false,
  },
  {
    name: "falls silent, and the connection stays dead",
    async happen(setup) {
      setup.proxy.setMode("silent");
      await delay(OUTAGE_MS);
      await assertStatusIsUp(setup);
      setup.proxy.passNewOnes();
    },
    isSeen: true,
  },
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
  {
    name: "commits and its answers are lost for long",
    async happen(setup) {
      setup.proxy.setMode("loses_answers");
      await delay(OUTAGE_MS);
      await assertStatusIsUp(setup);
      setup.proxy.cut();
      setup.proxy.setMode("pass");
    },
    isSeen: true,
  },
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
  {
    name: "is killed and started again",
    async happen(setup) {
      await setup.denokv.kill();
      await delay(OUTAGE_MS);
      await assertStatusIsUp(setup);
      setup.denokv.startAgain();
    },
    isSeen: true,
  },
];

for (const { name, happen, isSeen } of FAULTS) {
  Deno.test(`a process loses and doubles nothing when denokv ${name}`, { ignore }, async () => {
    await using setup = await start();
    const { service, denokv } = setup;
    const { refused, acknowledged } = await sendSignUps(
      { servers: [service] },
      () => happen(setup),
    );
    console.log(`${refused} requests were not acknowledged`);
    if (isSeen) assert.ok(refused > 0, "the fault was not seen");
    using store = await openStore(denokv);
    await assertEachOnce(store, acknowledged);

    service.signal("SIGTERM");
    const { code, stderr } = await service.end();
    assert.equal(code, 0);
    for (const line of stderr.trimEnd().split("\n")) {
      assert.doesNotThrow(() => JSON.parse(line), `a line that is not of the log: ${line}`);
    }
  });
}

Deno.test(
  "a process stops in its usual way when denokv has fallen silent",
  { ignore },
  async () => {
    await using setup = await start();
    const { service, proxy } = setup;
    proxy.setMode("silent");
    const signUp = service.request("/api/v1/waitlist", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", consent: true }),
    }).then((response) => response.text(), () => "the connection broke");
    await assertStatusIsUp(setup);
    service.signal("SIGTERM");
    assert.equal((await service.end()).code, 0);
    await signUp;
  },
);

Deno.test("a process takes no sign-up and is not ready when denokv comes back with an empty file", {
  ignore,
}, async () => {
  await using setup = await start();
  const { service, denokv } = setup;
  const signUp = async () => {
    const response = await service.request("/api/v1/waitlist", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...fromNewSource() },
      body: JSON.stringify({ email: "ada@example.com", consent: true }),
    });
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await signUp(), 200);
  await denokv.kill();
  await denokv.removeFile();
  denokv.startAgain();
  const vanished = service.logged(/"event":"the store has vanished"/);
  // Until denokv listens again, a call waits.
  for (let times = 0; times < 10; times++) assert.equal(await signUp(), 500);
  assert.ok(await vanished);
  const ready = await service.request("/ready");
  assert.deepEqual(await ready.json(), { ready: false, missing: ["store"] });
  using store = await openStore(denokv);
  const signUps = await Array.fromAsync(store.kv.list({ prefix: ["sign_up"] }));
  assert.deepEqual(signUps, []);
});
