import { SYSTEM_CLOCK } from "../../shared/clock.ts";

Deno.test("wait() resolves at once when its signal is already aborted", async () => {
  // The sanitizers find a timer that is left behind.
  await SYSTEM_CLOCK.wait(60_000, AbortSignal.abort());
});

Deno.test("wait() resolves when its signal is aborted during the wait", async () => {
  const abort = new AbortController();
  const waited = SYSTEM_CLOCK.wait(60_000, abort.signal);
  abort.abort();
  await waited;
});
