/** When a backup is due, and what is known of the last ones. @module */
import type { Overview } from "../../../../shared/operator_schemas.ts";
import type { Config } from "../../../config/mod.ts";
import { DAY, HOUR, MINUTE } from "../../../runtime/mod.ts";
import { backupsKey, findValue, type Kv, type Leased } from "../../kv/mod.ts";

type ShownBackups = NonNullable<Overview["backups"]>;

/** What `["backups", "made"]` holds. */
export interface MadeBackups extends Leased, Pick<ShownBackups, "last" | "failed"> {}

/** Whether a backup is due: once a day at a minute of the day in UTC, and an hour after a try that failed. */
export function isBackupDue(
  { last, failed }: MadeBackups,
  { at, now }: { at: number; now: number },
): boolean {
  const today = Math.floor(now / DAY) * DAY + at * MINUTE;
  const due = today <= now ? today : today - DAY;
  const lastAt = last ? Date.parse(last.at) : -Infinity;
  // A backup of a clock that was ahead would put off the next one.
  if (lastAt >= due && lastAt <= now + HOUR) return false;
  const failedAt = failed ? Date.parse(failed.at) : -Infinity;
  return failedAt < due || failedAt > now || now - failedAt >= HOUR;
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
