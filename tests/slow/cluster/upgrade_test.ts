import assert from "node:assert/strict";
import { SCHEMA_VERSION } from "../../../server/store/kv/schema.ts";
import { startDenokv, test } from "../../support/denokv.ts";
import { listAll, testKv } from "../../support/memory_kv.ts";
import { fillOldStore, readSchemaEntry, unconvertedKeys } from "../../support/old_stores.ts";
import { recordId } from "../../support/records.ts";
import { startVictim, type Victim } from "../../support/victim.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

// server/README.md, "Upgrade".
test("main() stops in every process when a newer program upgrades the store on denokv", async () => {
  await using denokv = await startDenokv();
  const processes: Victim[] = [];
  try {
    processes.push(...Array.from({ length: 3 }, () => startVictim(denokv.variables)));
    for (const { serving } of processes) {
      const service = await serving;
      assert.equal(await (await service!.request("/ready")).text(), '{"ready":true}');
    }
    using store = await denokv.open();
    await store.kv.commit(
      new Commit().set(["schema"], { version: SCHEMA_VERSION + 1, by: recordId() }),
    );
    for (const { logged } of processes) {
      const line = await logged(/"event":"the store is that of another version".*/);
      assert.match(line ?? "", new RegExp(`schema version ${SCHEMA_VERSION + 1}`));
      assert.ok(await logged(/"event":"stopped"/));
    }
  } finally {
    for (const each of processes) await each.end("SIGKILL");
  }
});

test("main() upgrades a store on denokv when four processes start together", async () => {
  await using denokv = await startDenokv();
  using waiting = await denokv.open();
  await waiting.kv.get([["schema"]]);
  const raw = await Deno.openKv(denokv.variables.KV_URL);
  using store = testKv(raw);
  await fillOldStore(raw, 2_000);
  const processes = Array.from({ length: 4 }, () => startVictim(denokv.variables));
  try {
    const services = await Promise.all(processes.map(({ serving }) => serving));
    for (const service of services) {
      assert.equal(await (await service!.request("/ready")).text(), '{"ready":true}');
    }
    assert.equal((await readSchemaEntry(store))?.version, SCHEMA_VERSION);
    assert.deepEqual(await unconvertedKeys(raw), []);
    const people = await listAll(store, { prefix: ["sign_up"] });
    assert.equal(people.length, 2_000);
  } finally {
    for (const each of processes) await each.end("SIGTERM");
  }
});
