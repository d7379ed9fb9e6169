/**
 * The backups that the service makes by itself. One process makes one backup a day, and writes beside it the erasure
 * marks that are made later. Old backups are removed after a good backup. `schedule.ts` says when a backup is due.
 * @module
 */
import type { LineOf } from "../../../shared/backup_lines.ts";
import {
  type BackupObject,
  momentOfName,
  nameObject,
  sortObjects,
} from "../../../shared/backup_objects.ts";
import { createObjectStore } from "../../../shared/s3.ts";
import { type Config, makeFolder } from "../../config/mod.ts";
import { toNdjson } from "../../http/mod.ts";
import type { Metrics } from "../../observe/mod.ts";
import { createRandomIds, DAY, HOUR, type Repeating, type Runtime } from "../../runtime/mod.ts";
import { noteDone, writeAuditEntry } from "../audit/mod.ts";
import {
  backupsKey,
  CLIENTS,
  createLeasedWork,
  type Kv,
  type Leased,
  nameOf,
  readSchema,
  SIGN_UPS,
  type Version,
} from "../kv/mod.ts";
import { readErasureMarks } from "../people/mod.ts";
import { backUp } from "./back_up.ts";
import { type BackupTarget, createBackupFolder } from "./folder.ts";
import { hasEntries, isRestoring } from "./restore.ts";
import { isBackupDue, type MadeBackups, placeOf, readMadeBackups } from "./schedule.ts";
import { createSealing } from "./sealing.ts";

/**
 * The value of the key `["backups", "marks"]`: the last erasure marks that were written, and the backup beside which
 * they are.
 */
interface WrittenErasureMarks extends Leased {
  /** The name of the backup beside which the erasure marks are written. */
  backup: string;
  /**
   * The version of the schema's entry when the erasure marks were read. Each commit that makes an erasure mark
   * changes this version.
   */
  version: Version;
}

/** The time between two checks whether some work on backups is due, in milliseconds. */
const CHECK_MS = 20_000;

/** A time that is longer than any write of a backup, in milliseconds. */
const MAX_WRITE_MS = DAY;

/**
 * How long before a backup an erasure mark can be made so that it is written beside the backup as well, in
 * milliseconds. This margin is needed because the clocks of processes differ and a backup takes a while.
 */
const MARGIN_MS = HOUR;

/**
 * Starts the backups by a timer.
 * @throws {ConfigError} if a recipient is not a public key of age, or the folder cannot be made
 */
