import assert from "node:assert/strict";
import { readNdjson, startOperatedService } from "../../../support/operator.ts";
import { storeSignUp } from "../../../support/records.ts";

const AT = "2026-11-20T08:00:00.000Z";

Deno.test("verifyCounters and repairCounters tell and correct what is wrong, progress first", async () => {
  await using service = await startOperatedService();
  await storeSignUp(service.kv, { email: "a@example.com" }, AT);
  await service.kv.atomic().sum(["statistics", "byLang", "de"], 2n).commit();
  const sound = { complete: true, records: 1, changed: 0, exact: true };
  const differences = [{ counter: "byLang/de", kept: 2, recounted: 0 }];

  const verified = await readNdjson(await service.operate("/counters/verify", {}));
  assert.deepEqual(verified, [{ progress: 0 }, { ...sound, agrees: false, differences }]);
  const repaired = await readNdjson(await service.operate("/counters/repair", {}));
  assert.deepEqual(repaired.at(-1), {
    ...sound,
    agrees: false,
    differences,
    repaired: true,
    recounts: 1,
  });
  const again = await readNdjson(await service.operate("/counters/verify", {}));
  assert.deepEqual(again.at(-1), { ...sound, agrees: true, differences: [] });
});
