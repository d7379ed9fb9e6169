import assert from "node:assert/strict";
import { findCounterDrift } from "../../shared/counter_drift.ts";

Deno.test("findCounterDrift() gives the last difference until a later verify or repair", () => {
  const [first, second] = ["2026-11-21T12:00:00.000Z", "2026-11-21T12:00:01.000Z"];
  for (
    const [lastDone, drift] of [
      [{}, undefined],
      [{ verify: first, backup: second }, undefined],
      [{ difference: first }, first],
      [{ verify: first, repair: first, difference: second }, second],
      [{ difference: first, verify: second }, undefined],
      [{ difference: first, repair: second }, undefined],
    ] as const
  ) {
    assert.equal(findCounterDrift({ lastDone }), drift, JSON.stringify(lastDone));
  }
});
