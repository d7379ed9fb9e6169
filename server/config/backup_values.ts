/** Reads the values of the variables for backups, as `values.ts` does for the others. @module */
import { fromProject, holdsProgram } from "./paths.ts";

/** Where the service puts its backups. */
export type BackupLocation = { kind: "folder"; path: string };

/** A folder; the start task names it in a permission, which no path with a comma can be. */
export function parseBackupUrl(text: string): BackupLocation {
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    throw new Error(`is '${text}'; it must be the path of a folder`);
  }
  const path = fromProject(text);
  if (holdsProgram(path)) {
    throw new Error(
      `is '${text}'; the service may write to that folder, and '${path}' holds its own code. ` +
        "Give backups a folder of their own",
    );
  }
  if (path.includes(",")) {
    throw new Error(
      `is '${text}', a path with a comma, which the start task cannot allow to write`,
    );
  }
  return { kind: "folder", path };
}

/** A time of the day in UTC, `HH:MM`, as minutes since midnight. */
export function parseTimeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (minutes !== undefined) return 60 * Number(hours) + Number(minutes);
  throw new Error(`is '${text}'; it must be a time of the day in UTC, from 00:00 to 23:59`);
}

/** Public keys of age, separated by spaces. Their checksums are looked at when the service starts. */
export function parseRecipients(text: string): string[] {
  return text.trim().split(/\s+/).map((each) => {
    if (/^age1[02-9ac-hj-np-z]{50,}$/.test(each)) return each;
    const shown = each.startsWith("AGE-SECRET-KEY-") ? "a secret key" : `'${each}'`;
    throw new Error(`has ${shown}, which is not a public key of age; it begins with age1`);
  });
}
