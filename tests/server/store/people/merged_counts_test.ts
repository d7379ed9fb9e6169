import assert from "node:assert/strict";
import { mergeCounts } from "../../../../server/store/people/merged_counts.ts";

async function* each<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

Deno.test("mergeCounts() pairs the stored count and the new count that have the same `sortKey`, and gives 0 for an absent count", async () => {
  const stored = each([{ sortKey: 2, count: 5 }, { sortKey: 4, count: 1 }, {
    sortKey: 6,
    count: 3,
  }]);
  const recounted = each([{ sortKey: 1, count: 7 }, { sortKey: 4, count: 2 }, {
    sortKey: 5,
    count: 8,
  }]);
  assert.deepEqual(await Array.fromAsync(mergeCounts(stored, recounted)), [
    { sortKey: 1, storedCount: 0, recounted: 7 },
    { sortKey: 2, storedCount: 5, recounted: 0 },
    { sortKey: 4, storedCount: 1, recounted: 2 },
    { sortKey: 5, storedCount: 0, recounted: 8 },
    { sortKey: 6, storedCount: 3, recounted: 0 },
  ]);
});
