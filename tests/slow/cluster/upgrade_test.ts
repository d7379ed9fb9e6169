import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../../server/store/open.ts";
import { SCHEMA_VERSION } from "../../../server/store/schema.ts";
import { DENOKV, Denokv, DENOKV_ACCESS_TOKEN, DENOKV_FILE } from "../../support/denokv.ts";
import { recordId, storedIds } from "../../support/records.ts";
import { startVictim, type Victim } from "../../support/victim.ts";

const FIXTURE = join(import.meta.dirname!, "../../fixtures/store_version_1.sqlite3");

/** People in the fixture, and further ones, so that an upgrade takes some time. */
const PEOPLE = 26, FURTHER = 20_000;

// server/README.md, "Upgrade": whichever process comes first upgrades the store, and the others wait.
Deno.test(
  "main() upgrades a store on denokv once when several processes start together and one is killed",
  {
    ignore: DENOKV === undefined,
  },
  async () => {
    const folder = await Deno.makeTempDir();
    await Deno.copyFile(FIXTURE, join(folder, DENOKV_FILE));
    await using denokv = await Denokv.start(folder);
    const location = { url: denokv.url, accessToken: DENOKV_ACCESS_TOKEN };
    using store = await openKv({ kind: "connect", ...location });
    const { kv } = store;
    const at = "2026-10-01T08:00:00.000Z";
    for (let from = 0; from < FURTHER; from += 500) {
      const commit = kv.atomic();
      for (let n = from; n < from + 500; n++) {
        commit.set(["sign_up", `further${n}@example.com`], {
          createdAt: at,
          consentedAt: at,
          updatedAt: at,
          lang: "en",
        });
      }
      await commit.commit();
    }

    const variables = { KV_URL: denokv.url, DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN };
    const processes: Victim[] = [];
    try {
      const first = startVictim(variables);
      processes.push(first);
      await first.logged(/"event":"upgrading the store"/);
      processes.push(...Array.from({ length: 3 }, () => startVictim(variables)));
      await first.end("SIGKILL");
      const schema = (await kv.get<{ version: number }>(["schema"])).value;
      assert.equal(schema?.version, 1, "the kill came before the end");
      const before = await storedIds(kv);

      for (const { serving } of processes.slice(1)) {
        const service = await serving;
        assert.ok(service, "it waited, and then started");
        assert.equal(await (await service.request("/ready")).text(), '{"ready":true}');
      }
      const after = await storedIds(kv);
      assert.equal(new Set(Object.values(after).filter(Boolean)).size, PEOPLE + FURTHER);
      for (const [email, id] of Object.entries(before)) {
        assert.equal(
          id ?? after[email],
          after[email],
        );
      }

      // A newer program upgrades the store under the running processes.
      await kv.set(["schema"], { version: SCHEMA_VERSION + 1, by: recordId() });
      for (const { logged } of processes.slice(1)) {
        const line = await logged(/"event":"the store is that of another version".*/);
        assert.match(line ?? "", new RegExp(`schema version ${SCHEMA_VERSION + 1}`));
        assert.ok(await logged(/"event":"stopped"/));
      }
    } finally {
      for (const each of processes) await each.end("SIGKILL");
    }
  },
);
