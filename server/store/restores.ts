/**
 * Restores a backup into an empty store. From its first line to its end the store belongs to that one
 * backup, by a key that holds its checksum. Lines can be stored again and again, so a restore that was
 * cut goes on by sending them anew.
 *
 * @module
 */
import { base64url } from "jose";
import type { LineOf } from "../../shared/backup_lines.ts";
import type {
  BackupLine,
  NewRestore,
  Restore,
  RestoredLines,
} from "../../shared/operator_schemas.ts";
import type { Client } from "../oauth/clients.ts";
import { type BulkSignUp } from "../waitlist/bulk_sign_ups.ts";
import { joinErasureKeys } from "../waitlist/erasure.ts";
import { mergeRestored } from "../waitlist/imported.ts";
import { storeBulkSignUps } from "./bulk_sign_ups.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import { readEntries } from "./entries.ts";
import { clientKey, CLIENTS, erasedKey, ERASURE_KEY, RESTORE, SIGN_UPS } from "./keys.ts";
import type { OpenKv } from "./open.ts";

/** Why a restore cannot begin or go on. */
export type RestoreConflict =
  /** There are sign-ups or clients, and no restore has begun. */
  | "not_empty"
  /** The store holds a part of this very backup. */
  | "begun"
  /** The store holds a part of another backup. */
  | "other"
  /** There is no restore to go on with. */
  | "not_begun";

/** A restore as it is kept. */
interface StoredRestore extends Restore {
  /** No line has been stored yet: the store is still free for any backup. */
  pending?: true;
}

/**
 * Begins to restore a backup, or goes on with it where that is asked for. The store belongs to the backup
 * once {@linkcode claimStore} is called for its first line, so that a file whose lines are all refused
 * leaves the store free.
 *
 * @param now milliseconds since 1970
 */
export async function beginRestore(
  kv: Deno.Kv,
  { checksum, counts, resume = false }: NewRestore,
  now: number,
): Promise<{ restore: Restore } | { conflict: RestoreConflict }> {
  const entry = await withDeadline(DEADLINE_MS, () => kv.get<StoredRestore>(RESTORE));
  if (entry.value) {
    const { pending, ...restore } = entry.value;
    const isSame = restore.checksum === checksum;
    if (isSame && resume) return { restore };
    if (!pending) return { conflict: isSame ? "begun" : "other" };
  }
  for (const selector of [SIGN_UPS, CLIENTS]) {
    if (await hasEntries(kv, selector)) return { conflict: "not_empty" };
  }
  const restore = { checksum, counts, startedAt: new Date(now).toISOString() };
  const stored: StoredRestore = { ...restore, pending: true };
  const commit = kv.atomic().check(entry).set(RESTORE, stored);
  const { ok } = await withDeadline(DEADLINE_MS, () => commit.commit());
  return ok ? { restore } : { conflict: "other" };
}

/** Whether there are entries, of which the first may be one that cannot be read. */
async function hasEntries(kv: Deno.Kv, { prefix }: { prefix: Deno.KvKey }): Promise<boolean> {
  const first = await readEntries(kv, { prefix, batchSize: 1 }).next();
  return !first.done;
}

/** Gives the store to the backup whose restore has begun; false where there is no such restore any more. */
export async function claimStore(kv: Deno.Kv, checksum: string): Promise<boolean> {
  return await withDeadline(DEADLINE_MS, async (signal) => {
    for (;;) {
      signal.throwIfAborted();
      const entry = await kv.get<StoredRestore>(RESTORE);
      if (entry.value?.checksum !== checksum) return false;
      const { pending, ...restore } = entry.value;
      if (!pending) return true;
      if ((await kv.atomic().check(entry).set(RESTORE, restore).commit()).ok) return true;
    }
  });
}

/** The restore that is under way, and whether nothing of it is stored yet; `undefined` for none. */
export async function findRestore(kv: Deno.Kv): Promise<StoredRestore | undefined> {
  const { value } = await withDeadline(DEADLINE_MS, () => kv.get<StoredRestore>(RESTORE));
  return value ?? undefined;
}

/** Ends a restore; the store then belongs to no backup. */
export async function endRestore(kv: Deno.Kv): Promise<void> {
  await withDeadline(DEADLINE_MS, () => kv.delete(RESTORE));
}

/** Stores lines of a backup; header, counters and end have nothing to store. */
export async function restoreLines(store: OpenKv, lines: BackupLine[]): Promise<RestoredLines> {
  const { kv } = store;
  const result: RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
  const tally = (isNew: boolean) => isNew ? result.restored++ : result.unchanged++;

  for (const line of lines) {
    if (line.kind === "erasure_key") tally(await restoreErasureKey(kv, line));
    if (line.kind === "client") tally(await restoreClient(kv, line));
  }
  result.restored += await restoreErasures(kv, lines.filter((line) => line.kind === "erased"));

  const bulkSignUps = lines.filter((line) => line.kind === "sign_up").map(toBulkSignUp);
  for (const outcome of await storeBulkSignUps(store, bulkSignUps)) {
    if (typeof outcome === "object") throw new Error(outcome.refused);
    if (outcome === "erased") result.erased++;
    else tally(outcome !== "unchanged");
  }
  return result;
}

function toBulkSignUp({ signUp: { email, ...record } }: LineOf<"sign_up">): BulkSignUp {
  return {
    email,
    answers: { role: record.role, building: record.building },
    consentedAt: record.consentedAt,
    merge: (existing) => mergeRestored(existing, record),
  };
}

async function restoreClient(kv: Deno.Kv, { client }: LineOf<"client">): Promise<boolean> {
  const key = clientKey(client.clientId);
  const commit = kv.atomic().check({ key, versionstamp: null }).set(key, client satisfies Client);
  return (await withDeadline(DEADLINE_MS, () => commit.commit())).ok;
}

/** Marks that share a commit; it takes 1,000 mutations. */
const MARKS_AT_ONCE = 500;

async function restoreErasures(kv: Deno.Kv, lines: LineOf<"erased">[]): Promise<number> {
  for (let from = 0; from < lines.length; from += MARKS_AT_ONCE) {
    const commit = kv.atomic();
    for (const { mark, erasedAt } of lines.slice(from, from + MARKS_AT_ONCE)) {
      commit.set(erasedKey(mark), erasedAt);
    }
    await withDeadline(DEADLINE_MS, () => commit.commit());
  }
  return lines.length;
}

/** Puts the backup's key behind the store's own, which has marks of its own. */
async function restoreErasureKey(kv: Deno.Kv, line: LineOf<"erasure_key">): Promise<boolean> {
  for (;;) {
    const entry = await withDeadline(DEADLINE_MS, () => kv.get<Uint8Array>(ERASURE_KEY));
    const own = entry.value ?? new Uint8Array();
    const keys = joinErasureKeys(own, base64url.decode(line.key));
    if (keys.length === own.length) return false;
    const commit = kv.atomic().check(entry).set(ERASURE_KEY, keys);
    if ((await withDeadline(DEADLINE_MS, () => commit.commit())).ok) return true;
  }
}
