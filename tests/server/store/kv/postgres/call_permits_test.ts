/** Which calls have a permit. */
import assert from "node:assert/strict";
import { CallPermits } from "../../../../../server/store/kv/postgres/call_permits.ts";

Deno.test("enter() keeps no permit for a call whose signal aborts while the call waits", async () => {
  const permits = new CallPermits(1);
  const { signal } = new AbortController();
  await permits.enter(signal);
  const late = new AbortController();
  const waiting = permits.enter(late.signal);
  late.abort(new Error("too late"));
  await assert.rejects(waiting, /too late/);
  permits.leave();
  await permits.enter(signal);
  let hasEntered = false;
  const next = permits.enter(signal).then(() => hasEntered = true);
  await Promise.resolve();
  assert.equal(hasEntered, false, "the only permit is in use");
  permits.leave();
  assert.ok(await next);
});
