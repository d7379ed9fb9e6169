import assert from "node:assert/strict";
import { assertError } from "../support/answers.ts";
import { OPERATOR_KEY } from "../support/operator.ts";
import { serveOn, startTestService, test } from "../support/service.ts";
import { openMemoryKv } from "../support/memory_kv.ts";

const ADDRESS = "198.51.100.7";

Deno.test("createService() still has the request counts of a window after a restart", async () => {
  const kv = await openMemoryKv();
  const before = await serveOn(kv);
  for (let n = 0; n < 29; n++) await before.request("/api/v1", { from: ADDRESS });
  await before.stop();

  await using after = await serveOn(kv);
  const last = await after.request("/api/v1", { from: ADDRESS });
  assert.equal(last.status, 200);
  assert.equal(last.headers.get("ratelimit-remaining"), "0");
  await assertError(await after.request("/api/v1", { from: ADDRESS }), 429, "rate_limited");
});

Deno.test("createService() stores the request counts when the service stops, even if another part of the service cannot be closed", async () => {
  const kv = await openMemoryKv();
  // The timer of the first part that has one cannot be stopped.
  let timers = 0;
  const before = await serveOn(kv, {}, undefined, {
    repeat() {
      const isFirst = timers++ === 0;
      return {
        close: () => isFirst ? Promise.reject(new Error("The timer runs on")) : Promise.resolve(),
      };
    },
  });
  for (let n = 0; n < 30; n++) await before.request("/api/v1", { from: ADDRESS });
  await before.stop();
  const [line] = before.log.filter(({ level }) => level === "error");
  assert.equal(
    line?.event,
    "a part of the service could not be closed; data that this part had only in memory may be lost",
  );
  assert.match(String(line?.error), /The timer runs on/);

  await using after = await serveOn(kv);
  await assertError(await after.request("/api/v1", { from: ADDRESS }), 429, "rate_limited");
});

Deno.test("createService() refuses requests over the limit without a KV operation", async () => {
  const service = await startTestService();
  for (let n = 0; n < 30; n++) await service.request("/api/v1", { from: ADDRESS });
  await service.stop();
  service.kv.close();
  for (let n = 0; n < 100; n++) {
    const response = await service.request("/api/v1", { from: ADDRESS });
    assert.equal(response.status, 429);
  }
  await service.stop();
  const warnings = service.log.filter(({ level }) => level === "warn");
  assert.deepEqual(warnings, [], "a KV operation would have failed and been logged");
});

Deno.test("createService() counts requests in memory, and logs the failure, when KV fails", async () => {
  const service = await startTestService();
  service.kv.close();
  for (let n = 0; n < 30; n++) {
    const response = await service.request("/api/v1", { from: ADDRESS });
    assert.equal(response.status, 200);
  }
  await assertError(await service.request("/api/v1", { from: ADDRESS }), 429, "rate_limited");
  await service.stop();
  const warnings = service.log.filter(({ event }) => String(event).startsWith("limits"));
  assert.equal(warnings.length, 1);
  assert.match(String(warnings[0]?.event), /limits may allow too many requests/);
  assert.ok(!JSON.stringify(service.log).includes(ADDRESS));
});

test("createService() makes X-Request-Id values that do not reveal the number of requests", async (service) => {
  const ids = new Set<string>();
  for (let call = 0; call < 100; call++) {
    const { headers } = await service.request("/api/v1/status");
    ids.add(headers.get("x-request-id") ?? "");
  }
  assert.equal(ids.size, 100);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{6}$/);
  // Ids that count up begin alike.
  for (let at = 0; at < 6; at++) {
    const characters = new Set(Array.from(ids, (id) => id[at]));
    assert.ok(characters.size > 20, `${characters.size} different characters at ${at}`);
  }
});

Deno.test("createService() tells operators when processes on the same store have different BASE_URL values", async (t) => {
  const kv = await openMemoryKv();
  const urls = ["https://one.example.com", "https://other.example.com"];
  const services = await Promise.all(
    urls.map((BASE_URL) => serveOn(kv, { BASE_URL, OPERATOR_KEY }, undefined, { isShared: true })),
  );
  // A process knows another process once it has seen a renewal of the other's entry.
  for (let minute = 0; minute < 3; minute++) {
    for (const { clock, repeatOnce } of services) {
      clock.now += 60_000;
      await repeatOnce();
    }
  }
  for (const [index, service] of services.entries()) {
    await t.step(urls[index]!, async () => {
      const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };
      const response = await service.request("/operator/v1/overview", { headers });
      const { warnings } = await response.json();
      const [{ message }] = warnings.filter(({ about }: { about: string }) => about === "address");
      const [ownUrl, otherUrl] = [urls[index], urls[1 - index]];
      const difference = `have the BASE_URL ${otherUrl}, and this process has ${ownUrl}`;
      assert.ok(message.includes(difference), message);
      const lines = service.log.filter(({ event }) =>
        event === "processes of one store have different BASE_URLs"
      );
      assert.equal(lines.length, 1, "the log says it once an hour");
    });
  }
  for (const service of services) await service.stop();
  kv.close();
});
