/**
 * Fills a KV file: `deno run -A tests/slow/bench/seed.ts <file> <sign-ups>`. Prints a production client.
 *
 * @module
 */
import { createLog } from "../../../server/runtime/mod.ts";
import { newClient, STATS_SCOPE } from "../../../server/oauth/clients.ts";
import { createClient } from "../../../server/store/credentials/clients.ts";
import { openSchema } from "../../../server/store/kv/migrations/mod.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import { recordId } from "../../support/records.ts";

const [path = "", count = "0"] = Deno.args;
using store = await openKv({ kind: "file", path });
const { kv } = store;
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
// Otherwise, the service would take the records for those of an earlier version, and upgrade them.
await openSchema({
  ...store,
  random,
  monotonic: () => performance.now(),
  log: createLog({ level: "warn", now: Date.now, write: console.error }),
});
const { client, clientSecret } = newClient({ name: "Benchmark", scopes: [STATS_SCOPE] }, {
  now: Date.now(),
  random,
});
await createClient(kv, client);
for (let from = 0; from < Number(count); from += 90) {
  const at = new Date(Date.now() - from % 2_000 * 3_600_000).toISOString();
  const size = Math.min(90, Number(count) - from);
  await storeSignUps(
    kv,
    Array.from({ length: size }, (_, index) => ({
      signUp: { email: `seed${from + index}@example.com`, lang: "de", source: "hero" },
      at,
      id: recordId(),
    })),
  );
}
console.log(JSON.stringify({ clientId: client.clientId, clientSecret }));
