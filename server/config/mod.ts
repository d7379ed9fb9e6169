/**
 * The configuration of the service. This folder reads the variables of `variables.ts`, and reports all faults at once.
 * @module
 */
import type { S3Location } from "../../shared/s3_location.ts";
import type { LogLevel } from "../runtime/mod.ts";
import type { MailHook, MailTarget, Sender } from "./mail_values.ts";
import { findRepeated, type Operator } from "./operators.ts";
import { readSecretFile } from "./paths.ts";
import type { PostgresLocation } from "./postgres_url.ts";
import {
  SECRET_FILE_VARIABLES,
  SERVICE_VARIABLES,
  type Variable,
  VARIABLE_NAMES,
  type VariableName,
} from "./variables.ts";
export type { MailHook, MailTarget, Sender } from "./mail_values.ts";
export type { Operator } from "./operators.ts";
export { findOpenAccess, makeFolder, refuseOpenFolder } from "./access.ts";
export { fromProject, holdsProgram, kvFolder, PROJECT } from "./paths.ts";
export type { PostgresLocation } from "./postgres_url.ts";
export * from "./urls.ts";
export { parseSiteName } from "./values.ts";
export { ALL_VARIABLE_NAMES, SERVICE_VARIABLES } from "./variables.ts";

/**
 * The environment variables of the service as texts. A variable whose name ends in `_FILE` has the path of a file with
 * a secret. An empty text counts as absent.
 */
export type ServiceVariables = {
  [Name in VariableName | `${VariableName}_FILE`]?: string | undefined;
};

/**
 * The error for faults that the operator must correct before the next start: a wrong configuration, or wrong files in
 * `content/`.
 */
export class ConfigError extends Error {}

/**
 * The exit code for a refused configuration (`EX_CONFIG` in `sysexits.h`). It tells a supervisor that another start
 * with the same configuration is useless.
 */
export const CONFIG_EXIT_CODE = 78;

/** The parsed values of the variables. The value of a variable that is not set is its default, or `undefined`. */
type Values = {
  [Name in VariableName]:
    | ReturnType<typeof SERVICE_VARIABLES[Name]["parse"]>
    | (typeof SERVICE_VARIABLES[Name] extends { default: string } ? never : undefined);
};

export interface Config {
  /** The public origin. If `undefined`, the service uses `http://localhost:` with the bound port. */
  baseUrl: string | undefined;
  port: number;
  hostname: string;
  contact: string | undefined;
  serviceName: string;
  kv: KvLocation;
  trustedProxyHops: number;
  sandboxClient: string;
  /** The operators with keys. If there are none, the operator surface is off. */
  operators: Operator[];
  /** How letters are sent. `undefined` if no letters are sent. */
  mail: MailConfig | undefined;
  mailHook: MailHook | undefined;
  notifyTo: string | undefined;
  unconfirmedDays: number;
  remindAfterDays: number | undefined;
  /** Whether every confirmed person gets a referral link. */
  referrals: boolean;
  /** Whether the self-service page shows the place in line. */
  placeInLine: boolean;
  /** The URL to which events are sent, and the secrets that sign them. `undefined` if no events are sent. */
  webhook: { url: string; secrets: string[] } | undefined;
  /** The place and times of scheduled backups. `undefined` if the service makes no backups by itself. */
  backup: BackupConfig | undefined;
  site: SiteConfig;
  logLevel: LogLevel;
  /** The paths of the files with secrets. */
  secretFiles: string[];
  /**
   * Whether the service runs on Deno Deploy, where the platform chooses the address and the port on which the service
   * listens.
   */
  isDenoDeploy: boolean;
}

export interface MailConfig {
  target: MailTarget;
  /** The sender of letters. Absent only if letters are written to a folder; see {@linkcode senderOf}. */
  from: Sender | undefined;
  /** The envelope's sender in SMTP. By default, it is the address of `from`. */
  returnPath: string | undefined;
  /** How many letters all processes together send in a minute at most. */
  perMinute: number;
}

