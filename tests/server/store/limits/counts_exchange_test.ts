import assert from "node:assert/strict";
import { EXCHANGE_MS, Limiter, LIMITS } from "../../../../server/limits/limiter.ts";
import { ipv4Address } from "../../../../server/limits/client_address.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { openAddressHash } from "../../../../server/store/limits/address_hash.ts";
import { createCountsExchange } from "../../../../server/store/limits/counts_exchange.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { random } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";

const LIMIT = LIMITS.default;
const ADDRESS = ipv4Address(0xc6336407);

/** Processes that share one engine and one clock. */
async function startProcesses(count: number) {
  const kv = await openMemoryKv();
  const clock = { now: START };
  const processes = [];
  for (let id = 0; id < count; id++) {
    const limiter = new Limiter({
      now: () => clock.now,
      hash: await openAddressHash(kv, random),
      seed: 1,
      onChange: () => {},
    });
    processes.push({ limiter, exchange: createCountsExchange(kv, `process ${id}`, limiter) });
  }
  return { kv, clock, processes, [Symbol.dispose]: () => kv.close() };
}

Deno.test("createCountsExchange() counts each request once when the exchange is repeated", async () => {
  using shared = await startProcesses(2);
  const [one, two] = shared.processes;
  for (let n = 0; n < 10; n++) one?.limiter.countRequest(LIMIT, ADDRESS);
  for (let n = 0; n < 3; n++) {
    await one?.exchange();
    await two?.exchange();
  }
  assert.equal(two?.limiter.countRequest(LIMIT, ADDRESS).remaining, LIMIT.maxRequests - 11);
  assert.equal(
    one?.limiter.countRequest(LIMIT, ADDRESS).remaining,
    LIMIT.maxRequests - 11,
    "not its own",
  );
});

Deno.test("createCountsExchange() writes its entry of request counts again when the entry was removed", async () => {
  using shared = await startProcesses(1);
  const [process] = shared.processes;
  process?.limiter.countRequest(LIMIT, ADDRESS);
  await process?.exchange();
  const [{ key } = assert.fail()] = await listAll(shared.kv, { prefix: ["limit_counts"] });
  await shared.kv.commit(new Commit().delete(key));
  await process?.exchange();
  const entries = await listAll(shared.kv, { prefix: ["limit_counts"] });
  assert.deepEqual(entries.map((entry) => entry.key), [key]);
});

Deno.test("createCountsExchange() replaces the process's own entry of request counts when the entry cannot be read", async () => {
  using shared = await startProcesses(2);
  const [process, other] = shared.processes;
  process?.limiter.countRequest(LIMIT, ADDRESS);
  await process?.exchange();
  const [{ key } = assert.fail()] = await listAll(shared.kv, { prefix: ["limit_counts"] });
  await shared.kv.raw.set([...key], new TextEncoder().encode("no JSON"));
  await process?.exchange();
  await other?.exchange();
  assert.equal(other?.limiter.countRequest(LIMIT, ADDRESS).remaining, LIMIT.maxRequests - 2);
});

Deno.test("createCountsExchange() gives up an exchange after three conflicts of its commit, and still adds the counts of other processes to the limiter", async () => {
  using shared = await startProcesses(1);
  const [other] = shared.processes;
  other?.limiter.countRequest(LIMIT, ADDRESS);
  await other?.exchange();
  let commits = 0;
  const limiter = new Limiter({
    now: () => START,
    hash: await openAddressHash(shared.kv, random),
    seed: 1,
    onChange: () => {},
  });
  const conflicting = faultyKv(shared.kv, () => {
    commits++;
    return Promise.resolve({ ok: false });
  });
  const exchange = createCountsExchange(conflicting, "in vain", limiter);
  await assert.rejects(exchange(), /have changed at each try/);
  assert.equal(commits, 3);
  assert.equal(limiter.countRequest(LIMIT, ADDRESS).remaining, LIMIT.maxRequests - 2);
});

Deno.test("createCountsExchange() stores keyed hashes of source addresses, and no source address", async () => {
  using shared = await startProcesses(1);
  const [process] = shared.processes;
  process?.limiter.countRequest(LIMIT, ADDRESS);
  await process?.exchange();
  const entries = await listAll(shared.kv, { prefix: ["limit_counts"] });
  assert.equal(entries.length, 1);
  assert.deepEqual(entries[0]?.key, ["limit_counts", START / 60_000 | 0, "process 0", "default"]);
  assert.ok(entries[0]?.value instanceof Uint8Array);
  assert.equal(entries[0]?.value.byteLength, 8);
});

Deno.test("createCountsExchange() lets two processes together exceed the limit by no more than the documented number of requests", async () => {
  using shared = await startProcesses(2);
  let passed = 0;
  let moment = START;
  // 200 calls spread evenly over 40 s go to both processes in turn. Each process exchanges at its own moments.
  for (let call = 0; call < 200; call++) {
    const next = START + call * 200;
    for (; moment < next; moment += EXCHANGE_MS / 2) {
      shared.clock.now = moment;
      await shared.processes[moment / (EXCHANGE_MS / 2) % 2]?.exchange();
    }
    shared.clock.now = next;
    if (shared.processes[call % 2]?.limiter.countRequest(LIMIT, ADDRESS).allowed) passed++;
  }
  // P·⌈r·(2·b + 3·k)⌉ with P = 2 processes, r = 2.5 calls a second at each, b = 0.25 s and k = 0.
  const bound = 2 * Math.ceil(2.5 * 2 * EXCHANGE_MS / 1000);
  assert.ok(passed >= LIMIT.maxRequests, `${passed} passed`);
  assert.ok(
    passed <= LIMIT.maxRequests + bound,
    `${passed} passed; at most ${bound} may slip through`,
  );
});

Deno.test("Limiter.countRequest() allows the whole limit in each of two processes while the processes do not exchange their counts", async () => {
  using shared = await startProcesses(2);
  let passed = 0;
  for (let call = 0; call < 200; call++) {
    if (shared.processes[call % 2]?.limiter.countRequest(LIMIT, ADDRESS).allowed) passed++;
  }
  assert.equal(passed, 2 * LIMIT.maxRequests);
});
