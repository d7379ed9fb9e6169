import assert from "node:assert/strict";
import { decodeValue, encodeValue, encodeValues } from "../../../../server/store/kv/values.ts";

const packed = new Uint8Array([0, 1, 255]);

Deno.test("encodeValues() encodes each of several values to the same bytes as encodeValue()", async (t) => {
  for (
    const values of [
      [{ lang: "de" }, "text", null, packed, 7, "", [], packed, true],
      [{ name: "é" }, "plain", packed, "😀"],
      [packed],
      [],
    ]
  ) {
    await t.step(`the values are ${JSON.stringify(values)}`, () => {
      const bytes = encodeValues(values);
      assert.deepEqual(bytes.map((each) => each.slice()), values.map(encodeValue));
      assert.deepEqual(bytes.map(decodeValue), values);
    });
  }
});
