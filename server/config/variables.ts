/**
 * The table of all variables of the configuration. The service uses this table to read the variables and to describe
 * faults. The permissions of the start task and `server/docs/configure.md` are made from the table. @module
 */
import { LOG_LEVELS } from "../runtime/mod.ts";
import {
  parseAccessKey,
  parseBackupUrl,
  parseRecipients,
  parseTimeOfDay,
} from "./backup_values.ts";
import { parseBearerToken, parseMailbox, parseMailUrl, parseSender } from "./mail_values.ts";
import { parseOperatorKey, parseOperatorKeys } from "./operators.ts";
import { parseContentPath, parseKvPath } from "./paths.ts";
import { parsePostgresUrl } from "./postgres_url.ts";
import {
  oneOf,
  parseCalledUrl,
  parseContact,
  parseOrigin,
  parseOrigins,
  parseSiteName,
  textMatching,
  wholeNumber,
} from "./values.ts";
import { parseMailHook, parseWebhookSecrets } from "./webhook_values.ts";

/** A variable of the configuration, with a value of the type `T`. */
export interface Variable<T = unknown> {
  /** What the variable means: the text for `server/docs/configure.md`. */
  meaning: string;
  /**
   * A valid value, or how to get one. It is shown in messages about a wrong value. Messages about a variable without an
   * example show the default.
   */
  example?: string;
  /** Reads a value. @throws an Error if the value is wrong. The caller puts the variable's name before the message. */
  parse: (text: string) => T;
  /** The value that the variable has if it is not set. */
  default?: string;
  /** How `server/docs/configure.md` describes a default that depends on other values. */
  defaultDescription?: string;
  /** Present if the value is a secret, which no message may quote. */
  secret?: true;
}

/** How to get a random key, for the examples of secrets. */
const KEY_EXAMPLE = "the output of `openssl rand -base64 32`";

