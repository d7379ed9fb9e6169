import assert from "node:assert/strict";
import { createRequestIds } from "../../../server/http/request_ids.ts";

Deno.test("createRequestIds() names requests differently, in six characters fit for a header", () => {
  for (const byte of [0, 255]) {
    const next = createRequestIds((length) => new Uint8Array(length).fill(byte));
    const names = new Set(Array.from({ length: 20_000 }, next));
    assert.equal(names.size, 20_000);
    for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{6}$/);
  }
});