export interface BackupConfig {
  location:
    | { kind: "folder"; path: string }
    | (S3Location & { accessKeyId: string; secretAccessKey: string });
  /** The time of the daily backup, in minutes since midnight in UTC. */
  at: number;
  /** The number of backups that are kept. */
  keep: number;
  /** The age public keys for which backups are encrypted. */
  recipients: string[];
}

export interface SiteConfig {
  /** The overlay: a folder whose files take precedence over the files of the same name in the built-in `content/`. */
  contentPath: string | undefined;
  /** Whether scripts of the overlay may run. */
  contentScripts: boolean;
  /** The name of the site. If present, it replaces the name in `brand.yaml`. */
  siteName: string | undefined;
  embedOrigins: string[];
}

/** The place of the store: a file, a PostgreSQL database, or the KV of Deno Deploy. */
export type KvLocation =
  | { kind: "file"; path: string }
  | PostgresLocation
  | { kind: "deploy" };

/**
 * Reads the configuration. Each fault is a text with the name of the variable, what is wrong, and an example. No fault
 * quotes a secret.
 */
export function readConfig(variables: ServiceVariables): { config: Config } | { faults: string[] } {
  const faults: string[] = [];
  const noteFault: NoteFault = (name, fault) => {
    const { default: value, example = value }: Variable = SERVICE_VARIABLES[name];
    faults.push(`${name} ${fault}. Example: ${name}=${example}`);
  };
  const entries = VARIABLE_NAMES.map((name) => {
    const { parse, default: value, secret }: Variable = SERVICE_VARIABLES[name];
    const file = secret && variables[`${name}_FILE`];
    try {
      if (file && variables[name]) {
        throw new Error(`is set, and ${name}_FILE too; unset one of them`);
      }
      const text = file ? readSecretFile(file, `${name}_FILE`) : variables[name] || value;
      return [name, text ? parse(text) : undefined];
    } catch (error) {
      noteFault(name, (error as Error).message);
      return [name, undefined];
    }
  });
  const values: Values = Object.fromEntries(entries);
  findMissing(values, (name, reason) => {
    // A variable that is set is not reported as missing, because a wrong value already has a fault of its own.
    if (!variables[name] && !variables[`${name}_FILE`]) noteFault(name, `is required ${reason}`);
  });
  findConflicts(values, noteFault);
  return faults.length > 0 ? { faults } : { config: toConfig(values, variables) };
}

/** Notes a fault of a variable. The fault is a text that continues after the name of the variable. */
type NoteFault = (name: VariableName, fault: string) => void;

/**
 * Finds the variables that are needed because of other variables.
 * @param requireVariable takes the name of such a variable, and the words after "is required" in the message about it
 */
function findMissing(
  values: Values,
  requireVariable: (name: VariableName, reason: string) => void,
): void {
  const { DENO_DEPLOY, MAIL_URL, MAIL_FROM, NOTIFY_TO, WEBHOOK_URL } = values;
  if (DENO_DEPLOY) {
    requireVariable("BASE_URL", "on Deno Deploy, where the service cannot know its public address");
  }
  if (MAIL_URL && MAIL_URL.kind !== "folder") requireVariable("MAIL_FROM", "with MAIL_URL");
  const name = MAIL_FROM ? "MAIL_FROM" : NOTIFY_TO && "NOTIFY_TO";
  if (name) {
    requireVariable(
      "MAIL_URL",
      `with ${name}, as no letter is sent without it; set it, or unset ${name}`,
    );
  }
  if (values.REFERRALS === "on") {
    requireVariable("MAIL_URL", "with REFERRALS=on, because only a confirmed address has a link");
  }
  if (MAIL_URL?.kind === "api") requireVariable("MAIL_TOKEN", "with an https: MAIL_URL");
  if (WEBHOOK_URL) requireVariable("WEBHOOK_SECRET", "with WEBHOOK_URL");
  if (values.BACKUP_URL?.kind === "s3") {
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] as const) {
      requireVariable(name, "with a bucket in BACKUP_URL");
    }
    requireVariable(
      "BACKUP_RECIPIENT",
      "with a bucket, which others run: no address leaves unencrypted",
    );
  }
  if (values.BACKUP_RECIPIENT) {
    requireVariable("BACKUP_URL", "with BACKUP_RECIPIENT, as no backup is made without it");
  }
}

