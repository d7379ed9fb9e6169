import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { reconnectingKv } from "../../../../server/store/kv/reconnecting_kv.ts";
import { faultyRaw } from "../../../support/faulty_kv.ts";

const KEY = ["sign_up", "ada@example.com"];

/** Long where a call must not be late. */
const ONE_HOUR = 3_600_000;

/** A KV in memory whose reads and commits hang while `hangs`, and what hangs goes on at `goOn()`. */
async function openHangingKv() {
  const kv = await Deno.openKv(":memory:");
  let waiting = Promise.withResolvers<void>();
  const state = { reads: false, commits: false };
  const around = <T>(hangs: boolean, call: () => Promise<T>) =>
    hangs ? waiting.promise.then(call) : call();
  return {
    state,
    kv: faultyRaw(
      kv,
      (commit) => around(state.commits, commit),
      (read) => around(state.reads, read),
    ),
    goOn() {
      state.reads = state.commits = false;
      waiting.resolve();
      waiting = Promise.withResolvers<void>();
    },
    memory: kv,
  };
}

// Deno 2.5 takes what is still to happen at the end of the turn for a leak.
Deno.test.afterEach(() => new Promise<void>((resolve) => void setImmediate(resolve)));

const REFUSED = /KV does not answer; calls are refused until it does/;

/** Asks until the calls that hang are answered, so that further calls are no longer refused. */
async function untilAnswered(kv: Deno.Kv): Promise<unknown> {
  for (;;) {
    try {
      return (await kv.get(KEY)).value;
    } catch (error) {
      assert.match(String(error), REFUSED);
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
  }
}

const nobody = () => new Promise<never>(() => {});

Deno.test("reconnectingKv() does what the KV beneath it does", async () => {
  using kv = reconnectingKv(await Deno.openKv(":memory:"), {
    callMs: ONE_HOUR,
    openAnother: nobody,
  });
  await kv.set(KEY, 1);
  assert.equal((await kv.get<number>(KEY)).value, 1);
  const [first] = await kv.getMany<[number]>([KEY]);
  assert.equal(first.value, 1);
  assert.equal((await kv.atomic().check(first).set(KEY, 2).commit()).ok, true);
  assert.equal((await kv.atomic().check(first).set(KEY, 3).commit()).ok, false);
  const listed = await Array.fromAsync(kv.list<number>({ prefix: ["sign_up"] }));
  assert.deepEqual(listed.map(({ value }) => value), [2]);
  const watch = kv.watch<[number]>([KEY]).getReader();
  assert.equal((await watch.read()).value?.[0].value, 2);
  await watch.cancel();
  await kv.delete(KEY);
  assert.equal((await kv.get(KEY)).value, null);
  await assert.rejects(kv.getMany(Array(11).fill(KEY)), TypeError);
});

Deno.test("reconnectingKv() refuses calls at once when one was not answered, until it is answered", async () => {
  const hanging = await openHangingKv();
  using kv = reconnectingKv(hanging.kv, { callMs: 100, openAnother: nobody });
  hanging.state.reads = true;
  await assert.rejects(kv.get(KEY), /KV did not answer in time/);
  hanging.state.reads = false;
  await assert.rejects(kv.get(KEY), REFUSED);
  await assert.rejects(kv.atomic().set(KEY, 1).commit(), REFUSED);
  await assert.rejects(Array.fromAsync(kv.list({ prefix: [] })), REFUSED);
  assert.equal((await hanging.memory.get(KEY)).value, null);

  hanging.goOn();
  assert.equal(await untilAnswered(kv), null);
});

Deno.test("reconnectingKv() goes on with another client when the first one is stuck, and ends its watches", async () => {
  const dead = await openHangingKv();
  const well = await Deno.openKv(":memory:");
  await well.set(KEY, "well");
  const opening = Promise.withResolvers<Deno.Kv>();
  let opened = 0;
  using kv = reconnectingKv(dead.kv, {
    callMs: 100,
    openAnother: () => (opened++, opening.promise),
  });
  const watch = kv.watch([KEY]).getReader();
  await watch.read();
  dead.state.reads = true;
  await assert.rejects(kv.get(KEY), /KV did not answer in time/);
  opening.resolve(well);
  assert.equal((await watch.read()).done, true);
  assert.equal((await kv.get(KEY)).value, "well");
  assert.equal(opened, 1);
  dead.goOn();
});

Deno.test("reconnectingKv() takes no call of the client before for one of its client", async () => {
  const dead = await openHangingKv();
  const well = await Deno.openKv(":memory:");
  using kv = reconnectingKv(dead.kv, { callMs: 100, openAnother: () => Promise.resolve(well) });
  const list = kv.list({ prefix: [] });
  const commit = kv.atomic().set(KEY, 1);
  const watch = kv.watch([KEY]).getReader();
  await watch.read();
  dead.state.reads = dead.state.commits = true;
  await assert.rejects(kv.get(KEY), /KV did not answer in time/);
  assert.equal((await watch.read()).done, true);
  for (const late of [() => list.next(), () => commit.commit()]) {
    await assert.rejects(late(), /KV did not answer in time/);
    assert.equal((await kv.get(KEY)).value, null);
  }
  dead.goOn();
});

Deno.test("reconnectingKv() refuses calls when 64 commits hang, while reads are answered", async () => {
  const hanging = await openHangingKv();
  // A read is answered within it, also on a busy machine.
  using kv = reconnectingKv(hanging.kv, { callMs: 500, openAnother: nobody });
  hanging.state.commits = true;
  for (const commits of [63, 1]) {
    const calls = Array.from({ length: commits }, () => kv.atomic().set(KEY, 1).commit());
    assert.equal((await kv.get(KEY)).value, null);
    for (const { status } of await Promise.allSettled(calls)) assert.equal(status, "rejected");
  }
  await assert.rejects(kv.get(KEY), REFUSED);
  hanging.goOn();
  assert.equal(await untilAnswered(kv), 1);
});

Deno.test("reconnectingKv() closes a client that comes after its end", async () => {
  const dead = await openHangingKv();
  const opening = Promise.withResolvers<Deno.Kv>();
  const kv = reconnectingKv(dead.kv, { callMs: 100, openAnother: () => opening.promise });
  dead.state.reads = true;
  await assert.rejects(kv.get(KEY), /KV did not answer in time/);
  kv.close();
  dead.goOn();
  const late = await Deno.openKv(":memory:");
  const closed = Promise.withResolvers<void>();
  const close = late.close.bind(late);
  late.close = () => closed.resolve(close());
  opening.resolve(late);
  await closed.promise;
});
