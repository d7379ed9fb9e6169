/** Makes the daily backup in one of the processes, and removes old backups once the new backup is complete. @module */
import {
  type BackupObject,
  momentOfName,
  nameObject,
  sortObjects,
} from "../../../shared/backup_objects.ts";
import { createRandomIds, DAY, type Runtime } from "../../runtime/mod.ts";
import { noteDone, writeAuditEntry } from "../audit/mod.ts";
import { backupsKey, CLIENTS, createLeasedWork, type Kv, SIGN_UPS } from "../kv/mod.ts";
import { backUp } from "./back_up.ts";
import type { BackupWriter } from "./backup_writer.ts";
import type { BackupTarget } from "./folder.ts";
import { hasEntries, isRestoring } from "./restore.ts";
import { isBackupDue, type MadeBackups, readMadeBackups } from "./made_backups.ts";

/**
 * How long a write of a backup takes at most, in milliseconds. If an unfinished file is older, its write was
 * interrupted.
 */
const MAX_WRITE_MS = DAY;

export interface DailyBackupOptions {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "monotonic" | "random" | "log" | "repeat">;
  target: Pick<BackupTarget, "clean" | "names" | "remove">;
  writer: BackupWriter;
  /** The time of the backup, in minutes after midnight UTC. */
  at: number;
  /** The number of backups that are kept. */
  keep: number;
  /** The place of backups, as `placeOf()` names it. */
  place: string;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
  /** Is called each time the state of the last backups was read. */
  onRead: (made: MadeBackups) => void;
}

/** Makes the function that makes a backup if a backup is due and no other process is making it. */
export function createDailyBackup(
  { kv, runtime, target, writer, at, keep, place, stopping, onRead }: DailyBackupOptions,
): () => Promise<void> {
  const { now, monotonic, random, log, repeat } = runtime;
  const startedAt = now();
  const nextId = createRandomIds({ length: 16, random });
  const doLeasedWork = createLeasedWork<MadeBackups>(backupsKey("made"), {
    kv,
    random,
    now,
    repeat,
  });

  /** Writes a backup. @returns what the store keeps about the backup */
  async function writeBackup(leaseLost: AbortSignal): Promise<NonNullable<MadeBackups["last"]>> {
    const moment = now();
    const began = monotonic();
    const at = new Date(moment).toISOString();
    const name = nameObject({ moment: momentOfName(at), kind: "backup" }, writer.isEncrypted);
    // Writes the audit entry before the backup, so that no backup leaves the service unnoticed.
    const entry = { at, id: nextId(), action: "scheduledBackup", details: { name } };
    await writeAuditEntry(kv, entry);
    const bytes = await writer.write(name, backUp(kv, moment), leaseLost);
    log.info("backup made", { name, bytes, ms: Math.round(monotonic() - began) });
    return { at, name, bytes };
  }

  /** Makes a backup, and removes old ones. If the backup fails, the new state tells the reason. */
  async function makeBackup(
    state: Partial<MadeBackups>,
    leaseLost: AbortSignal,
  ): Promise<MadeBackups> {
    let last: NonNullable<MadeBackups["last"]>;
    try {
      last = await writeBackup(leaseLost);
    } catch (error) {
      if (stopping.aborted || leaseLost.aborted) return state;
      const reason = (error as Error).message;
      log.error("backup failed; will try again in an hour", { error: reason });
      const failed = { at: new Date(now()).toISOString(), reason };
      return { ...state, failed, failedPlace: place };
    }
    await noteDone("backup", { kv, now });
    await removeOld(target, { keep, now: now() }).catch((error) =>
      log.warn("could not remove old backups; will try again after the next backup", {
        error: error.message,
      })
    );
    return { last };
  }

  return async () => {
    const made = await readMadeBackups(kv);
    onRead(made);
    const isDue = (state: MadeBackups) => isBackupDue(state, { at, now: now(), startedAt, place });
    if (!isDue(made)) return;
    if (await isRestoring(kv)) return;
    // An empty store gets no backup. Otherwise the new backup could cause the removal of the oldest backup, which an
    // operator may be about to restore.
    if (!made.last && !await hasEntries(kv, SIGN_UPS) && !await hasEntries(kv, CLIENTS)) return;
    await doLeasedWork(isDue, makeBackup);
  };
}

/**
 * Removes all but the newest `keep` backups. Also removes the erasure marks that are beside the removed backups, and
 * the files of interrupted writes.
 * @param options.now the present moment, in milliseconds since 1970
 */
async function removeOld(
  target: DailyBackupOptions["target"],
  { keep, now }: { keep: number; now: number },
): Promise<void> {
  await target.clean(now - MAX_WRITE_MS);
  const names = await target.names();
  const kept = sortObjects(names, "backup").slice(-keep);
  const isOld = ({ moment }: BackupObject) => moment < (kept[0]?.moment ?? "");
  const objects = [...sortObjects(names, "backup"), ...sortObjects(names, "erasures")];
  for (const { name } of objects.filter(isOld)) await target.remove(name);
}
