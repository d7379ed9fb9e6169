import { createHash } from "node:crypto";
import { base64url } from "jose";
import { BACKUP_FORMAT, BACKUP_VERSION, type LineOf } from "../../shared/backup_lines.ts";
import type { BackupCounts, BackupLine } from "../../shared/operator_schemas.ts";
import { toNdjson } from "../http/ndjson.ts";
import type { Client } from "../oauth/clients.ts";
import { Recount } from "../waitlist/recount.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { DEADLINE_MS, inBatches, withDeadline } from "./deadline.ts";
import { addressOf, CLIENTS, ERASED, ERASURE_KEY, SIGN_UPS } from "./keys.ts";

/**
 * Entries that one read brings, and lines that go out together. KV would give 500 at once, but whatever
 * else the process has to do waits for them.
 */
const BATCH_SIZE = 200;

/**
 * Makes a backup: NDJSON, some lines at a time, at constant memory. The counters are those that its own
 * sign-ups add up to, whatever is written meanwhile. Erasures are read after the sign-ups: whoever is
 * erased while the backup is made has a mark in it, and is passed over when it is restored.
 *
 * @param now milliseconds since 1970
 */
export async function* backUp(kv: Deno.Kv, now: number): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const counts: BackupCounts = { signUps: 0, clients: 0, erasures: 0 };
  for await (const lines of contents(kv, now, counts)) {
    const text = toNdjson(lines);
    hash.update(text);
    yield text;
  }
  yield toNdjson([{ kind: "end", counts, sha256: hash.digest("hex") } satisfies LineOf<"end">]);
}

/** The lines before the last one; counts what is among them. */
async function* contents(
  kv: Deno.Kv,
  now: number,
  counts: BackupCounts,
): AsyncGenerator<BackupLine[]> {
  const createdAt = new Date(now).toISOString();
  yield [{ kind: "header", format: BACKUP_FORMAT, version: BACKUP_VERSION, createdAt }];

  const recount = new Recount();
  const signUps = kv.list<SignUpRecord>(SIGN_UPS, { batchSize: BATCH_SIZE });
  for await (const records of inBatches(signUps, BATCH_SIZE)) {
    counts.signUps += records.length;
    for (const { value } of records) recount.add(value, "unchanged");
    yield records.map(({ key, value }) => {
      return { kind: "sign_up", signUp: { email: addressOf(key), ...value } };
    });
  }

  for await (const clients of inBatches(kv.list<Client>(CLIENTS), BATCH_SIZE)) {
    counts.clients += clients.length;
    yield clients.map(({ value }) => ({ kind: "client", client: value }));
  }

  for await (const erased of inBatches(kv.list<string>(ERASED), BATCH_SIZE)) {
    counts.erasures += erased.length;
    yield erased.map(({ key, value }) => ({
      kind: "erased",
      mark: String(key[1]),
      erasedAt: value,
    }));
  }
  // After the marks, so that there is no mark without its key.
  const { value: key } = await withDeadline(
    DEADLINE_MS,
    () => kv.get<Uint8Array>(ERASURE_KEY),
  );
  if (key) yield [{ kind: "erasure_key", key: base64url.encode(key) }];

  yield recount.counters().map(({ counter, count }) => {
    return { kind: "counter", counter: counter.join("/"), count };
  });
}