export async function startBackups(
  { location, at, keep, recipients }: NonNullable<Config["backup"]>,
  { kv, runtime, metrics }: {
    kv: Kv;
    runtime: Runtime;
    metrics: Pick<Metrics, "reportBackups"> | undefined;
  },
): Promise<Repeating> {
  const { now, monotonic, random, log, repeat } = runtime;
  const startedAt = now();
  const place = placeOf(location);
  const target: BackupTarget = location.kind === "s3"
    ? createObjectStore(location)
    : createBackupFolder(await makeFolder("BACKUP_URL", location.path));
  const { isSealed, seal } = await createSealing(recipients);
  const nextId = createRandomIds({ length: 16, random });
  const leasing = { kv, random, now, repeat };
  const makeAlone = createLeasedWork<MadeBackups>(backupsKey("made"), leasing);
  const writeMarksAlone = createLeasedWork<WrittenErasureMarks>(backupsKey("marks"), leasing);
  const stopping = new AbortController();
  let hasFailed = (await readMadeBackups(kv)).failed !== undefined;
  metrics?.reportBackups(() => hasFailed);

  async function* untilStopped<T>(steps: AsyncGenerator<T>, signal: AbortSignal) {
    for await (const step of steps) {
      signal.throwIfAborted();
      yield step;
    }
  }

  /**
   * Writes an object.
   * @param lost aborts once another process does the work
   * @returns the size of the object in bytes
   */
  async function write(
    name: string,
    texts: AsyncGenerator<string>,
    lost: AbortSignal,
  ): Promise<number> {
    const signal = AbortSignal.any([stopping.signal, lost]);
    return await target.write(name, await seal(untilStopped(texts, signal)), signal);
  }

  async function makeBackup(state: MadeBackups = {}, signal: AbortSignal): Promise<MadeBackups> {
    const begun = now();
    const from = monotonic();
    const beganAt = new Date(begun).toISOString();
    const name = nameObject({ moment: momentOfName(beganAt), kind: "backup" }, isSealed);
    try {
      // Writes the audit entry before the backup, so that no backup leaves the service unnoticed.
      const entry = { at: beganAt, id: nextId(), action: "scheduledBackup", details: { name } };
      await writeAuditEntry(kv, entry);
      const bytes = await write(name, backUp(kv, begun), signal);
      log.info("backup made", { name, bytes, ms: Math.round(monotonic() - from) });
      await noteDone("backup", { kv, now });
      await removeOld(target, { keep, now: now() }).catch((error) =>
        log.warn("could not remove old backups; will try again after the next backup", {
          error: error.message,
        })
      );
      return { last: { at: beganAt, name, bytes } };
    } catch (error) {
      if (stopping.signal.aborted || signal.aborted) return state;
      const reason = (error as Error).message;
      log.error("backup failed; will try again in an hour", { error: reason });
      const failed = { at: new Date(now()).toISOString(), reason };
      return { ...state, failed, failedPlace: place };
    }
  }

  async function makeIfDue(): Promise<void> {
    const made = await readMadeBackups(kv);
    hasFailed = made.failed !== undefined;
    const isDue = (state: MadeBackups = {}) =>
      isBackupDue(state, { at, now: now(), startedAt, place });
    if (!isDue(made)) return;
    if (await isRestoring(kv)) return;
    // An empty store gets no backup. A new backup could cause the oldest one to be removed, and an operator may be
    // about to restore that one.
    if (!made.last && !await hasEntries(kv, SIGN_UPS) && !await hasEntries(kv, CLIENTS)) return;
    await makeAlone(isDue, makeBackup);
  }

  async function writeNewErasureMarks(): Promise<void> {
    const { last } = await readMadeBackups(kv);
    if (!last) return;
    const { entry: { version, value } } = await readSchema(kv);
    const key = value?.erasureKeys;
    if (key === undefined) return;
    const moment = momentOfName(last.at);
    const isDue = (state?: WrittenErasureMarks) =>
      state?.backup !== last.name || state.version !== version;
    await writeMarksAlone(isDue, async (_state, signal) => {
      const since = new Date(Date.parse(last.at) - MARGIN_MS).toISOString();
      const name = nameObject({ moment, kind: "erasures" }, isSealed);
      await write(name, erasureLines(kv, { since, key }), signal);
      return { backup: last.name, version: version ?? "" };
    });
  }

  /** Does work again and again. Logs a failure as `line`, once as long as the same error lasts. */
  function repeatWork(work: () => Promise<void>, line: string): Repeating {
    let lastFault = "";
    return repeat(CHECK_MS, async () => {
      try {
        await work();
        lastFault = "";
      } catch (error) {
        const { message } = error as Error;
        if (stopping.signal.aborted || message === lastFault) return;
        lastFault = message;
        log.warn(line, { error: message });
      }
    });
  }

  const backups = repeatWork(
    makeIfDue,
    "could not find out whether a backup is due; will try again",
  );
  const erasureMarks = repeatWork(
    writeNewErasureMarks,
    "could not write the latest erasure marks beside the last backup; will try again",
  );
  return {
    async close() {
      stopping.abort(new Error("The service is stopping"));
      await backups.close();
      await erasureMarks.close();
    },
  };
}

/**
 * Removes the backups before the last `keep` ones with their erasure marks, and what unfinished writes have left.
 * @param options.now the present moment, in milliseconds since 1970
 */
async function removeOld(
  target: BackupTarget,
  { keep, now }: { keep: number; now: number },
): Promise<void> {
  await target.clean(now - MAX_WRITE_MS);
  const names = await target.names();
  const kept = sortObjects(names, "backup").slice(-keep);
  const isOld = ({ moment }: BackupObject) => moment < (kept[0]?.moment ?? "");
  const all = [...sortObjects(names, "backup"), ...sortObjects(names, "erasures")];
  for (const { name } of all.filter(isOld)) await target.remove(name);
}

/**
 * Gives the lines with the erasure key and with the erasure marks since a moment.
 * @param options.since a date-time
 * @param options.key the erasure keys, in base64url
 */
async function* erasureLines(
  kv: Kv,
  { since, key }: { since: string; key: string },
): AsyncGenerator<string> {
  yield toNdjson([{ kind: "erasure_key", key } satisfies LineOf<"erasure_key">]);
  for await (const { entries } of readErasureMarks(kv)) {
    const lines = entries.filter(({ value }) => value >= since)
      .map(({ key, value }): LineOf<"erased"> => {
        return { kind: "erased", mark: nameOf(key), erasedAt: value };
      });
    if (lines.length > 0) yield toNdjson(lines);
  }
}
