/** A service to import files into, and a service whose store holds something already. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { makeTestFolder } from "../../support/process.ts";
import { readCounts, recount, storedSignUps } from "../../support/records.ts";
import { OPERATOR_KEY, runOperator, startCliService } from "./service.ts";

/** When the imported people consented, a date-time. */
export const CONSENT = "2024-05-01T09:30:00Z";

/** A folder with files to import, a service to import them into, and what its store then holds. */
export async function useImportService(variables: Record<string, string> = {}) {
  const resources = new AsyncDisposableStack();
  const { path } = resources.use(await makeTestFolder());
  const kvPath = join(path, "kv.sqlite3");
  const { url, stop } = resources.use(
    await startCliService(kvPath, { OPERATOR_KEY, ...variables }),
  );
  return {
    url,
    async file(name: string, content: string | Uint8Array): Promise<string> {
      const file = join(path, name);
      if (typeof content === "string") await Deno.writeTextFile(file, content);
      else await Deno.writeFile(file, content);
      return file;
    },
    import: (args: string[], at = url) => runOperator(at, ["signups", "import", ...args]),
    /** Stops the service and reads its records; asserts that the counters equal their recount. */
    async records() {
      await stop();
      return await checkedRecords(kvPath);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Starts a service on a KV file that holds something already, which `fill` stores. */
export async function startFilled(
  fill: (kv: Kv) => Promise<unknown>,
): Promise<AsyncDisposable & { url: string }> {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(await makeTestFolder());
  const kvPath = join(path, "kv.sqlite3");
  {
    using store = await openKv({ kind: "file", path: kvPath });
    await fill(store.kv);
  }
  const { url } = resources.use(await startCliService(kvPath));
  const kept = resources.move();
  return { url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The records of a KV file; asserts that the counters equal their recount. */
export async function checkedRecords(path: string) {
  using store = await openKv({ kind: "file", path });
  const { kv } = store;
  const now = Date.now();
  assert.deepEqual(await readCounts(kv, now), await recount(kv, now));
  return await storedSignUps(kv);
}

/** A list of new people, as CSV. */
export function list(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `visitor${n}@example.com,${CONSENT}\n`);
  return `email,consentedAt\n${rows.join("")}`;
}
