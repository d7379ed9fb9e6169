import assert from "node:assert/strict";
import { fill } from "../../support/backups.ts";
import { readNdjson, test } from "../../support/operator.ts";
import { storeSignUp } from "../../support/records.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

const AT = "2026-11-20T08:00:00.000Z";

test("verifyCounters and repairCounters tell and correct what is wrong, progress first", async ({ kv, operate }) => {
  await storeSignUp(kv, { email: "a@example.com" }, AT);
  await kv.commit(new Commit().add(["statistics", "byLang", "de"], 2));
  const sound = {
    complete: true,
    records: 1,
    changed: 0,
    exact: true,
    unreadable: [],
    lists: { missing: 0, surplus: 0 },
  };
  const differences = [{ counter: "byLang/de", kept: 2, recounted: 0 }];

  const verified = await readNdjson(await operate("/counters/verify", {}));
  assert.deepEqual(verified[0], { progress: 0 });
  assert.deepEqual(verified.at(-1), { ...sound, agrees: false, differences });
  const repaired = await readNdjson(await operate("/counters/repair", {}));
  assert.deepEqual(repaired.at(-1), {
    ...sound,
    agrees: false,
    differences,
    repaired: true,
    recounts: 1,
  });
  const again = await readNdjson(await operate("/counters/verify", {}));
  assert.deepEqual(again.at(-1), { ...sound, agrees: true, differences: [] });
});

test("streams say how many sign-ups there are, by the counters, before their first line", async (service) => {
  const paths = ["/signups/export", "/counters/verify", "/counters/repair", "/backup"];
  const totals = () =>
    Promise.all(paths.map(async (path) => {
      const response = await service.operate(path, {});
      await response.text();
      return response.headers.get("x-total-count");
    }));
  assert.deepEqual(await totals(), ["0", "0", "0", "0"]);
  await fill(service);
  assert.deepEqual(await totals(), ["3", "3", "3", "3"]);
  const other = await service.operate("/clients");
  assert.equal(other.headers.get("x-total-count"), null);
});

test("streams do not say how many sign-ups there are when the counter is damaged", async ({ kv, operate }) => {
  const key = ["statistics", "total"];
  for (const damaged of [new Commit().delete(key).add(key, -1), new Commit().set(key, "three")]) {
    await kv.commit(damaged);
    const response = await operate("/signups/export", {});
    assert.equal(response.headers.get("x-total-count"), null);
    assert.equal((await readNdjson(response)).length, 2);
  }
});
