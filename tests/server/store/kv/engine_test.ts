import assert from "node:assert/strict";
import { isHigherVersion } from "../../../../server/store/kv/engine.ts";

Deno.test("isHigherVersion() compares versions of equal length as texts, and takes a longer version for higher", () => {
  assert.ok(isHigherVersion("00000000000000a10000", "000000000000009f0000"));
  assert.ok(!isHigherVersion("000000000000009f0000", "00000000000000a10000"));
  assert.ok(isHigherVersion("10", "9"));
  assert.ok(!isHigherVersion("9", "10"));
  assert.ok(!isHigherVersion("10", "10"));
});
