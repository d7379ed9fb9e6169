import assert from "node:assert/strict";
import { draw } from "./draw.ts";

Deno.test("draw() draws the same items for the same seed, and each item at most once", () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  assert.deepEqual(draw(items, 5, 7), [1, 7, 97, 69, 52]);
  assert.deepEqual(draw(items, 200, 8).toSorted((a, b) => a - b), items);
});
