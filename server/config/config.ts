/**
 * The type of the configuration of the service, and the error and the exit code for a wrong configuration.
 * `read_config.ts` makes the configuration from the environment variables. @module
 */
import type { S3Location } from "../../shared/s3_location.ts";
import type { LogLevel } from "../runtime/mod.ts";
import type { MailTarget, Sender } from "./mail_values.ts";
import type { Operator } from "./operators.ts";
import type { PostgresLocation } from "./postgres_url.ts";
import type { MailHook } from "./webhook_values.ts";

/** The configuration of the service: one member for each setting, parsed from the variables. */
export interface Config {
  /** The public origin. If `undefined`, the service uses `http://localhost:` with the bound port. */
  baseUrl: string | undefined;
  /** The port on which the service listens. With 0, the service takes a free port. */
  port: number;
  /** The IP address or the host name on which the service listens. */
  host: string;
  /** The contact address, `mailto:` or `https:`. If `undefined`, the service uses a default; see `contactOf()`. */
  contact: string | undefined;
  /** The name in status answers, where `-web` follows the name. */
  serviceName: string;
  kv: KvLocation;
  /** The number of the operator's own proxies in front of the service. */
  trustedProxyHops: number;
  /** The published `client_id` of the sandbox, which is also its `client_secret`. */
  sandboxClient: string;
  /** The operators with keys. If there are none, the operator surface is off. */
  operators: Operator[];
  /** How letters are sent. `undefined` if no letters are sent. */
  mail: MailConfig | undefined;
  /** The provider whose calls report bounces and complaints to the service. `undefined` if no provider does so. */
  mailHook: MailHook | undefined;
  /** The address that gets letters about trouble. `undefined` if there are no such letters. */
  notifyTo: string | undefined;
  /** For how many days an unconfirmed person is kept. */
  unconfirmedDays: number;
  /** After how many days an unconfirmed person gets one reminder. `undefined` if nobody gets a reminder. */
  remindAfterDays: number | undefined;
  /** Whether every confirmed person gets a referral link. */
  hasReferrals: boolean;
  /** Whether the self-service page shows the place in line. */
  showsPlaceInLine: boolean;
  /** The URL to which the service sends events, and the secrets that sign them. `undefined` if no events are sent. */
  webhook: { url: string; secrets: string[] } | undefined;
  /** The place and times of scheduled backups. `undefined` if the service makes no backups by itself. */
  backup: BackupConfig | undefined;
  site: SiteConfig;
  logLevel: LogLevel;
  /**
   * The paths in the variables whose names end in `_FILE`. `start.ts` gives the service the permission to read these
   * files with secrets.
   */
  secretFiles: string[];
  /**
   * Whether the service runs on Deno Deploy, where the platform chooses the address and the port on which the service
   * listens. The store there is the KV of Deno Deploy, or PostgreSQL.
   */
  isDenoDeploy: boolean;
}

/** How letters are sent. */
export interface MailConfig {
  target: MailTarget;
  /** The sender of letters. Absent only if letters are written to a folder; see `senderOf()`. */
  from: Sender | undefined;
  /** The envelope's sender in SMTP. By default, it is the address of `from`. */
  returnPath: string | undefined;
  /** How many letters all processes together send in a minute at most. */
  perMinute: number;
}

/** The place and times of scheduled backups. */
export interface BackupConfig {
  location:
    | { kind: "folder"; path: string }
    | (S3Location & { accessKeyId: string; secretAccessKey: string });
  /** The time of the daily backup, in minutes after midnight UTC. */
  timeOfDay: number;
  /** The number of backups that are kept. */
  keep: number;
  /** The age public keys for which backups are encrypted. */
  recipients: string[];
}

/** What the operator changes on the pages. */
export interface SiteConfig {
  /** The overlay: a folder whose files take precedence over the files of the same name in the built-in `content/`. */
  contentPath: string | undefined;
  /** Whether scripts of the overlay may run. */
  allowsContentScripts: boolean;
  /** The name of the site. If present, it replaces the name in `brand.yaml`. */
  siteName: string | undefined;
  /** The origins of the company's own pages, which may show the form in a frame or sign up by a script. */
  embedOrigins: string[];
}

/** The place of the store: a file, a PostgreSQL database, or the KV of Deno Deploy. */
export type KvLocation =
  | { kind: "file"; path: string }
  | PostgresLocation
  | { kind: "deploy" };

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
