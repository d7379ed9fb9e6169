/**
 * Reads a {@linkcode Config} from environment variables and reports all faults at once.
 * The variables, their defaults and meanings are listed in `server/README.md`.
 *
 * @module
 */
import { LETTER_VARIABLES, type LettersConfig, readLettersConfig } from "../config_mail.ts";
import type { Sender } from "./mail_values.ts";
import {
  findRepeated,
  type Operator,
  parseOperatorKey,
  parseOperatorKeys,
} from "./operators.ts";
import {
  oneOf,
  parseClientId,
  parseContact,
  parseContentPath,
  parseHost,
  parseKvPath,
  parseKvUrl,
  parseOrigin,
  parseOrigins,
  parseServiceName,
  parseSiteName,
  wholeNumber,
} from "./values.ts";
import { LOG_LEVELS, type LogLevel } from "../log.ts";

/** Where the KV is. */
export type KvLocation =
  | { kind: "file"; path: string }
  | { kind: "connect"; url: string; accessToken: string }
  | { kind: "deploy" };

/** The settings of the service; all of them are valid. */
export interface Config extends LettersConfig {
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

/** The names of all variables that the service reads. */
export const SERVICE_VARIABLES = [
  "BASE_URL",
  "PORT",
  "HOST",
  "CONTACT",
  "SERVICE_NAME",
  "KV_PATH",
  "KV_URL",
  "DENO_KV_ACCESS_TOKEN",
  "TRUSTED_PROXY_HOPS",
  "SANDBOX_CLIENT",
  "OPERATOR_KEY",
  "OPERATOR_KEYS",
  ...LETTER_VARIABLES,
  "CONTENT_PATH",
  "EMBED_ORIGINS",
  "SITE_NAME",
  "LOG_LEVEL",
  "DENO_DEPLOY",
] as const;

/** The variables' values; an empty one counts as absent. */
export type ServiceVariables = Partial<
  Record<typeof SERVICE_VARIABLES[number], string | undefined>
>;

const KEYS_EXAMPLE = "ada=<key> grace=<another key>, each from `openssl rand -base64 32`";

/** The embedded KV file when `KV_PATH` is absent, relative to the project's folder. */
export const DEFAULT_KV_PATH = "./data/waitlist.sqlite3";

/**
 * Reads the settings from environment variables.
 *
 * @returns the settings, or one sentence for each wrong value: the variable, what is wrong with its
 * value, and an example. Values of secrets are never quoted.
 */
export function readConfig(variables: ServiceVariables): { config: Config } | { faults: string[] } {
  const faults: string[] = [];

  function read<T>(
    name: typeof SERVICE_VARIABLES[number],
    example: string,
    parse: (text: string) => T,
  ) {
    const text = variables[name];
    if (!text) return undefined;
    try {
      return parse(text);
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}. Example: ${name}=${example}`);
      return undefined;
    }
  }

  const onDenoDeploy = Boolean(variables.DENO_DEPLOY);
  const baseUrl = read("BASE_URL", "https://waitlist.example.com", parseOrigin);
  if (onDenoDeploy && !variables.BASE_URL) {
    faults.push(
      "BASE_URL is required on Deno Deploy, where the service cannot know its public address. " +
        "Example: BASE_URL=https://waitlist.example.com",
    );
  }
  const contact = read("CONTACT", "mailto:hello@example.com", parseContact);
  const operator = read(
    "OPERATOR_KEY",
    "the output of `openssl rand -base64 32`",
    parseOperatorKey,
  );
  const named = read("OPERATOR_KEYS", KEYS_EXAMPLE, parseOperatorKeys) ?? [];
  const operators = operator ? [operator, ...named] : named;
  const repeated = findRepeated(operators);
  if (repeated) {
    faults.push(
      `OPERATOR_KEYS has the ${repeated} of the operator of OPERATOR_KEY, who is called ` +
        `'${operator?.name}'; give another one. Example: OPERATOR_KEYS=${KEYS_EXAMPLE}`,
    );
  }
  const kvPath = read("KV_PATH", DEFAULT_KV_PATH, parseKvPath) ?? DEFAULT_KV_PATH;
  const kvUrl = read("KV_URL", "http://127.0.0.1:4512", parseKvUrl);
  if (kvUrl && !variables.DENO_KV_ACCESS_TOKEN) {
    faults.push(
      "DENO_KV_ACCESS_TOKEN is required with KV_URL. " +
        "Example: DENO_KV_ACCESS_TOKEN=the token that denokv was started with",
    );
  }

  const letters = readLettersConfig({
    read,
    has: (name) => Boolean(variables[name]),
    withoutKvFile: kvUrl ? "with KV_URL" : onDenoDeploy ? "on Deno Deploy" : undefined,
    faults,
  });

  const contentPath = read("CONTENT_PATH", "/srv/waitlist-content", parseContentPath);
  const siteName = read("SITE_NAME", "Example Company", parseSiteName);

  const config: Config = {
    ...(baseUrl && { baseUrl }),
    port: read("PORT", "8000", wholeNumber(0, 65_535)) ?? 8000,
    hostname: read("HOST", "127.0.0.1", parseHost) ?? "127.0.0.1",
    ...(contact && { contact }),
    serviceName: read("SERVICE_NAME", "waitlist", parseServiceName) ?? "waitlist",
    kv: kvUrl
      ? { kind: "connect", url: kvUrl, accessToken: variables.DENO_KV_ACCESS_TOKEN ?? "" }
      : onDenoDeploy
      ? { kind: "deploy" }
      : { kind: "file", path: kvPath },
    trustedProxyHops: read("TRUSTED_PROXY_HOPS", "1", wholeNumber(0, 32)) ?? 0,
    sandboxClient: read("SANDBOX_CLIENT", "sandbox-public-client", parseClientId) ??
      "sandbox-public-client",
    operators,
    ...letters,
    ...(contentPath && { contentPath }),
    ...(siteName && { siteName }),
    embedOrigins: read("EMBED_ORIGINS", "https://www.example.com", parseOrigins) ?? [],
    logLevel: read("LOG_LEVEL", "info", oneOf(LOG_LEVELS)) ?? "info",
    onDenoDeploy,
  };
  return faults.length > 0 ? { faults } : { config };
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
