import assert from "node:assert/strict";
import { createLeasedWork } from "../../../../server/store/kv/leased_work.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { test } from "../../../support/memory_kv.ts";
import { START } from "../../../support/service.ts";

test("createLeasedWork() takes over the work of a killed process, and ignores the killed process's late result", async (kv) => {
  let now = START;
  const key = ["backups", "made"];
  type State = { lease?: { by: string; until: number }; made?: string };
  const renewals: (() => Promise<void>)[] = [];
  const repeat = (_ms: number, work: () => Promise<void>) => {
    renewals.push(work);
    return { close: () => Promise.resolve() };
  };
  const work = (by: string, act: (signal: AbortSignal) => Promise<State>) =>
    createLeasedWork<State>(key, {
      kv,
      random: (length) => new TextEncoder().encode(by.repeat(length)),
      now: () => now,
      repeat,
    })(() => true, (_, signal) => act(signal));
  const killed = Promise.withResolvers<State>();
  const begun = Promise.withResolvers<AbortSignal>();
  const first = work("a", (signal) => {
    begun.resolve(signal);
    return killed.promise;
  });
  const signal = await begun.promise;

  let calls = 0;
  const second = () => work("b", () => Promise.resolve({ made: `by b, ${++calls}` }));
  now += 50_000;
  await renewals[0]!();
  now += 50_000;
  await second();
  assert.equal(calls, 0, "The lease was renewed");
  now += 10_000;
  await second();
  assert.deepEqual((await readOne<State>(kv, key)).value, { made: "by b, 1" });

  assert.equal(signal.aborted, false);
  await renewals[0]!();
  assert.equal(signal.aborted, true);
  killed.resolve({ made: "by a" });
  await first;
  assert.deepEqual((await readOne<State>(kv, key)).value, { made: "by b, 1" });
});
