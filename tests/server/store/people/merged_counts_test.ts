import assert from "node:assert/strict";
import { mergeCounts } from "../../../../server/store/people/merged_counts.ts";

async function* each<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

Deno.test("mergeCounts() pairs the stored count and the new count that have the same `place`, and gives 0 for an absent count", async () => {
  const kept = each([{ place: 2, count: 5 }, { place: 4, count: 1 }, { place: 6, count: 3 }]);
  const recounted = each([{ place: 1, count: 7 }, { place: 4, count: 2 }, { place: 5, count: 8 }]);
  assert.deepEqual(await Array.fromAsync(mergeCounts(kept, recounted)), [
    { place: 1, kept: 0, recounted: 7 },
    { place: 2, kept: 5, recounted: 0 },
    { place: 4, kept: 1, recounted: 2 },
    { place: 5, kept: 0, recounted: 8 },
    { place: 6, kept: 3, recounted: 0 },
  ]);
});
