import assert from "node:assert/strict";
import { oneAhead } from "../../shared/one_ahead.ts";

Deno.test("oneAhead() prepares the next item while the caller uses the present item", async () => {
  const events: string[] = [];
  async function* items() {
    for (const item of ["a", "b", "c"]) {
      events.push(`make ${item}`);
      yield await Promise.resolve(item);
    }
  }
  for await (const item of oneAhead(items())) {
    events.push(`begin ${item}`);
    await new Promise((done) => setImmediate(done));
    events.push(`end ${item}`);
  }
  assert.deepEqual(events, [
    "make a",
    "make b",
    "begin a",
    "end a",
    "make c",
    "begin b",
    "end b",
    "begin c",
    "end c",
  ]);
});

Deno.test("oneAhead() yields all items before a failure, and then rejects", async () => {
  async function* items() {
    yield await Promise.resolve("a");
    throw new Error("The file ends here");
  }
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const item of oneAhead(items())) {
      await new Promise((done) => setImmediate(done));
      seen.push(item);
    }
  }, /The file ends here/);
  assert.deepEqual(seen, ["a"]);
});
