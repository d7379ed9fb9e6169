import assert from "node:assert/strict";
import { faultyKv } from "../support/faulty_kv.ts";
import { serveOn, test } from "../support/service.ts";
import { Commit } from "../../server/store/kv/engine.ts";
import { openMemoryKv } from "../support/memory_kv.ts";

test("createService() answers /ready with 200 when the store can be used", async (service, t) => {
  for (const method of ["GET", "HEAD"]) {
    await t.step(method, async () => {
      const response = await service.request("/ready", { method });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      assert.equal(response.headers.get("ratelimit-limit"), null);
      assert.equal(await response.text(), method === "GET" ? '{"ready":true}' : "");
    });
  }
  const refused = await service.request("/ready", { method: "POST" });
  assert.equal(refused.status, 405);
  assert.equal(refused.headers.get("allow"), "GET, HEAD");
});

Deno.test("createService() answers /ready without a KV operation and without counting the request", async () => {
  const kv = await openMemoryKv();
  let calls = 0;
  const counted = faultyKv(kv, (commit) => (calls++, commit()), (read) => (calls++, read()));
  await using service = await serveOn(counted);
  calls = 0;
  for (let n = 0; n < 2_000; n++) assert.equal((await service.request("/ready")).status, 200);
  assert.equal(calls, 0);
});

Deno.test("createService() answers /ready with 503 when KV does not answer, and names the missing condition in the answer", async () => {
  const kv = await openMemoryKv();
  let away = false;
  const faulty = faultyKv(
    kv,
    (commit) => commit(),
    (read) => away ? Promise.reject(new Error("The connection was reset")) : read(),
  );
  await using service = await serveOn(faulty);
  away = true;
  await service.repeatOnce();
  const response = await service.request("/ready");
  assert.equal(response.status, 503);
  assert.deepEqual(await response.json(), { ready: false, missing: ["kv"] });
  assert.equal((await service.request("/api/v1/status")).status, 200);

  service.clock.now += 60_000;
  const later = await service.request("/ready");
  assert.deepEqual(await later.json(), { ready: false, missing: ["kv", "keys"] });

  await service.repeatOnce();
  away = false;
  await service.repeatOnce();
  assert.equal((await service.request("/ready")).status, 200);
  await service.repeatOnce();
  const lines = service.log.filter(({ event }) =>
    /^KV (does not answer|answers again)/.test(`${event}`)
  );
  assert.deepEqual(lines.map(({ level, event, error }) => [level, event, error]), [
    ["warn", "KV does not answer", "The connection was reset"],
    ["info", "KV answers again", undefined],
  ]);
});

test("createService() answers /ready with 503 and logs a fault when a newer program has upgraded the store", async (service) => {
  await service.kv.commit(new Commit().set(["schema"], { version: 99 }));
  await service.repeatOnce();
  await service.repeatOnce();
  const response = await service.request("/ready");
  assert.equal(response.status, 503);
  assert.deepEqual(await response.json(), { ready: false, missing: ["schema"] });
  const faults = service.log.filter(({ event }) => event === "schema fault");
  assert.equal(faults.length, 1);
  assert.match(String(faults[0]?.fault), /schema version 99, and this program knows/);
});
