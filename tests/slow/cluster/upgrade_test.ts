import assert from "node:assert/strict";
import { openKv } from "../../../server/store/kv/open.ts";
import { SCHEMA_VERSION } from "../../../server/store/kv/schema.ts";
import { DENOKV, Denokv, DENOKV_ACCESS_TOKEN } from "../../support/denokv.ts";
import { recordId } from "../../support/records.ts";
import { startVictim, type Victim } from "../../support/victim.ts";

// server/README.md, "Upgrade".
Deno.test(
  "main() stops in every process when a newer program upgrades the store on denokv",
  {
    ignore: DENOKV === undefined,
  },
  async () => {
    const folder = await Deno.makeTempDir();
    await using denokv = await Denokv.start(folder);
    const location = { url: denokv.url, accessToken: DENOKV_ACCESS_TOKEN };
    const variables = { KV_URL: denokv.url, DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN };
    const processes: Victim[] = [];
    try {
      processes.push(...Array.from({ length: 3 }, () => startVictim(variables)));
      for (const { serving } of processes) {
        const service = await serving;
        assert.equal(await (await service!.request("/ready")).text(), '{"ready":true}');
      }
      using store = await openKv({ kind: "connect", ...location });
      await store.kv.set(["schema"], { version: SCHEMA_VERSION + 1, by: recordId() });
      for (const { logged } of processes) {
        const line = await logged(/"event":"the store is that of another version".*/);
        assert.match(line ?? "", new RegExp(`schema version ${SCHEMA_VERSION + 1}`));
        assert.ok(await logged(/"event":"stopped"/));
      }
    } finally {
      for (const each of processes) await each.end("SIGKILL");
    }
  },
);
