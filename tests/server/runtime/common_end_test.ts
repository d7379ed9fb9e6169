import assert from "node:assert/strict";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createCommonEnd } from "../../../server/runtime/common_end.ts";

const never = () => new Promise<never>(() => {});

Deno.test("createCommonEnd() makes the waits under way and all later ones reject with the reason of the end", async () => {
  const { waitFor, end } = createCommonEnd();
  assert.equal(await waitFor(Promise.resolve("in time")), "in time");
  await assert.rejects(waitFor(Promise.reject(new Error("broken"))), /^Error: broken$/);
  const waits = [waitFor(never()), waitFor(never())];
  end(new Error("over"));
  for (const wait of [...waits, waitFor(never())]) await assert.rejects(wait, /^Error: over$/);
});

Deno.test("createCommonEnd() keeps no result of a call in memory once the call has ended", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const { waitFor } = createCommonEnd();
  const result = new WeakRef(await waitFor(Promise.resolve({ entries: [] })));
  await endOfTurn();
  collectGarbage();
  assert.equal(result.deref(), undefined);
});
