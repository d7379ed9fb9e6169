import assert from "node:assert/strict";
import { addUpRows, decodeRow } from "../../../../../server/store/kv/postgres/rows.ts";

const version = "7";

Deno.test("decodeRow() returns JSON values, bytes and counters, and a fault for a value that cannot be read", () => {
  const hex = (text: string) => `\\x${new TextEncoder().encode(text).toHex()}`;
  const key = hex("\x02a\0");
  const valueOf = (...columns: [string | null, string | null]) =>
    decodeRow([key, version, ...columns]);
  assert.deepEqual(valueOf(null, hex('{"b":1}')), { key: ["a"], value: { b: 1 }, version });
  assert.deepEqual(valueOf(null, "\\x0007ff"), {
    key: ["a"],
    value: new Uint8Array([7, 255]),
    version,
  });
  assert.deepEqual(valueOf("-4", null), { key: ["a"], value: -4, version });
  assert.deepEqual(valueOf(null, hex("{")), { key: ["a"], fault: "KV cannot read its value." });
});

Deno.test("addUpRows() adds up the numbers of the rows of one counter", () => {
  assert.deepEqual(addUpRows([["k", "5", "-1", null], ["k", "9007199254740993", "8", null]]), [
    ...["k", "9007199254740998", "7"],
    null,
  ]);
});
