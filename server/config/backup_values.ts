/** The variables for backups, and the functions that read their values. @module */
import { parseS3Url, type S3Location } from "../../shared/s3_location.ts";
import { redactUrl } from "../../shared/redact_url.ts";
import { holdsServiceCode, toPermittedPath } from "./paths.ts";
import { secretMatching, wholeNumber } from "./values.ts";

/** The place of backups that `BACKUP_URL` names. The access key of a bucket comes from other variables. */
export type BackupLocation = { kind: "folder"; path: string } | S3Location;

function parseBackupUrl(text: string): BackupLocation {
  if (text.startsWith("s3:")) return parseS3Url(text);
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    const shown = redactUrl(text);
    throw new Error(`is '${shown}'; it must be the path of a folder, or s3://bucket/prefix`);
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
function parseTimeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (minutes !== undefined) return 60 * Number(hours) + Number(minutes);
  throw new Error(`is '${text}'; it must be a time of the day in UTC, from 00:00 to 23:59`);
}

/** Reads public keys of age, separated by spaces. Their checksums are verified when the service starts. */
function parseRecipients(text: string): string[] {
  return text.trim().split(/\s+/).map((key) => {
    if (/^age1[02-9ac-hj-np-z]{50,}$/.test(key)) return key;
    const shown = /AGE-(?:SECRET-KEY|PLUGIN)/i.test(key) ? "a secret key" : `'${key}'`;
    throw new Error(`has ${shown}, which is not a public key of age; it begins with age1`);
  });
}

const parseAccessKey = secretMatching(
  /^[\x21-\x7e]+$/,
  "has a space or a character that no key has; copy it again",
);

/** The variables for backups, as a part of the table in `variables.ts`. */
export const BACKUP_VARIABLES = {
  BACKUP_URL: {
    meaning: "The folder or bucket of [backups](operate.md#backups-that-happen-by-themselves)",
    example: "/var/backups/waitlist",
    parse: parseBackupUrl,
  },
  BACKUP_AT: {
    meaning: "The time of the daily backup, in UTC",
    parse: parseTimeOfDay,
    default: "03:00",
  },
  BACKUP_KEEP: {
    meaning: "The number of backups that are kept",
    parse: wholeNumber(1, 10_000),
    default: "14",
  },
  BACKUP_RECIPIENT: {
    meaning: "The age public keys for which backups are encrypted, separated by spaces",
    example: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
    parse: parseRecipients,
  },
  AWS_ACCESS_KEY_ID: {
    meaning: "The id of the access key for a bucket",
    example: "the id of the access key",
    parse: parseAccessKey,
  },
  AWS_SECRET_ACCESS_KEY: {
    meaning: "The secret of the access key for a bucket",
    example: "the secret access key",
    parse: parseAccessKey,
    secret: true as const,
  },
};