/** The variables, in the order of `server/docs/configure.md`. */
export const SERVICE_VARIABLES = {
  BASE_URL: {
    meaning: "The public address; all URLs that the service writes begin with it",
    example: "https://waitlist.example.com",
    parse: parseOrigin,
    defaultDescription: "`http://localhost:8000` (with your `PORT`)",
  },
  PORT: {
    meaning: "The port on which the service listens; 0 takes a free port",
    parse: wholeNumber(0, 65_535),
    default: "8000",
  },
  HOST: {
    meaning: "The address on which the service listens",
    parse: textMatching(/^[A-Za-z0-9.:_-]+$/, ", which is not a host name or an address"),
    default: "127.0.0.1",
  },
  CONTACT: {
    meaning: "The contact address, `mailto:` or `https:`",
    example: "mailto:hello@example.com",
    parse: parseContact,
    defaultDescription: "`mailto:hello@localhost` (with the host of `BASE_URL`)",
  },
  SERVICE_NAME: {
    meaning: "The name in status answers, followed by `-web`",
    parse: textMatching(
      /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
      "; use up to 63 of a-z, 0-9 and inner hyphens",
    ),
    default: "waitlist",
  },
  KV_PATH: {
    meaning: "The embedded KV file",
    parse: parseKvPath,
    default: "./data/waitlist.sqlite3",
  },
  KV_URL: {
    meaning: "A PostgreSQL database in place of the file ([PostgreSQL](deploy.md#postgresql))",
    example: "postgres://waitlist:password@db.example.com/waitlist",
    parse: parsePostgresUrl,
    secret: true,
  },
  TRUSTED_PROXY_HOPS: {
    meaning: "The number of your own proxies in front of the service",
    example: "1",
    parse: wholeNumber(0, 32),
    default: "0",
  },
  SANDBOX_CLIENT: {
    meaning: "The sandbox's `client_id` and `client_secret`",
    // Only characters that need no escaping in URLs are allowed, because the value is also a part of URLs.
    parse: textMatching(/^[A-Za-z0-9._~-]{1,128}$/, "; use up to 128 of A-Z a-z 0-9 . _ ~ -"),
    default: "sandbox-public-client",
  },
  OPERATOR_KEY: {
    meaning: "The key of one operator, which turns the operator surface on",
    example: KEY_EXAMPLE,
    parse: parseOperatorKey,
    secret: true,
  },
  OPERATOR_KEYS: {
    meaning:
      "The keys of several operators, each with a name, and with a [role](#roles) where needed",
    example: "ada=<key> shop:product=<another key>, each from `openssl rand -base64 32`",
    parse: parseOperatorKeys,
    secret: true,
  },
  MAIL_URL: {
    meaning:
      "The place to which e-mails are sent; without it, no e-mails are sent ([E-mails](#e-mails))",
    example: "smtp://user:password@mail.example.com:587",
    parse: parseMailUrl,
    secret: true,
  },
  MAIL_FROM: {
    meaning: "The sender of e-mails, `Name <address>`; required with `MAIL_URL`",
    example: '"Example Company <hello@example.com>"',
    parse: parseSender,
  },
  MAIL_TOKEN: {
    meaning: "The bearer token of a mail API",
    example: "the token of the mail API",
    parse: parseBearerToken,
    secret: true,
  },
  MAIL_PER_MINUTE: {
    meaning: "The most e-mails in a minute, of all processes together",
    parse: wholeNumber(1, 1_000_000),
    default: "300",
  },
  MAIL_RETURN_PATH: {
    meaning: "The envelope's sender by SMTP, to which bounces go",
    example: "bounces@example.com",
    parse: parseMailbox,
    defaultDescription: "the address of `MAIL_FROM`",
  },
  MAIL_HOOK: {
    meaning:
      "The provider that [reports bounces and complaints](#bounces-and-complaints), and its secret",
    example: `generic:whsec_ and ${KEY_EXAMPLE}`,
    parse: parseMailHook,
    secret: true,
  },
  NOTIFY_TO: {
    meaning: "The address that gets e-mails about [trouble](operate.md#trouble), one a day at most",
    example: "ops@example.com",
    parse: parseMailbox,
  },
  UNCONFIRMED_DAYS: {
    meaning: "The number of days for which an unconfirmed address is kept",
    parse: wholeNumber(1, 3_650),
    default: "14",
  },
  REMIND_AFTER_DAYS: {
    meaning: "The number of days after which an unconfirmed person gets one reminder",
    example: "3",
    parse: wholeNumber(1, 3_650),
  },
  REFERRALS: {
    meaning: "`on` gives every confirmed person a link to recommend the list; needs `MAIL_URL`",
    parse: oneOf(["on", "off"]),
    default: "off",
  },
  PLACE_IN_LINE: {
    meaning: "`off` hides the place in line on the self-service page",
    parse: oneOf(["on", "off"]),
    default: "on",
  },
  WEBHOOK_URL: {
    meaning: "The address to which [events](#events) are posted",
    example: "https://hooks.example.com/waitlist",
    parse: parseCalledUrl,
  },
  WEBHOOK_SECRET: {
    meaning:
      "The `whsec_` secret that signs events, or two while one is replaced; required with `WEBHOOK_URL`",
    example: `whsec_ and ${KEY_EXAMPLE}`,
    parse: parseWebhookSecrets,
    secret: true,
  },
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
    secret: true,
  },
  CONTENT_PATH: {
    meaning: "A folder of your own texts, pictures and brand",
    example: "/srv/waitlist-content",
    parse: parseContentPath,
  },
  CONTENT_SCRIPTS: {
    meaning: "`on` lets scripts of `CONTENT_PATH` run, which can then act as a signed-in operator",
    parse: oneOf(["on", "off"]),
    default: "off",
  },
  EMBED_ORIGINS: {
    meaning: "The origins of your sites that may show the form or sign up by a script",
    example: "https://www.example.com",
    parse: parseOrigins,
  },
  SITE_NAME: {
    meaning: "The name that the pages show",
    example: '"Example Company"',
    parse: parseSiteName,
    defaultDescription: "`Example Company`",
  },
  LOG_LEVEL: {
    meaning: "The least severe log lines: `debug`, `info`, `warn` or `error`",
    parse: oneOf(LOG_LEVELS),
    default: "info",
  },
  DENO_DEPLOY: {
    meaning: "Set by Deno Deploy itself",
    example: "1",
    // Deno Deploy sets the variable to a text. Without Deno Deploy, the variable is not set.
    parse: Boolean,
  },
} satisfies Record<string, Variable>;

/** The name of a variable in the table. */
export type VariableName = keyof typeof SERVICE_VARIABLES;

/**
 * The names of the variables in the table. The cast is needed because the type of `Object.keys` is a list of plain
 * strings.
 */
export const VARIABLE_NAMES = Object.keys(SERVICE_VARIABLES) as VariableName[];

/** The names of the variables that have the path of a file with a secret, such as `MAIL_TOKEN_FILE`. */
export const SECRET_FILE_VARIABLES = VARIABLE_NAMES
  .filter((name) => "secret" in SERVICE_VARIABLES[name])
  .map((name) => `${name}_FILE` as const);

/** The names of all variables that the service reads: of the table, and of {@linkcode SECRET_FILE_VARIABLES}. */
export const ALL_VARIABLE_NAMES = [...VARIABLE_NAMES, ...SECRET_FILE_VARIABLES];
