import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { EXCHANGE_MS, LIMITS, WINDOW_SECONDS } from "../../../server/limits/limiter.ts";
import { test } from "../../support/postgres.ts";
import { startCluster } from "./support/cluster.ts";

/** Calls of one address, and over how many seconds of a window they are spread. */
const CALLS = 100;
const SECONDS = 20;

/** An exchange with PostgreSQL, in seconds: what a busy machine may need. */
const EXCHANGE_SECONDS = 0.4;

/** Waits until a window has just begun, unless enough of this one is left. */
async function enterWindow(): Promise<void> {
  const windowMs = WINDOW_SECONDS * 1000;
  const left = windowMs - Date.now() % windowMs;
  if (left < (SECONDS + 5) * 1000) await delay(left);
}

test("Four processes together exceed a request limit by no more than the documented excess", async () => {
  await using cluster = await startCluster();
  const { servers } = cluster;
  await enterWindow();
  const start = Date.now();
  const calls = Array.from({ length: CALLS }, async (_, n) => {
    await delay(start + n * SECONDS * 1000 / CALLS - Date.now());
    const response = await servers[n % servers.length]?.request("/api/v1", {
      headers: { "X-Forwarded-For": "198.51.100.7" },
    });
    await response?.body?.cancel();
    return response?.status;
  });
  const statuses = await Promise.all(calls);
  assert.ok(Date.now() - start < WINDOW_SECONDS * 1000, "all calls were in one window");

  const passed = statuses.filter((status) => status === 200).length;
  assert.equal(statuses.filter((status) => status === 429).length, CALLS - passed);
  // P·⌈r·(2·b + 3·k)⌉ (server/limits/limiter.ts).
  const rate = CALLS / SECONDS / servers.length;
  const bound = servers.length * Math.ceil(rate * (2 * EXCHANGE_MS / 1000 + 3 * EXCHANGE_SECONDS));
  const { maxRequests } = LIMITS.default;
  assert.ok(passed >= maxRequests, `${passed} passed`);
  assert.ok(passed <= maxRequests + bound, `${passed} passed; at most ${bound} may slip through`);
  console.log(
    `${passed} of ${CALLS} calls passed; the limit is ${maxRequests}, the bound ${bound}`,
  );
});
