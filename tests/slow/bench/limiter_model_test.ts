import assert from "node:assert/strict";
import { bound, overshoot, type Scenario } from "./limiter_model.ts";

// server/limits/limiter.ts: what several processes can let slip through is bounded.
Deno.test("Limiter keeps to its bound when ten processes share an address over any network", () => {
  const shared = { processes: 10, beat: 250, seed: 1 };
  for (const load of [1, 20, 200]) {
    for (const exchange of [4, 100, 2_000]) {
      for (const busy of [true, false]) {
        const scenario: Scenario = { ...shared, load, exchange, busy };
        const excess = overshoot(scenario);
        assert.ok(excess <= bound(scenario), `${JSON.stringify(scenario)}: ${excess}`);
      }
    }
  }
});

Deno.test("Limiter lets less slip through when the beat is shorter", () => {
  const scenario = { processes: 10, load: 100, exchange: 20, busy: true, seed: 1 };
  const [short, long] = [100, 1_000].map((beat) => overshoot({ ...scenario, beat }));
  assert.ok(short !== undefined && long !== undefined && short < long, `${short}, ${long}`);
});
