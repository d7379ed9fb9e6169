/** The functions that read the values of the variables for backups. @module */
import { parseS3Url, type S3Location } from "../../shared/s3_location.ts";
import { redactUrl } from "../../shared/redact_url.ts";
import { holdsServiceCode, toPermittedPath } from "./paths.ts";
import { secretMatching } from "./values.ts";

/** The place of backups that `BACKUP_URL` names. The access key of a bucket comes from other variables. */
export type BackupLocation = { kind: "folder"; path: string } | S3Location;

/** Reads `BACKUP_URL`: the path of a folder, or the URL of a bucket. */
export function parseBackupUrl(text: string): BackupLocation {
  if (text.startsWith("s3:")) return parseS3Url(text);
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    throw new Error(
      `is '${redactUrl(text)}'; it must be the path of a folder, or s3://bucket/prefix`,
    );
  }
  const path = toPermittedPath(text);
  if (holdsServiceCode(path)) {
    throw new Error(
      `is '${text}'; the service may write to that folder, and '${path}' holds its own code. ` +
        "Give backups a folder of their own",
    );
  }
  return { kind: "folder", path };
}

/** Reads a time of the day in UTC, such as `03:00`. Gives the minutes since midnight. */
export function parseTimeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (minutes !== undefined) return 60 * Number(hours) + Number(minutes);
  throw new Error(`is '${text}'; it must be a time of the day in UTC, from 00:00 to 23:59`);
}

/** Reads public keys of age, separated by spaces. Their checksums are verified when the service starts. */
export function parseRecipients(text: string): string[] {
  return text.trim().split(/\s+/).map((key) => {
    if (/^age1[02-9ac-hj-np-z]{50,}$/.test(key)) return key;
    const shownKey = /AGE-(?:SECRET-KEY|PLUGIN)/i.test(key) ? "a secret key" : `'${key}'`;
    throw new Error(`has ${shownKey}, which is not a public key of age; it begins with age1`);
  });
}

/** Reads the id or the secret of an access key. Errors never quote it. */
export const parseAccessKey = secretMatching(
  /^[\x21-\x7e]+$/,
  "has a space or a character that no key has; copy it again",
);
