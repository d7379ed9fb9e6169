import assert from "node:assert/strict";
import { fuzz } from "./fuzz.ts";

// `deno task fuzz` sends more, and others each time.
Deno.test("createApp() answers 2,000 hostile requests as documented, and stores only valid sign-ups", async () => {
  const { cases, records, statuses, findings } = await fuzz(2_000, 1);
  assert.deepEqual(findings, []);
  assert.equal(cases, 2_000);
  assert.ok(records > 0 && statuses["200"] && statuses["413"], "they come as far as the store");
});
