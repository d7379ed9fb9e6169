import assert from "node:assert/strict";
import { createCountsReader } from "../../../server/store/statistics.ts";
import { storeSignUp } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const AT = new Date(START).toISOString();

Deno.test("createCountsReader() shares a read when calls arrive during another", async () => {
  using kv = await Deno.openKv(":memory:");
  let reads = 0;
  const read = createCountsReader(kv, (counts) => (reads++, counts), () => START);
  const all = await Promise.all(Array.from({ length: 100 }, () => read()));
  assert.equal(reads, 2, "the first at once; one for all that arrived meanwhile");
  assert.equal(all[1], all[99], "and one answer");
});

Deno.test("createCountsReader() shows a sign-up to every call that starts after it", async () => {
  using kv = await Deno.openKv(":memory:");
  const read = createCountsReader(kv, (counts) => counts.total, () => START);
  for (let n = 1; n <= 50; n++) {
    const earlier = read();
    await storeSignUp(kv, { email: `visitor${n}@example.com` }, AT);
    // The read that is under way now, if there is one, began before the sign-up.
    assert.equal(await read(), n);
    assert.ok([n - 1, n].includes(await earlier));
  }
});
