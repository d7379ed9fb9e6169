import assert from "node:assert/strict";
import { createDispatcher } from "../../../../server/letters/work/dispatcher.ts";
import { createLog } from "../../../../server/runtime/mod.ts";

/** A dispatcher whose attempts end when the test says so. */
function startDispatcher(atOnce: number, outcome?: "paused") {
  const clock = { now: 0 };
  const claimed: number[] = [];
  const under = new Set<() => void>();
  let isStopped = false;
  const dispatcher = createDispatcher<number, number>({
    atOnce,
    claim: (item) => (claimed.push(item), Promise.resolve(item)),
    send: () => new Promise((resolve) => under.add(() => resolve(outcome))),
    now: () => clock.now,
    isStopped: () => isStopped,
    log: createLog({ level: "info", now: () => clock.now, write: assert.fail }),
  });
  /** Ends the attempts that are under way; what follows them has begun afterwards. */
  async function endAttempts(): Promise<void> {
    const ending = [...under];
    under.clear();
    for (const end of ending) end();
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { ...dispatcher, clock, claimed, under, endAttempts, stop: () => isStopped = true };
}

const ITEMS = Array.from({ length: 10 }, (_, n) => n + 1);

Deno.test("createDispatcher() claims no more items than it can send at the same time", async () => {
  const dispatcher = startDispatcher(3);
  dispatcher.dispatch(ITEMS);
  await dispatcher.endAttempts();
  assert.deepEqual(dispatcher.claimed, [1, 2, 3]);
  await dispatcher.endAttempts();
  assert.deepEqual(dispatcher.claimed, [1, 2, 3, 4, 5, 6]);
  dispatcher.stop();
  await dispatcher.endAttempts();
  await dispatcher.settled();
  assert.equal(dispatcher.claimed.length, 6, "nothing is begun after the stop");
});

Deno.test("createDispatcher() drops each item that has waited for one second, and still claims the items that it gets afterwards", async () => {
  const dispatcher = startDispatcher(2);
  dispatcher.dispatch(ITEMS);
  await dispatcher.endAttempts();
  dispatcher.clock.now = 1_000;
  await dispatcher.endAttempts();
  await dispatcher.settled();
  assert.deepEqual(dispatcher.claimed, [1, 2]);
  dispatcher.dispatch([11]);
  await dispatcher.endAttempts();
  assert.deepEqual(dispatcher.claimed, [1, 2, 11]);
  // What is under way goes on with the items that are given meanwhile.
  dispatcher.dispatch([12, 13, 14, 15]);
  await dispatcher.endAttempts();
  assert.deepEqual(dispatcher.claimed, [1, 2, 11, 12, 13], "two are under way");
  await dispatcher.endAttempts();
  assert.deepEqual(dispatcher.claimed, [1, 2, 11, 12, 13, 14, 15]);
  await dispatcher.endAttempts();
  await dispatcher.endAttempts();
  await dispatcher.settled();
});

Deno.test("createDispatcher() begins no further attempt after an attempt with the outcome 'paused'", async () => {
  const dispatcher = startDispatcher(3, "paused");
  dispatcher.dispatch(ITEMS);
  await dispatcher.endAttempts();
  await dispatcher.endAttempts();
  await dispatcher.settled();
  assert.deepEqual(dispatcher.claimed, [1, 2, 3]);
});

Deno.test("isBlocked() is true when no attempt has ended since the last call of dispatch()", async () => {
  const dispatcher = startDispatcher(2);
  dispatcher.dispatch(ITEMS);
  await dispatcher.endAttempts();
  assert.ok(!dispatcher.isBlocked());
  dispatcher.dispatch(ITEMS);
  assert.ok(dispatcher.isBlocked());
  await dispatcher.endAttempts();
  assert.ok(!dispatcher.isBlocked());
  dispatcher.stop();
  await dispatcher.endAttempts();
  await dispatcher.settled();
});
