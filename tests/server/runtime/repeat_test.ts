import assert from "node:assert/strict";
import { repeat } from "../../../server/runtime/repeat.ts";

Deno.test("repeat() does its work again and again until it is stopped", async () => {
  const third = Promise.withResolvers<void>();
  let times = 0;
  const repeating = repeat(1, () => {
    if (++times === 3) third.resolve();
    return Promise.resolve();
  });
  await third.promise;
  // A timer that went on would be a leak, which Deno.test finds.
  await repeating.stop();
});

Deno.test("repeat() waits for the work under way when it is stopped", async () => {
  const begun = Promise.withResolvers<void>();
  const work = Promise.withResolvers<void>();
  const order: string[] = [];
  const repeating = repeat(1, () => {
    begun.resolve();
    return work.promise.then(() => void order.push("worked"));
  });
  await begun.promise;
  const stopped = repeating.stop().then(() => order.push("stopped"));
  work.resolve();
  await stopped;
  assert.deepEqual(order, ["worked", "stopped"]);
});
