/**
 * The names of the objects under `BACKUP_URL`. An object is a backup that the service has made, or it holds the erasure
 * marks that were made after a backup.
 *
 * @module
 */

/** The name of an object, and the parts of the name. */
export interface BackupObject {
  name: string;
  /** The time when the backup began, in the form `20261123T030000Z`, so that sorting as text sorts by time. */
  moment: string;
  kind: "backup" | "erasures";
}

/**
 * Returns the name of a new object.
 *
 * @param isEncrypted whether the object is encrypted by age
 */
export function nameObject(
  { moment, kind }: Omit<BackupObject, "name">,
  isEncrypted: boolean,
): string {
  const kindEnding = kind === "erasures" ? ".erasures" : "";
  const ageEnding = isEncrypted ? ".age" : "";
  return `waitlist-${moment}${kindEnding}.ndjson.gz${ageEnding}`;
}

/** Writes a date-time in UTC in the form of a `moment`: `20261123T030000Z` for `2026-11-23T03:00:00.000Z`. */
export function toObjectMoment(dateTime: string): string {
  return dateTime.replace(/[-:]|\.\d+/g, "");
}

/** Reads the name of an object; `undefined` if the name does not have the form of the service's names. */
export function readObjectName(name: string): BackupObject | undefined {
  const [, moment, erasures] =
    /^waitlist-(\d{8}T\d{6}Z)(\.erasures)?\.ndjson\.gz(?:\.age)?$/.exec(name) ?? [];
  return moment === undefined
    ? undefined
    : { name, moment, kind: erasures ? "erasures" : "backup" };
}

/**
 * Finds the objects of one kind in a list of names, and returns them with the oldest first. Other names are left out.
 */
export function selectObjects(names: string[], kind: BackupObject["kind"]): BackupObject[] {
  return names.flatMap((name) => readObjectName(name) ?? [])
    .filter((object) => object.kind === kind)
    .sort((a, b) => a.moment < b.moment ? -1 : 1);
}
