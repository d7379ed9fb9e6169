/**
 * Restores a backup into an empty store. From its beginning to its end the store belongs to that one
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

/**
 * Begins to restore a backup, or goes on with it where that is asked for.
 *
 * @param now milliseconds since 1970
 */
export async function beginRestore(
  kv: Deno.Kv,
  { checksum, counts, resume = false }: NewRestore,
  now: number,
): Promise<{ restore: Restore } | { conflict: RestoreConflict }> {
  const entry = await withDeadline(DEADLINE_MS, () => kv.get<Restore>(RESTORE));
  if (entry.value) {
    if (entry.value.checksum !== checksum) return { conflict: "other" };
    return resume ? { restore: entry.value } : { conflict: "begun" };
  }
  for (const selector of [SIGN_UPS, CLIENTS]) {
    const entries = await withDeadline(
      DEADLINE_MS,
      () => Array.fromAsync(kv.list(selector, { limit: 1 })),
    );
    if (entries.length > 0) return { conflict: "not_empty" };
  }
  const restore = { checksum, counts, startedAt: new Date(now).toISOString() };
  const commit = kv.atomic().check(entry).set(RESTORE, restore);
  const { ok } = await withDeadline(DEADLINE_MS, () => commit.commit());
  return ok ? { restore } : { conflict: "other" };
}

/** The restore that is under way; `undefined` where there is none. */
export async function findRestore(kv: Deno.Kv): Promise<Restore | undefined> {
  const { value } = await withDeadline(DEADLINE_MS, () => kv.get<Restore>(RESTORE));
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
