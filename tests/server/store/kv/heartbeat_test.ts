import assert from "node:assert/strict";
import { join } from "node:path";
import { createLog } from "../../../../server/runtime/mod.ts";
import { startHeartbeat } from "../../../../server/store/kv/heartbeat.ts";
import { upgradeStore } from "../../../../server/store/kv/migrations/mod.ts";
import { SCHEMA_VERSION } from "../../../../server/store/kv/schema.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { random, storeSignUp } from "../../../support/records.ts";
import { serveOn, signUp, START } from "../../../support/service.ts";
import { Commit, type StoreHealth } from "../../../../server/store/kv/engine.ts";
import type { Overview } from "../../../../shared/operator_schemas.ts";
import { OPERATOR_KEY } from "../../../support/operator.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";

const ADA = { email: "ada@example.com", lang: "en" } as const;
const AT = new Date(START).toISOString();

/** A heartbeat of a new store in a file, whose beats the test makes, and the events of its log. */
async function beatingFile(path: string) {
  const store = await openKv({ kind: "file", path });
  const events: string[] = [];
  const log = createLog({
    level: "info",
    now: () => START,
    write: (line) => events.push(JSON.parse(line).event),
  });
  const monotonic = () => 0;
  await upgradeStore({ ...store, random, monotonic, log });
  let beat = () => Promise.resolve();
  const heartbeat = await startHeartbeat({
    store,
    runtime: {
      monotonic,
      log,
      repeat(_ms, work) {
        beat = work;
        return { close: () => Promise.resolve() };
      },
    },
    onSchemaFault: assert.fail,
  });
  return { store, heartbeat, events, beat: () => beat() };
}

Deno.test(
  "startHeartbeat() refuses commits and logs the fault while the KV file is missing or replaced",
  {
    ignore: Deno.build.os === "windows",
  },
  async (t) => {
    await using folder = await makeTestFolder();
    const path = join(folder.path, "kv.sqlite3");
    const { store, heartbeat, events, beat } = await beatingFile(path);
    using _store = store;
    await storeSignUp(heartbeat.kv, ADA, AT);
    assert.equal(heartbeat.fault(), undefined);

    const kept = join(folder.path, "kept.sqlite3");
    await Deno.rename(path, kept);
    for (const other of [undefined, "another file"]) {
      await t.step(`the path leads to ${other ?? "no file"}`, async () => {
        if (other) await Deno.writeTextFile(path, other);
        await beat();
        assert.equal(heartbeat.fault(), "store");
        await assert.rejects(storeSignUp(heartbeat.kv, ADA, AT), /^Error: The KV file was removed/);
      });
    }
    await Deno.rename(kept, path);
    await beat();
    assert.equal(heartbeat.fault(), undefined);
    await storeSignUp(heartbeat.kv, ADA, AT);
    assert.deepEqual(events, ["the store has vanished", "the store is there again"]);
  },
);

Deno.test("createService() answers sign-ups with 500 and is not ready after all entries of KV have vanished", async () => {
  const kv = await openMemoryKv();
  await kv.commit(new Commit().set(["schema"], { version: SCHEMA_VERSION }));
  await using service = await serveOn(kv);
  assert.equal(await signUp(service, ADA.email), 200);
  for (const { key } of await listAll(kv, { prefix: [] })) {
    await kv.commit(new Commit().delete(key));
  }
  assert.equal(await signUp(service, ADA.email), 500, "before the next beat");
  await service.repeatOnce();
  assert.equal(await signUp(service, ADA.email), 500);
  const ready = await service.request("/ready");
  assert.equal(ready.status, 503);
  assert.deepEqual(await ready.json(), { ready: false, missing: ["store"] });
  const line = service.log.find(({ event }) => event === "the store has vanished");
  assert.match(String(line?.error), /^The entry of the schema is gone/);
  assert.deepEqual(await listAll(kv, { prefix: ["sign_up"] }), []);

  await kv.commit(new Commit().set(["schema"], { version: SCHEMA_VERSION }));
  await service.repeatOnce();
  assert.equal(await signUp(service, ADA.email), 200);
});

Deno.test("createService() is not ready after KV has refused a write, and is ready again when KV takes writes", async () => {
  let isFull = false;
  const refuse = () => Promise.reject(new TypeError("database or disk is full"));
  const memory = faultyKv(await openMemoryKv(), (commit) => isFull ? refuse() : commit());
  const kv = new Proxy(memory, {
    get: (target, name) => name === "set" && isFull ? refuse : Reflect.get(target, name),
  });
  await using service = await serveOn(kv);
  const ready = async () => await (await service.request("/ready")).json();
  isFull = true;
  await service.repeatOnce();
  assert.deepEqual(await ready(), { ready: true }, "nobody has written");
  assert.equal(await signUp(service, ADA.email), 500);
  await service.repeatOnce();
  await service.repeatOnce();
  assert.deepEqual(await ready(), { ready: false, missing: ["writes"] });
  isFull = false;
  await service.repeatOnce();
  assert.deepEqual(await ready(), { ready: true });
  assert.equal(await signUp(service, ADA.email), 200);
  const lines = service.log.filter(({ event }) => /^KV takes/.test(`${event}`));
  assert.deepEqual(lines.map(({ event, error }) => [event, error]), [
    ["KV takes no writes", "database or disk is full"],
    ["KV takes writes again", undefined],
  ]);
});

Deno.test("createService() shows in /ready, the log and the overview that KV's engine reports a fault or a warning", async (t) => {
  let health: StoreHealth = {};
  const kv = await openMemoryKv();
  await using service = await serveOn(kv, { OPERATOR_KEY }, undefined, {
    isShared: true,
    health: () => health,
  });
  const ready = async () => (await (await service.request("/ready")).json()).missing;
  const warnings = async () => {
    const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };
    const overview = await service.request("/operator/v1/overview", { headers });
    const { warnings }: Overview = await overview.json();
    return warnings.filter(({ about }) => about === "store" || about === "address");
  };
  for (
    const [said, missing, status, event] of [
      [{ vanished: "The database is gone" }, ["store"], 500, "the store has vanished"],
      [{ refusal: "It waits for its standby" }, ["writes"], 200, "KV takes no writes"],
      [{ warning: "One is a former primary." }, undefined, 200, "KV needs attention"],
    ] as const
  ) {
    await t.step(`the log says "${event}"`, async () => {
      health = said;
      await service.repeatOnce();
      assert.deepEqual(await ready(), missing);
      assert.equal(await signUp(service, ADA.email), status);
      const line = service.log.find((each) => each.event === event);
      assert.equal(line?.error, Object.values(said)[0]);
    });
  }
  assert.deepEqual(await warnings(), [{ about: "store", message: "One is a former primary." }]);
  health = {};
  await service.repeatOnce();
  assert.equal(await ready(), undefined);
  assert.deepEqual(await warnings(), []);

  for (let renewal = 0; renewal < 2; renewal++) {
    await kv.commit(new Commit().set(["base_url", "other"], "https://other.example"));
    await service.repeatOnce();
  }
  const [warning] = await warnings();
  assert.equal(warning?.about, "address");
  assert.match(warning.message, /https:\/\/other\.example/);
});