/** Finds values that are valid alone, but not together. */
function findConflicts(values: Values, noteFault: NoteFault): void {
  const { OPERATOR_KEY, OPERATOR_KEYS = [], MAIL_URL, KV_URL, DENO_DEPLOY } = values;
  const repeated = OPERATOR_KEY && findRepeated([OPERATOR_KEY, ...OPERATOR_KEYS]);
  if (repeated) {
    const fault = `has the ${repeated} of the operator of OPERATOR_KEY, who is called ` +
      `'${OPERATOR_KEY.name}'; give another one`;
    noteFault("OPERATOR_KEYS", fault);
  }
  const { REMIND_AFTER_DAYS: days = 0, UNCONFIRMED_DAYS } = values;
  if (days >= UNCONFIRMED_DAYS) {
    noteFault(
      "REMIND_AFTER_DAYS",
      `is '${days}', when nobody is left whose address is not confirmed`,
    );
  }
  const withoutFile = KV_URL ? "with KV_URL" : DENO_DEPLOY ? "on Deno Deploy" : undefined;
  if (MAIL_URL?.kind === "folder" && withoutFile) {
    const fault =
      `is 'file:${MAIL_URL.name}', a folder beside the KV file, and there is no KV file `;
    noteFault("MAIL_URL", fault + withoutFile);
  }
  if (DENO_DEPLOY && values.BACKUP_URL?.kind === "folder") {
    noteFault("BACKUP_URL", "is a folder, and there is no disk on Deno Deploy");
  }
}

function toConfig(values: Values, variables: ServiceVariables): Config {
  return {
    baseUrl: values.BASE_URL,
    port: values.PORT,
    hostname: values.HOST,
    contact: values.CONTACT,
    serviceName: values.SERVICE_NAME,
    kv: toKvLocation(values),
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    sandboxClient: values.SANDBOX_CLIENT,
    operators: [values.OPERATOR_KEY ?? [], values.OPERATOR_KEYS ?? []].flat(),
    mail: toMail(values),
    mailHook: values.MAIL_HOOK,
    notifyTo: values.NOTIFY_TO,
    unconfirmedDays: values.UNCONFIRMED_DAYS,
    remindAfterDays: values.REMIND_AFTER_DAYS,
    referrals: values.REFERRALS === "on",
    placeInLine: values.PLACE_IN_LINE === "on",
    webhook: values.WEBHOOK_URL === undefined
      ? undefined
      : { url: values.WEBHOOK_URL, secrets: values.WEBHOOK_SECRET ?? [] },
    backup: toBackup(values),
    site: {
      contentPath: values.CONTENT_PATH,
      contentScripts: values.CONTENT_SCRIPTS === "on",
      siteName: values.SITE_NAME,
      embedOrigins: values.EMBED_ORIGINS ?? [],
    },
    logLevel: values.LOG_LEVEL,
    secretFiles: SECRET_FILE_VARIABLES.flatMap((name) => variables[name] || []),
    isDenoDeploy: Boolean(values.DENO_DEPLOY),
  };
}

function toKvLocation(values: Values): KvLocation {
  if (values.KV_URL) return values.KV_URL;
  return values.DENO_DEPLOY ? { kind: "deploy" } : { kind: "file", path: values.KV_PATH };
}

function toMail(values: Values): MailConfig | undefined {
  const { MAIL_URL: target, MAIL_TOKEN: token = "" } = values;
  return target && {
    target: target.kind === "api" ? { ...target, token } : target,
    from: values.MAIL_FROM,
    returnPath: values.MAIL_RETURN_PATH,
    perMinute: values.MAIL_PER_MINUTE,
  };
}

function toBackup(values: Values): BackupConfig | undefined {
  const { BACKUP_URL, BACKUP_AT: at, BACKUP_KEEP: keep, BACKUP_RECIPIENT } = values;
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY = "" } = values;
  const key = { accessKeyId, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  const location = BACKUP_URL?.kind === "s3" ? { ...BACKUP_URL, ...key } : BACKUP_URL;
  return location && { location, at, keep, recipients: BACKUP_RECIPIENT ?? [] };
}
