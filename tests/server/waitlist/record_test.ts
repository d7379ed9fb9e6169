import assert from "node:assert/strict";
import { createRecordIds } from "../../../server/waitlist/record.ts";

Deno.test("createRecordIds() makes different ids, and changes their first 8 characters after every 256 ids", () => {
  const nextId = createRecordIds((length) => crypto.getRandomValues(new Uint8Array(length)));
  const ids = Array.from({ length: 512 }, () => nextId());
  assert.equal(new Set(ids.map((id) => id.slice(8))).size, 512);
  for (const id of ids) assert.match(id, /^[\w-]{22}$/);
  const [first, second] = [ids.slice(0, 256), ids.slice(256)].map((some) =>
    new Set(some.map((id) => id.slice(0, 8)))
  );
  assert.deepEqual([first!.size, second!.size], [1, 1]);
  assert.notDeepEqual(first, second);
});
