import assert from "node:assert/strict";
import { fuzz } from "./fuzz.ts";

// `deno task fuzz` sends more, and others each time.
Deno.test("createApp() answers as its document says and stores what it should when 2,000 requests mean harm", async () => {
  const { cases, records, statuses, findings } = await fuzz(2_000, 1);
  assert.deepEqual(findings, []);
  assert.equal(cases, 2_000);
  assert.ok(records > 0 && statuses["200"] && statuses["413"], "they come as far as the store");
});
