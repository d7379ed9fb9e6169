/**
 * Backups: a copy of people and of what belongs to them (`back_up.ts`), its restore into an empty store (`restore.ts`,
 * `restore_lines.ts`), and the backups that the service makes by itself (`start_backups.ts`). @module
 */
import type {
  AuditEntry,
  BackupLine,
  RequestedRestore,
  Restore,
} from "../../../shared/operator_schemas.ts";
import type { Config } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { noteDone } from "../audit/mod.ts";
import { type OperatorKvs, withinDeadline } from "../kv/mod.ts";
import { backUp } from "./back_up.ts";
import {
  beginRestore,
  type BeginRestoreOutcome,
  claimStore,
  endRestore,
  findRestore,
  type StoredRestore,
} from "./restore.ts";
import { restoreLines, type StoredLines } from "./restore_lines.ts";
import { readBackups, type ShownBackups } from "./made_backups.ts";
export { isRestoring, type RestoreConflict } from "./restore.ts";
export { readBackups } from "./made_backups.ts";
export { startBackups } from "./start_backups.ts";

/** What the operator's operations do with backups. */
export interface BackupStore {
  /** Makes a backup as NDJSON, some lines at a time. */
  backUp: () => AsyncGenerator<string>;
  /** Reads the last backups that the service made by itself; `undefined` without `BACKUP_URL`. */
  readBackups: () => Promise<ShownBackups | undefined>;
  /** Finds the restore that is under way. */
  findRestore: () => Promise<StoredRestore | undefined>;
  /** Begins a restore into an empty store, or resumes a restore. */
  beginRestore: (restore: RequestedRestore, audit: AuditEntry) => Promise<BeginRestoreOutcome>;
  /**
   * Reserves the store for the backup whose restore has begun, so that no other restore can begin.
   * @returns `false` if that restore has ended meanwhile
   */
  claimStore: (checksum: string, audit: AuditEntry) => Promise<boolean>;
  /** Stores lines of a backup. @returns the numbers of stored lines, and the first line that was refused */
  restoreLines: (lines: BackupLine[], audit: AuditEntry) => Promise<StoredLines>;
  /** Ends a restore. Changes nothing if another restore has begun since. */
  endRestore: (
    restore: Pick<Restore, "checksum" | "startedAt">,
    audit: AuditEntry,
  ) => Promise<void>;
}

/** What the store of backups needs. */
export interface BackupStoreOptions extends OperatorKvs, Pick<Runtime, "now" | "random"> {
  /** Reads clients and keys again. Resolves once this process knows the clients that were restored. */
  learnCredentials: () => Promise<void>;
  backup?: Config["backup"];
}

/** Makes the store for one call of an operator, with the two KVs of this call; see `OperatorKvs`. */
export function createBackupStore(
  { kv, longKv, now, random, learnCredentials, backup }: BackupStoreOptions,
): BackupStore {
  return {
    async *backUp() {
      yield* backUp(kv, now());
      await noteDone("backup", { kv, now });
    },
    readBackups: async () => backup && await readBackups(kv, backup),
    findRestore: () => findRestore(kv),
    beginRestore: (restore, audit) => beginRestore(kv, restore, now(), audit),
    claimStore: (checksum, audit) => claimStore(kv, checksum, audit),
    async restoreLines(lines, audit) {
      // The request body of a restore arrives in parts. Each part gets a deadline of its own, because the whole body
      // may take longer.
      const restored = await withinDeadline(longKv, (kv) => {
        return restoreLines({ kv, random }, lines, { now: now(), audit });
      });
      if (lines.some(({ kind }) => kind === "client")) await learnCredentials();
      return restored;
    },
    endRestore: (restore, audit) => endRestore(kv, restore, audit),
  };
}
