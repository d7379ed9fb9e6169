import assert from "node:assert/strict";
import { CLOCK_TOLERANCE_MS, momentInOrder } from "../../../server/waitlist/clock_tolerance.ts";

Deno.test("momentInOrder() returns the time of the previous change when this time is later than the given time by at most the clock tolerance", () => {
  const at = Date.parse("2026-11-21T12:00:00.000Z");
  assert.equal(CLOCK_TOLERANCE_MS, 60_000);
  assert.equal(momentInOrder(at, at - 1), at);
  assert.equal(momentInOrder(at, at + 1), at + 1);
  assert.equal(momentInOrder(at, at + CLOCK_TOLERANCE_MS), at + CLOCK_TOLERANCE_MS);
  assert.equal(momentInOrder(at, at + CLOCK_TOLERANCE_MS + 1), at);
});
