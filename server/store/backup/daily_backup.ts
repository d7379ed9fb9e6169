/**
 * Makes the daily backup in one of the processes, and removes old backups after a good one. @module
 */
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

/** A time that is longer than any write of a backup, in milliseconds. */
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
  /** Is called with what the store knows of the last backups, each time it was read. */
  onRead: (made: MadeBackups) => void;
}

/** Makes a function that makes a backup if one is due, and no other process makes it. */
export function createDailyBackup(
  { kv, runtime, target, writer, at, keep, place, stopping, onRead }: DailyBackupOptions,
): () => Promise<void> {
  const { now, monotonic, random, log, repeat } = runtime;
  const startedAt = now();
  const nextId = createRandomIds({ length: 16, random });
  const makeAlone = createLeasedWork<MadeBackups>(backupsKey("made"), { kv, random, now, repeat });

  async function makeBackup(state: MadeBackups = {}, lost: AbortSignal): Promise<MadeBackups> {
    const begun = now();
    const from = monotonic();
    const beganAt = new Date(begun).toISOString();
    const name = nameObject({ moment: momentOfName(beganAt), kind: "backup" }, writer.isEncrypted);
    try {
      // Writes the audit entry before the backup, so that no backup leaves the service unnoticed.
      const entry = { at: beganAt, id: nextId(), action: "scheduledBackup", details: { name } };
      await writeAuditEntry(kv, entry);
      const bytes = await writer.write(name, backUp(kv, begun), lost);
      log.info("backup made", { name, bytes, ms: Math.round(monotonic() - from) });
      await noteDone("backup", { kv, now });
      await removeOld(target, { keep, now: now() }).catch((error) =>
        log.warn("could not remove old backups; will try again after the next backup", {
          error: error.message,
        })
      );
      return { last: { at: beganAt, name, bytes } };
    } catch (error) {
      if (stopping.aborted || lost.aborted) return state;
      const reason = (error as Error).message;
      log.error("backup failed; will try again in an hour", { error: reason });
      const failed = { at: new Date(now()).toISOString(), reason };
      return { ...state, failed, failedPlace: place };
    }
  }

  return async () => {
    const made = await readMadeBackups(kv);
    onRead(made);
    const isDue = (state: MadeBackups = {}) =>
      isBackupDue(state, { at, now: now(), startedAt, place });
    if (!isDue(made)) return;
    if (await isRestoring(kv)) return;
    // An empty store gets no backup. A new backup could cause the oldest one to be removed, and an operator may be
    // about to restore that one.
    if (!made.last && !await hasEntries(kv, SIGN_UPS) && !await hasEntries(kv, CLIENTS)) return;
    await makeAlone(isDue, makeBackup);
  };
}

/**
 * Removes the backups before the last `keep` ones with their erasure marks, and what unfinished writes have left.
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
  const all = [...sortObjects(names, "backup"), ...sortObjects(names, "erasures")];
  for (const { name } of all.filter(isOld)) await target.remove(name);
}
