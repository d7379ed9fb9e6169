import assert from "node:assert/strict";
import { isNestedTooDeep } from "../../shared/nesting.ts";

Deno.test("isNestedTooDeep() counts nested objects and arrays, and ignores brackets in JSON strings", () => {
  const nest = (depth: number) => '{"a":['.repeat(depth / 2) + "]}".repeat(depth / 2);
  assert.equal(isNestedTooDeep(nest(64)), false);
  assert.equal(isNestedTooDeep(nest(66)), true);
  assert.equal(isNestedTooDeep(`[${"[],".repeat(10_000)}{}]`), false);
  assert.equal(isNestedTooDeep(JSON.stringify({ a: "[".repeat(1_000), b: '\\"[\\' })), false);
  assert.equal(isNestedTooDeep(`["\\\\",${nest(64)}]`), true);
});
