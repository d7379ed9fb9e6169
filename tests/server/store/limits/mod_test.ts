import assert from "node:assert/strict";
import { createLog } from "../../../../server/runtime/mod.ts";
import { createSharedLimiter } from "../../../../server/store/limits/mod.ts";
import { openAddressHash } from "../../../../server/store/limits/address_hash.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { random } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { test } from "../../../support/memory_kv.ts";

test("createSharedLimiter() logs conflicts as the reason of a failed exchange of counts when each commit conflicts", async (kv) => {
  await openAddressHash(kv, random);
  const conflicting = faultyKv(kv, () => Promise.resolve({ ok: false }));
  const logged: string[] = [];
  const log = createLog({ level: "warn", now: () => START, write: (line) => logged.push(line) });
  const limiter = await createSharedLimiter({
    kv: conflicting,
    runtime: { now: () => START, monotonic: () => START, random, log },
    onBatch: () => () => {},
    metrics: undefined,
  });
  await limiter.close();
  assert.equal(logged.length, 1);
  assert.match(logged[0]!, /because processes could not exchange their counts through KV/);
  assert.match(logged[0]!, /have changed at each try/);
});
