/** Which calls have a permit. */
import assert from "node:assert/strict";
import { CallPermits } from "../../../../../server/store/kv/postgres/call_permits.ts";

Deno.test("take() keeps no permit for a call whose signal aborts while the call waits", async () => {
  const permits = new CallPermits(1);
  const { signal } = new AbortController();
  await permits.take(signal);
  const late = new AbortController();
  const waiting = permits.take(late.signal);
  late.abort(new Error("too late"));
  await assert.rejects(waiting, /too late/);
  permits.giveBack();
  await permits.take(signal);
  let hasPermit = false;
  const next = permits.take(signal).then(() => hasPermit = true);
  await Promise.resolve();
  assert.equal(hasPermit, false, "the only permit is in use");
  permits.giveBack();
  assert.ok(await next);
});
