/** Makes the daily backup in one of the processes, and removes old backups once the new backup is complete. @module */
import { nameObject, selectObjects, toObjectMoment } from "../../../shared/backup_objects.ts";
import { createRandomIds, DAY, type Runtime } from "../../runtime/mod.ts";
import { noteDone, writeAuditEntry } from "../audit/mod.ts";
import { backupsKey, createLeasedWork, type Kv } from "../kv/mod.ts";
import { backUp } from "./back_up.ts";
import type { BackupWriter } from "./backup_writer.ts";
import type { BackupPlace } from "./backup_folder.ts";
import { hasSignUpsOrClients, isRestoring } from "./restore.ts";
import { isBackupDue, type MadeBackups, readMadeBackups } from "./made_backups.ts";

/**
 * How long a write of a backup takes at most, in milliseconds. If an unfinished file is older than that, its write was
 * interrupted.
 */
const MAX_WRITE_MS = DAY;

/** What the daily backup needs. */
export interface DailyBackupOptions {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "monotonic" | "random" | "log" | "repeat">;
  place: Pick<BackupPlace, "clean" | "names" | "remove">;
  writer: BackupWriter;
  /** The time of the backup, in minutes after midnight UTC. */
  timeOfDay: number;
  /** The number of the newest backups that are kept. */
  keep: number;
  /** The name of the place; see `placeNameOf()`. */
  placeName: string;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
  /** Is called each time the state of the last backups was read. */
  onRead: (madeBackups: MadeBackups) => void;
}

/** Makes the function that makes a backup if a backup is due and no other process is making a backup. */
export function createDailyBackup(
  { kv, runtime, place, placeName, writer, timeOfDay, keep, stopping, onRead }: DailyBackupOptions,
): () => Promise<void> {
  const { now, monotonic, random, log, repeat } = runtime;
  const processStartedAt = now();
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
    const writeStartedAt = monotonic();
    const madeAt = new Date(moment).toISOString();
    const name = nameObject({ moment: toObjectMoment(madeAt), kind: "backup" }, writer.isEncrypted);
    // Writes the audit entry before the backup, so that no backup leaves the service unnoticed.
    const entry = { at: madeAt, id: nextId(), action: "scheduledBackup", details: { name } };
    await writeAuditEntry(kv, entry);
    const bytes = await writer.write(name, backUp(kv, moment), leaseLost);
    log.info("backup made", { name, bytes, ms: Math.round(monotonic() - writeStartedAt) });
    return { at: madeAt, name, bytes };
  }

  /** Makes a backup, and removes old backups. If the backup fails, the returned state of the backups has the reason. */
  async function makeBackup(
    madeBackups: Partial<MadeBackups>,
    leaseLost: AbortSignal,
  ): Promise<MadeBackups> {
    let last: NonNullable<MadeBackups["last"]>;
    try {
      last = await writeBackup(leaseLost);
    } catch (error) {
      if (stopping.aborted || leaseLost.aborted) return madeBackups;
      const reason = (error as Error).message;
      log.error("backup failed; will make a new backup in an hour", { error: reason });
      const failed = { at: new Date(now()).toISOString(), reason };
      return { ...madeBackups, failed, failedPlace: placeName };
    }
    await noteDone("backup", { kv, now });
    await removeOldBackups(place, { keep, now: now() }).catch((error) =>
      log.warn("could not remove old backups; will remove them after the next backup", {
        error: error.message,
      })
    );
    return { last };
  }

  return async () => {
    const madeBackups = await readMadeBackups(kv);
    onRead(madeBackups);
    const isDue = (state: MadeBackups) =>
      isBackupDue(state, { timeOfDay, now: now(), processStartedAt, placeName });
    if (!isDue(madeBackups)) return;
    if (await isRestoring(kv)) return;
    // An empty store gets no backup. Otherwise the new backup could cause the removal of the oldest backup, which an
    // operator may be about to restore.
    if (!madeBackups.last && !await hasSignUpsOrClients(kv)) return;
    await doLeasedWork(isDue, makeBackup);
  };
}

/**
 * Removes all but the newest `keep` backups. Also removes the erasure marks that are beside the removed backups, and
 * the files of interrupted writes.
 * @param options.now the present moment, in milliseconds since 1970
 */
async function removeOldBackups(
  place: DailyBackupOptions["place"],
  { keep, now }: { keep: number; now: number },
): Promise<void> {
  await place.clean(now - MAX_WRITE_MS);
  const names = await place.names();
  const backups = selectObjects(names, "backup");
  const [oldestKeptBackup] = backups.slice(-keep);
  if (!oldestKeptBackup) return;
  const objects = [...backups, ...selectObjects(names, "erasures")];
  for (const { name, moment } of objects) {
    if (moment < oldestKeptBackup.moment) await place.remove(name);
  }
}
