/**
 * The names of what the service keeps under `BACKUP_URL`: backups, each named by the moment it was begun, and beside
 * each one the marks of erasures made since.
 *
 * @module
 */

/** A backup, or the erasures made since one. */
export interface BackupObject {
  name: string;
  /** When the backup was begun, such as `20261123T030000Z`; such texts sort by time. */
  moment: string;
  kind: "backup" | "erasures";
}

/** Gives the name of a new object. @param sealed whether it is encrypted by age */
export function nameObject(
  { moment, kind }: Omit<BackupObject, "name">,
  sealed: boolean,
): string {
  return `waitlist-${moment}${kind === "erasures" ? ".erasures" : ""}.ndjson.gz${
    sealed ? ".age" : ""
  }`;
}

/** Gives a date-time in UTC, such as `2026-11-23T03:00:00.000Z`, in the form that names have. */
export function momentOfName(dateTime: string): string {
  return dateTime.replace(/[-:]|\.\d+/g, "");
}

/** Reads a name; `undefined` where it is none of ours. */
export function readObjectName(name: string): BackupObject | undefined {
  const [, moment, erasures] =
    /^waitlist-(\d{8}T\d{6}Z)(\.erasures)?\.ndjson\.gz(?:\.age)?$/.exec(name) ?? [];
  return moment === undefined
    ? undefined
    : { name, moment, kind: erasures ? "erasures" : "backup" };
}

/** Sorts the objects among some names by their moments, the oldest first. */
export function sortObjects(names: string[], kind: BackupObject["kind"]): BackupObject[] {
  return names.flatMap((name) => readObjectName(name) ?? [])
    .filter((object) => object.kind === kind)
    .sort((a, b) => a.moment < b.moment ? -1 : 1);
}
