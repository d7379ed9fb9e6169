/**
 * Starts the work on the backups that the service makes by itself: the daily backup, and the erasure marks that are
 * written beside it. `made_backups.ts` says when a backup is due. @module
 */
import { createObjectStore } from "../../../shared/s3.ts";
import { type Config, makeFolder } from "../../config/mod.ts";
import type { Metrics } from "../../observe/mod.ts";
import type { Repeating, Runtime } from "../../runtime/mod.ts";
import type { Kv } from "../kv/mod.ts";
import { createBackupWriter } from "./backup_writer.ts";
import { createDailyBackup } from "./daily_backup.ts";
import { createErasureMarkCopies } from "./erasure_mark_copies.ts";
import { type BackupPlace, createBackupFolder } from "./backup_folder.ts";
import { placeNameOf, readMadeBackups } from "./made_backups.ts";

/** The time between two checks whether some work on backups is due, in milliseconds. */
const CHECK_MS = 20_000;

/**
 * Starts the backups by a timer.
 * @throws {ConfigError} if a recipient is not a public key of age, or the folder cannot be made
 */
export async function startBackups(
  { location, timeOfDay, keep, recipients }: NonNullable<Config["backup"]>,
  { kv, runtime, metrics }: {
    kv: Kv;
    runtime: Runtime;
    metrics: Pick<Metrics, "reportBackups"> | undefined;
  },
): Promise<Repeating> {
  const { log, repeat } = runtime;
  const stopping = new AbortController();
  const place: BackupPlace = location.kind === "s3"
    ? createObjectStore(location)
    : createBackupFolder(await makeFolder("BACKUP_URL", location.path));
  const writer = await createBackupWriter(place, { recipients, stopping: stopping.signal });
  let hasFailed = (await readMadeBackups(kv)).failed !== undefined;
  metrics?.reportBackups(() => hasFailed);
  const makeBackupIfDue = createDailyBackup({
    kv,
    runtime,
    place,
    placeName: placeNameOf(location),
    writer,
    timeOfDay,
    keep,
    stopping: stopping.signal,
    onRead: (madeBackups) => hasFailed = madeBackups.failed !== undefined,
  });
  const copyErasureMarks = createErasureMarkCopies({ kv, runtime, writer });

  /** Repeats some work. Logs a failure with `message`, unless the run before failed with the same error. */
  function repeatWork(work: () => Promise<void>, message: string): Repeating {
    let lastFault = "";
    return repeat(CHECK_MS, async () => {
      try {
        await work();
        lastFault = "";
      } catch (error) {
        const fault = (error as Error).message;
        if (stopping.signal.aborted || fault === lastFault) return;
        lastFault = fault;
        log.warn(message, { error: fault });
      }
    });
  }

  const dailyBackup = repeatWork(
    makeBackupIfDue,
    "could not find out whether a backup is due; will check again later",
  );
  const erasureMarkCopies = repeatWork(
    copyErasureMarks,
    "could not write the latest erasure marks beside the last backup; will write these marks later",
  );
  return {
    async close() {
      stopping.abort(new Error("The service is stopping"));
      await dailyBackup.close();
      await erasureMarkCopies.close();
    },
  };
}
