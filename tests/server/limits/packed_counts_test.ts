import assert from "node:assert/strict";
import { addPackedCounts, packCounts } from "../../../server/limits/packed_counts.ts";

Deno.test("addPackedCounts() adds up the counts that packCounts() has packed for the same hash", () => {
  const sums = new Map<number, number>();
  const largest = 2 ** 48 - 1;
  addPackedCounts(packCounts([[largest, 120], [0, 1]]), sums);
  addPackedCounts(packCounts([[largest, 30], [2 ** 32, 2]]), sums);
  assert.deepEqual([...sums], [[largest, 150], [0, 1], [2 ** 32, 2]]);
});
