import assert from "node:assert/strict";
import { fill } from "../../support/backups.ts";
import { readNdjson, test } from "../../support/operator.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

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
