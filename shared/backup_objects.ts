/**
 * The names of the objects under `BACKUP_URL`: the backups of the service, and beside a backup the erasure marks that
 * were made after it.
 *
 * @module
 */

/** The name of a backup, or of the erasure marks made after a backup. */
export interface BackupObject {
  name: string;
  /** The time when the backup began, such as `20261123T030000Z`. These texts sort by time. */
  moment: string;
  kind: "backup" | "erasures";
}

/**
 * Returns the name of a new object.
 *
 * @param sealed whether the object is encrypted by age
 */
export function nameObject(
  { moment, kind }: Omit<BackupObject, "name">,
  sealed: boolean,
): string {
  const ofErasures = kind === "erasures" ? ".erasures" : "";
  const ofSealed = sealed ? ".age" : "";
  return `waitlist-${moment}${ofErasures}.ndjson.gz${ofSealed}`;
}

/** Returns a date-time in UTC in the form of names: `20261123T030000Z` for `2026-11-23T03:00:00.000Z`. */
export function momentOfName(dateTime: string): string {
  return dateTime.replace(/[-:]|\.\d+/g, "");
}

/** Reads the name of an object; `undefined` if the service gives no such name. */
export function readObjectName(name: string): BackupObject | undefined {
  const [, moment, erasures] =
    /^waitlist-(\d{8}T\d{6}Z)(\.erasures)?\.ndjson\.gz(?:\.age)?$/.exec(name) ?? [];
  return moment === undefined
    ? undefined
    : { name, moment, kind: erasures ? "erasures" : "backup" };
}

/** Returns the objects of a kind among some names, the oldest first. */
export function sortObjects(names: string[], kind: BackupObject["kind"]): BackupObject[] {
  return names.flatMap((name) => readObjectName(name) ?? [])
    .filter((object) => object.kind === kind)
    .sort((a, b) => a.moment < b.moment ? -1 : 1);
}
