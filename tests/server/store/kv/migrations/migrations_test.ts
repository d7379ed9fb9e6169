import assert from "node:assert/strict";
import { SCHEMA_VERSION } from "../../../../../server/store/kv/schema.ts";
import { faultyKv } from "../../../../support/faulty_kv.ts";
import { LINK } from "../../../../support/invitations.ts";
import { openMemoryKv } from "../../../../support/memory_kv.ts";
import { assertUpgraded, convertedEntries, OLD_VERSION } from "../../../../support/old_stores.ts";
import { openOldStore, openTestSchema, unconvertedKeys } from "../../../../support/old_stores.ts";
import { startOperatedService } from "../../../../support/operator.ts";
import { json } from "../../../../support/service.ts";

Deno.test("createService() writes only JSON, packed bytes and counters", async () => {
  const kv = await openMemoryKv();
  await using service = await startOperatedService({}, kv);
  await service.request("/api/v1/waitlist", json({ email: "ada@example.com", consent: true }));
  await service.operate("/clients", { name: "Ada", scopes: [] });
  await service.operate("/waves", { wave: "w", emails: ["ada@example.com"], link: LINK });
  await service.operate("/signups/erase", { email: "ada@example.com" });
  await service.repeatOnce();
  assert.deepEqual(await unconvertedKeys(kv.raw), []);
});

Deno.test("openSchema() keeps every value, and says so, when the store is older", async () => {
  using kv = await openOldStore();
  const before = await convertedEntries(kv);
  assert.equal(Object.keys(before).length, 2 * 450 + 6);
  const { log } = await openTestSchema(kv);
  await assertUpgraded(kv, before);
  const steps = Array.from({ length: SCHEMA_VERSION - OLD_VERSION }, (_, n) => OLD_VERSION + n);
  assert.deepEqual(
    log.map(({ event, version }) => [event, version]),
    steps.flatMap((version) => [
      ["upgrading the store", version],
      ["the store is upgraded", version + 1],
    ]),
  );
  assert.ok(!JSON.stringify(log).includes("@"));
});

for (const goThrough of [true, false]) {
  const fault = goThrough ? "goes through without an answer" : "fails";
  Deno.test(`openSchema() keeps every value when every third commit ${fault}`, async () => {
    using kv = await openOldStore();
    const before = await convertedEntries(kv);
    let commits = 0;
    const uncertain = faultyKv(kv, async (commit) => {
      if (commits++ % 3 !== 1) return await commit();
      if (goThrough) await commit();
      throw new Error("The answer was lost");
    });
    await openTestSchema(uncertain);
    await assertUpgraded(kv, before);
  });
}
