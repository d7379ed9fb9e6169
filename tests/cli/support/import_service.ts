/**
 * A service to import files into.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../../server/store/open.ts";
import { readCounts } from "../../../server/store/statistics.ts";
import { makeTestFolder } from "../../support/process.ts";
import { recount, storedSignUps } from "../../support/records.ts";
import { runCli } from "./cli.ts";
import { startKillableService } from "./killable_service.ts";
import { OPERATOR } from "./service.ts";

/** When the imported people consented, a date-time. */
export const CONSENT = "2024-05-01T09:30:00Z";

/** A folder with a service, files to import, and what the store holds once the service is gone. */
export async function useImportService() {
  const resources = new AsyncDisposableStack();
  const { path } = resources.use(await makeTestFolder());
  const kvPath = join(path, "kv.sqlite3");
  const service = resources.use(await startKillableService(kvPath));
  return {
    service,
    async file(name: string, content: string | Uint8Array): Promise<string> {
      const file = join(path, name);
      if (typeof content === "string") await Deno.writeTextFile(file, content);
      else await Deno.writeFile(file, content);
      return file;
    },
    import: (args: string[], url = service.url) => {
      const env = { ...OPERATOR, WAITLIST_BASE_URL: url };
      return runCli(["signups", "import", ...args], { env });
    },
    /** The records; asserts that the counters equal their recount. Ends the service. */
    async records() {
      await service.kill();
      using store = await openKv({ kind: "file", path: kvPath });
      const now = Date.now();
      assert.deepEqual(await readCounts(store.kv, now), await recount(store.kv, now));
      return await storedSignUps(store.kv);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A list of new people, as CSV. */
export function list(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `visitor${n}@example.com,${CONSENT}\n`);
  return `email,consentedAt\n${rows.join("")}`;
}
