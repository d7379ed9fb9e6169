/**
 * The state of the backups that the service makes by itself: reads what the store knows of the last backups, and says
 * whether a backup is due. @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { Config } from "../../config/mod.ts";
import { DAY, HOUR, MINUTE } from "../../runtime/mod.ts";
import { backupsKey, findValue, type Kv, type LeaseState } from "../kv/mod.ts";

/** What the operator's overview shows of backups. */
export type ShownBackups = NonNullable<Overview["backups"]>;

/** The value of the key `["backups", "made"]`. */
export interface MadeBackups extends LeaseState, Pick<ShownBackups, "last" | "failed"> {
  /**
   * The name of the place of the last backup that failed; see {@linkcode placeNameOf}. Only a backup at the same place
   * waits for an hour after the failure.
   */
  failedPlace?: string;
}

/** Gives the name of the place of backups: the path of the folder, or the `s3:` URL of the bucket. */
export function placeNameOf(location: NonNullable<Config["backup"]>["location"]): string {
  if (location.kind === "folder") return location.path;
  const { endpoint, bucket, prefix } = location;
  return `s3://${bucket}/${prefix}?endpoint=${endpoint}`;
}

/** What decides whether a backup is due, besides the last backups. */
interface DueOptions {
  /** The time of the daily backup, in minutes after midnight UTC. */
  timeOfDay: number;
  /** The present moment, in milliseconds since 1970. */
  now: number;
  /** When this process began, in milliseconds since 1970. */
  processStartedAt: number;
  /** The name of the place of backups; see {@linkcode placeNameOf}. */
  placeName: string;
}

/**
 * Whether a backup is due: once a day, and an hour after a failed backup. A backup that failed before this process
 * began, or at another place, delays no backup, because an operator restarts the service after a correction.
 */
export function isBackupDue(
  { last, failed, failedPlace }: MadeBackups,
  { timeOfDay, now, processStartedAt, placeName }: DueOptions,
): boolean {
  const todayAt = Math.floor(now / DAY) * DAY + timeOfDay * MINUTE;
  const dueAt = todayAt <= now ? todayAt : todayAt - DAY;
  const lastAt = last ? Date.parse(last.at) : -Infinity;
  // If the last backup was made more than an hour after the present moment, it does not count, because its moment comes
  // from a wrong clock. A smaller difference is allowed, because the clocks of processes differ a little.
  if (lastAt >= dueAt && lastAt <= now + HOUR) return false;
  if (!failed || failedPlace !== placeName) return true;
  const failedAt = Date.parse(failed.at);
  if (failedAt < dueAt || failedAt < processStartedAt) return true;
  // After a failure, the next backup waits for an hour. A failure whose moment is in the future delays no backup,
  // because the wait could be longer than an hour.
  return failedAt > now || now - failedAt >= HOUR;
}

/** Reads what the store knows of the last backups that the service made by itself. */
export const readMadeBackups = async (kv: Kv): Promise<MadeBackups> =>
  await findValue<MadeBackups>(kv, backupsKey("made")) ?? {};

/** Reads what the operator's overview shows of backups. */
export async function readBackups(
  kv: Kv,
  { timeOfDay, keep }: NonNullable<Config["backup"]>,
): Promise<ShownBackups> {
  const { last, failed } = await readMadeBackups(kv);
  return {
    at: new Date(timeOfDay * MINUTE).toISOString().slice(11, 16),
    keep,
    ...last && { last },
    ...failed && { failed },
  };
}
