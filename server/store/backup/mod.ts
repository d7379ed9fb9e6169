/** Backups: a copy of everything that is kept, and its restore into an empty store. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { noteWhenDone } from "../audit/mod.ts";
import type { OpenKv } from "../kv/mod.ts";
import { backUp } from "./back_up.ts";
import { beginRestore, claimStore, endRestore, findRestore, restoreLines } from "./restores.ts";
export { findRestore, type RestoreConflict } from "./restores.ts";

export interface BackupStoreOptions extends OpenKv, Pick<Runtime, "now" | "random"> {
  /** Resolves once this process knows a client that was restored. */
  credentialsChanged: () => Promise<void>;
}

/** Gives what the operator's operations do with backups. */
export function createBackupStore(
  { kv, engine, now, random, credentialsChanged }: BackupStoreOptions,
) {
  return {
    backUp: () => noteWhenDone(backUp(kv, now()), { kv, now, workOf: () => "backup" }),
    findRestore: () => findRestore(kv),
    beginRestore: (restore: Parameters<typeof beginRestore>[1], audit: AuditEntry) =>
      beginRestore(kv, restore, now(), audit),
    async restoreLines(lines: Parameters<typeof restoreLines>[1], audit: AuditEntry) {
      const restored = await restoreLines({ kv, engine, random }, lines, { now: now(), audit });
      if (lines.some(({ kind }) => kind === "client")) await credentialsChanged();
      return restored;
    },
    claimStore: (checksum: string, audit: AuditEntry) => claimStore(kv, checksum, audit),
    endRestore: (restore: Parameters<typeof endRestore>[1], audit: AuditEntry) =>
      endRestore(kv, restore, audit),
  };
}
