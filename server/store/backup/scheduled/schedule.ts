/** When a backup is due, and what is known of the last ones. @module */
import type { Overview } from "../../../../shared/operator_schemas.ts";
import type { Config } from "../../../config/mod.ts";
import { DAY, HOUR, MINUTE } from "../../../runtime/mod.ts";
import { backupsKey, findValue, type Kv, type Leased } from "../../kv/mod.ts";

/** What the operator's overview shows of backups. */
export type ShownBackups = NonNullable<Overview["backups"]>;

/** What `["backups", "made"]` holds. */
export interface MadeBackups extends Leased, Pick<ShownBackups, "last" | "failed"> {
  /** Where the last backup that failed was to go, as `placeOf()` names it. */
  failedPlace?: string;
}

/** Names where backups go; an operator who corrects `BACKUP_URL` does not wait for the next hour. */
export function placeOf(location: NonNullable<Config["backup"]>["location"]): string {
  if (location.kind === "folder") return location.path;
  const { endpoint, bucket, prefix } = location;
  return `s3://${bucket}/${prefix}?endpoint=${endpoint}`;
}

/**
 * Whether a backup is due: once a day at a minute of the day in UTC, and an hour after a try that failed. A try before
 * this process began, or at another place, holds nothing back, as an operator restarts the service after a correction.
 *
 * @param options.startedAt when this process began, in milliseconds since 1970
 * @param options.place where its backups go
 */
export function isBackupDue(
  { last, failed, failedPlace }: MadeBackups,
  { at, now, startedAt, place }: { at: number; now: number; startedAt: number; place: string },
): boolean {
  const today = Math.floor(now / DAY) * DAY + at * MINUTE;
  const due = today <= now ? today : today - DAY;
  const lastAt = last ? Date.parse(last.at) : -Infinity;
  // A backup of a clock that was ahead would put off the next one.
  if (lastAt >= due && lastAt <= now + HOUR) return false;
  if (failedPlace !== place) return true;
  const failedAt = failed ? Date.parse(failed.at) : -Infinity;
  return failedAt < Math.max(due, startedAt) || failedAt > now || now - failedAt >= HOUR;
}

export const readMadeBackups = async (kv: Kv): Promise<MadeBackups> =>
  await findValue<MadeBackups>(kv, backupsKey("made")) ?? {};

/** Gives what the overview says of them. */
export async function readBackups(
  kv: Kv,
  { at, keep }: NonNullable<Config["backup"]>,
): Promise<ShownBackups> {
  const { last, failed } = await readMadeBackups(kv);
  return {
    at: new Date(at * MINUTE).toISOString().slice(11, 16),
    keep,
    ...last && { last },
    ...failed && { failed },
  };
}
