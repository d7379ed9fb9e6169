import assert from "node:assert/strict";
import { base64url } from "jose";
import { createRandomIds, repeat } from "../../../server/runtime/mod.ts";

Deno.test("repeat() does its work again and again until it is stopped", async () => {
  const third = Promise.withResolvers<void>();
  let times = 0;
  const repeating = repeat(1, () => {
    if (++times === 3) third.resolve();
    return Promise.resolve();
  });
  await third.promise;
  // A timer that went on would be a leak, which Deno.test finds.
  await repeating.close();
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
  const stopped = repeating.close().then(() => order.push("stopped"));
  work.resolve();
  await stopped;
  assert.deepEqual(order, ["worked", "stopped"]);
});

Deno.test("createRandomIds() uses every random bit once when many ids are made", () => {
  for (const length of [6, 22]) {
    const drawn: number[] = [];
    let draws = 0;
    const nextId = createRandomIds({
      length,
      random(bytes) {
        draws++;
        const draw = crypto.getRandomValues(new Uint8Array(bytes));
        drawn.push(...draw);
        return draw;
      },
    });
    const ids = Array.from({ length: 3 * 1_024 }, nextId);
    assert.equal(draws, 3, "of 1,024 ids each");
    for (const id of ids) assert.match(id, new RegExp(`^[A-Za-z0-9_-]{${length}}$`));
    assert.deepEqual([...base64url.decode(ids.join(""))], drawn);
  }
});
