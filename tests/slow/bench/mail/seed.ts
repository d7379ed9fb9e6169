/**
 * Adds people who are asked to confirm to a KV file: `deno run -A seed.ts <file> <people> <days>`. Without days,
 * their letters wait in the outbox; otherwise the mail server took the letters so many days ago.
 *
 * @module
 */
import { openSchema } from "../../../../server/store/kv/migrations/mod.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { readDue } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { createLog } from "../../../../server/runtime/mod.ts";
import { recordId } from "../../../support/records.ts";

const [path = "", people = "0", days] = Deno.args;
const monotonic = () => performance.now();
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
using store = await openKv({ kind: "file", path });
const { kv, engine } = store;
const log = createLog({ level: "error", now: Date.now, write: console.error });
await openSchema({ ...store, monotonic, random, log });
const outbox = { letters: true, events: false, random };
const { sent } = createOutboxStore(kv, { engine, monotonic });
const at = Date.now() - Number(days ?? 0) * 24 * 60 * 60 * 1000;
const BATCH = 90;
for (let from = 0; from < Number(people); from += BATCH) {
  const size = Math.min(BATCH, Number(people) - from);
  const signUps = Array.from({ length: size }, (_, index) => ({
    signUp: { email: `asked${from + index}@example.com` },
    at: new Date(at + from % 1_000).toISOString(),
    id: recordId(),
  }));
  await storeSignUps(kv, signUps, { outbox });
  if (days === undefined) continue;
  const entries = await readDue(kv, "letters", { limit: BATCH });
  await Promise.all(entries.map((entry) => sent(entry, at + from % 1_000)));
}
