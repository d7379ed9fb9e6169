import assert from "node:assert/strict";
import { SCHEMA_VERSION } from "../../../server/store/kv/schema.ts";
import { startPostgres, test } from "../../support/postgres.ts";
import { recordId } from "../../support/records.ts";
import { startVictim, type Victim } from "../../support/victim.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

// server/docs/operate.md, "Upgrade".
test("Each process stops when a newer program upgrades the store on PostgreSQL", async () => {
  await using postgres = await startPostgres();
  const processes: Victim[] = [];
  try {
    processes.push(...Array.from({ length: 3 }, () => startVictim(postgres.variables)));
    for (const { serving } of processes) {
      const service = await serving;
      assert.equal(await (await service!.request("/ready")).text(), '{"ready":true}');
    }
    using store = await postgres.open();
    await store.kv.commit(
      new Commit().set(["schema"], { version: SCHEMA_VERSION + 1, by: recordId() }),
    );
    for (const { logged } of processes) {
      const line = await logged(
        /"event":"another version of the service has upgraded the store; stopping".*/,
      );
      assert.match(line ?? "", new RegExp(`schema version ${SCHEMA_VERSION + 1}`));
      assert.ok(await logged(/"event":"stopped"/));
    }
  } finally {
    for (const each of processes) await each.end("SIGKILL");
  }
});
