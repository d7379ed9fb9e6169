/**
 * Begins, resumes and ends the restore of a backup. A restore needs an empty store. Until the restore ends, only lines
 * of this backup can be restored. `restore_lines.ts` stores the lines. @module
 */
import type { AuditEntry, RequestedRestore, Restore } from "../../../shared/operator_schemas.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  changeEntry,
  CLIENTS,
  findValue,
  type Key,
  type Kv,
  readEntries,
  RESTORE,
  SIGN_UPS,
} from "../kv/mod.ts";

/** Why a restore cannot begin or go on. */
export type RestoreConflict =
  /** There are sign-ups or clients, and no restore has begun. */
  | "not_empty"
  /** The store holds a part of this backup. */
  | "begun"
  /** The store holds a part of another backup. */
  | "other"
  /** No restore of this backup has begun. */
  | "not_begun";

/** The restore that has begun or goes on, or the reason why it cannot begin or go on. */
export type BeginRestoreOutcome = { restore: Restore } | { conflict: RestoreConflict };

/** The value of the key {@linkcode RESTORE}. */
export interface StoredRestore extends Restore {
  /** Present until a line of the backup is stored. Until then, the restore of another backup may begin. */
  pending?: true;
}

/**
 * Begins or resumes a restore. The restore of another backup can still begin until {@linkcode claimStore} is called, at
 * the first good line of this backup.
 * @param now the present moment, in milliseconds since 1970
 */
export async function beginRestore(
  kv: Kv,
  { checksum, counts, resume = false }: RequestedRestore,
  now: number,
  audit?: AuditEntry,
): Promise<BeginRestoreOutcome> {
  const restore: Restore = { checksum, counts, startedAt: new Date(now).toISOString() };
  return await changeEntry<StoredRestore, BeginRestoreOutcome>(kv, RESTORE, async (stored) => {
    if (stored) {
      const { pending: isPending, ...storedRestore } = stored;
      const isSameBackup = storedRestore.checksum === checksum;
      if (isSameBackup && resume) return { result: { restore: storedRestore } };
      if (!isPending) return { result: { conflict: isSameBackup ? "begun" : "other" } };
    }
    if (await hasSignUpsOrClients(kv)) return { result: { conflict: "not_empty" } };
    return { newValue: { ...restore, pending: true }, result: { restore } };
  }, (commit) => setAuditEntry(commit, audit));
}

/** Whether the store has a sign-up or a client, even if its entry cannot be read. */
export const hasSignUpsOrClients = async (kv: Kv): Promise<boolean> =>
  await hasEntries(kv, SIGN_UPS) || await hasEntries(kv, CLIENTS);

async function hasEntries(kv: Kv, list: { prefix: Key }): Promise<boolean> {
  const firstBatch = await readEntries(kv, { ...list, limit: 1 }).next();
  return !firstBatch.done;
}

/**
 * Reserves the store for the backup whose restore has begun, so that no other restore can begin.
 * @returns `false` if the restore of this backup has ended meanwhile
 */
export function claimStore(kv: Kv, checksum: string, audit?: AuditEntry): Promise<boolean> {
  return changeEntry<StoredRestore, boolean>(kv, RESTORE, (stored) => {
    if (stored?.checksum !== checksum) return { result: false };
    const { pending: isPending, ...restore } = stored;
    return { newValue: isPending ? restore : undefined, result: true };
  }, (commit) => setAuditEntry(commit, audit));
}

/** Finds the restore that is under way. */
export const findRestore = (kv: Kv): Promise<StoredRestore | undefined> =>
  findValue<StoredRestore>(kv, RESTORE);

/**
 * Whether lines of a backup are being restored. A restore that has stored no line does not count, because it may never
 * end: an operator does not send a file again if all of its lines were refused.
 */
export async function isRestoring(kv: Kv): Promise<boolean> {
  const restore = await findRestore(kv);
  return restore !== undefined && !restore.pending;
}

/** Ends a restore. Changes nothing if another restore has begun since. */
export async function endRestore(
  kv: Kv,
  { checksum, startedAt }: Pick<Restore, "checksum" | "startedAt">,
  audit?: AuditEntry,
): Promise<void> {
  await changeEntry<StoredRestore, void>(kv, RESTORE, (stored) => {
    const isThisRestore = stored?.checksum === checksum && stored.startedAt === startedAt;
    return { newValue: isThisRestore ? null : undefined, result: undefined };
  }, (commit) => setAuditEntry(commit, audit));
}
