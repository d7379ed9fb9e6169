/**
 * The configuration: reads the variables of `variables.ts`, looks whether they fit together, and reports all
 * faults at once.
 *
 * @module
 */
import type { LogLevel } from "../runtime/mod.ts";
import type { MailTarget, Sender } from "./mail_values.ts";
import { findRepeated, type Operator } from "./operators.ts";
import {
  readVariables,
  type ServiceVariables,
  type Values,
  withExample,
} from "./read_variables.ts";
export type { MailTarget, Sender } from "./mail_values.ts";
export type { Operator } from "./operators.ts";
export { fromProject, kvFolder, makeKvFolder } from "./paths.ts";
export { holdsProgram, parseSiteName, PROJECT } from "./values.ts";
export { SERVICE_VARIABLES, VARIABLE_NAMES } from "./variables.ts";
export { type ServiceVariables } from "./read_variables.ts";
export { type DescribedEnvironment, type EnvironmentUrls, environmentUrls } from "./urls.ts";

/** Where the KV is. */
export type KvLocation =
  | { kind: "file"; path: string }
  | { kind: "connect"; url: string; accessToken: string }
  | { kind: "deploy" };

/** How letters are sent. */
export interface MailConfig {
  target: MailTarget;
  /** The default for a folder is {@linkcode senderOf}'s; other targets always have it. */
  from?: Sender;
  /** The most letters in a minute, of all processes together. */
  perMinute: number;
}

/** Where events go, and the secret that signs them. */
export interface WebhookConfig {
  url: string;
  secret: string;
}

/** The settings of the service; all of them are valid. */
export interface Config {
  /** Public origin without a trailing slash; without it, `http://localhost:` and the bound port. */
  baseUrl?: string;
  port: number;
  hostname: string;
  /** `mailto:` or `https:` address; without it, `mailto:hello@` and the host of the base URL. */
  contact?: string;
  serviceName: string;
  kv: KvLocation;
  trustedProxyHops: number;
  sandboxClient: string;
  /** Who may call the operator surface, which is off where there is nobody. */
  operators: Operator[];
  mail?: MailConfig;
  /** How long an address that was asked to confirm, and did not, is kept, in days. */
  unconfirmedDays: number;
  webhook?: WebhookConfig;
  /** The folder that lies over the built-in content; a relative path starts at the project. */
  contentPath?: string;
  /** The name on the pages; it wins over the one of `brand.yaml`. */
  siteName?: string;
  /** The origins of pages that may show the form in a frame. */
  embedOrigins: string[];
  logLevel: LogLevel;
  /** Whether the platform is Deno Deploy, which decides where the service listens. */
  onDenoDeploy: boolean;
}

/**
 * Reads the settings from environment variables.
 *
 * @returns the settings, or one sentence for each wrong value: the variable, what is wrong with its
 * value, and an example. Values of secrets are never quoted.
 */
export function readConfig(variables: ServiceVariables): { config: Config } | { faults: string[] } {
  const { values, faults } = readVariables(variables);
  faults.push(...findMissing(values, variables), ...findConflicts(values));
  return faults.length > 0 ? { faults } : { config: toConfig(values) };
}

/** Names the variables that others require. A variable whose value is wrong is not missing. */
function findMissing(values: Values, variables: ServiceVariables): string[] {
  const missing: string[] = [];
  const required = (name: keyof Values, reason: string) => {
    if (!variables[name]) missing.push(withExample(name, `is required ${reason}`));
  };
  const { DENO_DEPLOY, KV_URL, MAIL_URL, WEBHOOK_URL } = values;
  if (DENO_DEPLOY) {
    required("BASE_URL", "on Deno Deploy, where the service cannot know its public address");
  }
  if (KV_URL) required("DENO_KV_ACCESS_TOKEN", "with KV_URL");
  if (MAIL_URL && MAIL_URL.kind !== "folder") required("MAIL_FROM", "with MAIL_URL");
  if (MAIL_URL?.kind === "api") required("MAIL_TOKEN", "with an https: MAIL_URL");
  if (WEBHOOK_URL) required("WEBHOOK_SECRET", "with WEBHOOK_URL");
  return missing;
}

/** Names the variables that do not fit together. */
function findConflicts({ OPERATOR_KEY, OPERATOR_KEYS, ...values }: Values): string[] {
  const conflicts: string[] = [];
  const repeated = OPERATOR_KEY && findRepeated([OPERATOR_KEY, ...OPERATOR_KEYS ?? []]);
  if (repeated) {
    const fault = `has the ${repeated} of the operator of OPERATOR_KEY, who is called ` +
      `'${OPERATOR_KEY.name}'; give another one`;
    conflicts.push(withExample("OPERATOR_KEYS", fault));
  }
  const { MAIL_URL, KV_URL, DENO_DEPLOY } = values;
  const withoutFile = KV_URL ? "with KV_URL" : DENO_DEPLOY ? "on Deno Deploy" : undefined;
  if (MAIL_URL?.kind === "folder" && withoutFile) {
    const fault =
      `is 'file:${MAIL_URL.name}', a folder beside the KV file, and there is no KV file ` +
      withoutFile;
    conflicts.push(withExample("MAIL_URL", fault));
  }
  return conflicts;
}

function toConfig(values: Values): Config {
  const { BASE_URL, CONTACT, CONTENT_PATH, SITE_NAME, OPERATOR_KEY } = values;
  return {
    ...BASE_URL && { baseUrl: BASE_URL },
    port: values.PORT,
    hostname: values.HOST,
    ...CONTACT && { contact: CONTACT },
    serviceName: values.SERVICE_NAME,
    kv: toKvLocation(values),
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    sandboxClient: values.SANDBOX_CLIENT,
    operators: [...OPERATOR_KEY ? [OPERATOR_KEY] : [], ...values.OPERATOR_KEYS ?? []],
    ...toLetters(values),
    ...CONTENT_PATH && { contentPath: CONTENT_PATH },
    ...SITE_NAME && { siteName: SITE_NAME },
    embedOrigins: values.EMBED_ORIGINS ?? [],
    logLevel: values.LOG_LEVEL,
    onDenoDeploy: Boolean(values.DENO_DEPLOY),
  };
}

function toKvLocation(values: Values): KvLocation {
  const { KV_URL: url, DENO_KV_ACCESS_TOKEN: accessToken = "", KV_PATH: path } = values;
  if (url) return { kind: "connect", url, accessToken };
  return values.DENO_DEPLOY ? { kind: "deploy" } : { kind: "file", path };
}

function toLetters(values: Values): Pick<Config, "mail" | "unconfirmedDays" | "webhook"> {
  const { MAIL_URL: target, MAIL_FROM: from, MAIL_TOKEN: token = "" } = values;
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret = "" } = values;
  return {
    ...target && {
      mail: {
        target: target.kind === "api" ? { ...target, token } : target,
        ...from && { from },
        perMinute: values.MAIL_PER_MINUTE,
      },
    },
    unconfirmedDays: values.UNCONFIRMED_DAYS,
    ...url && { webhook: { url, secret } },
  };
}

/** The contact address that is shown: the configured one, or `hello@` at the base URL's host. */
export function contactOf(config: Config, baseUrl: string): string {
  return config.contact ?? `mailto:hello@${new URL(baseUrl).hostname}`;
}

/** The mailbox that letters come from: the configured one, or `hello@` at the base URL's host. */
export function senderOf(
  { mail }: Config,
  { siteName, baseUrl }: { siteName: string; baseUrl: string },
): Sender {
  return mail?.from ?? { name: siteName, address: `hello@${new URL(baseUrl).hostname}` };
}
