import assert from "node:assert/strict";
import { addPackedCounts, MAX_PACKED, packCounts } from "../../../server/limits/packed_counts.ts";

Deno.test("addPackedCounts() sums what packCounts() packed when processes share addresses", () => {
  const sums = new Map<number, number>();
  const largest = 2 ** 48 - 1;
  addPackedCounts(packCounts([[largest, 120], [0, 1]]), sums);
  addPackedCounts(packCounts([[largest, 30], [2 ** 32, 2]]), sums);
  assert.deepEqual([...sums], [[largest, 150], [0, 1], [2 ** 32, 2]]);
});

Deno.test("packCounts() fits one KV value when it packs as many counts as it may", async () => {
  using kv = await Deno.openKv(":memory:");
  const counts = Array.from({ length: MAX_PACKED }, (_, n) => [n, 1] as [number, number]);
  const { ok } = await kv.set(["counts"], packCounts(counts));
  assert.equal(ok, true);
});
