/**
 * Turns environment variables into a {@linkcode Config}, finding every fault at once.
 * The variables, their defaults and meanings are listed in the README.
 *
 * @module
 */
import { LOG_LEVELS, type LogLevel } from "./log.ts";

/** Where the records are kept. */
export type KvLocation =
  | { kind: "file"; path: string }
  | { kind: "connect"; url: string; accessToken: string }
  | { kind: "deploy" };

/** The service's settings, all valid. */
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
  operatorKey?: string;
  siteName: string;
  logLevel: LogLevel;
  /** Whether the platform is Deno Deploy, which decides where the service listens. */
  onDenoDeploy: boolean;
}

/** The names of all variables that the service reads. */
export const VARIABLES = [
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
  "SITE_NAME",
  "LOG_LEVEL",
  "DENO_DEPLOY",
] as const;

/** The variables' values; an empty one counts as absent. */
export type Variables = Partial<Record<typeof VARIABLES[number], string | undefined>>;

/** The embedded KV file when `KV_PATH` is absent, relative to the project's folder. */
export const DEFAULT_KV_PATH = "./data/waitlist.sqlite3";

/**
 * Reads the settings from environment variables.
 *
 * @returns the settings, or one sentence for each wrong value: the variable, what is wrong with its
 * value, and an example. Values of secrets are never quoted.
 */
export function readConfig(variables: Variables): { config: Config } | { faults: string[] } {
  const faults: string[] = [];

  function read<T>(name: typeof VARIABLES[number], example: string, parse: (text: string) => T) {
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
  const operatorKey = read("OPERATOR_KEY", "the output of `openssl rand -base64 32`", parseKey);
  const kvUrl = read("KV_URL", "http://127.0.0.1:4512", parseKvUrl);
  if (kvUrl && !variables.DENO_KV_ACCESS_TOKEN) {
    faults.push(
      "DENO_KV_ACCESS_TOKEN is required with KV_URL. " +
        "Example: DENO_KV_ACCESS_TOKEN=the token that denokv was started with",
    );
  }

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
      : { kind: "file", path: variables.KV_PATH || DEFAULT_KV_PATH },
    trustedProxyHops: read("TRUSTED_PROXY_HOPS", "1", wholeNumber(0, 32)) ?? 0,
    sandboxClient: read("SANDBOX_CLIENT", "sandbox-public-client", parseClientId) ??
      "sandbox-public-client",
    ...(operatorKey && { operatorKey }),
    siteName: read("SITE_NAME", "Example Company", parseSiteName) ?? "Example Company",
    logLevel: read("LOG_LEVEL", "info", oneOf(LOG_LEVELS)) ?? "info",
    onDenoDeploy,
  };
  return faults.length > 0 ? { faults } : { config };
}

/** The contact address that is shown: the configured one, or `hello@` at the base URL's host. */
export function contactOf(config: Config, baseUrl: string): string {
  return config.contact ?? `mailto:hello@${new URL(baseUrl).hostname}`;
}

function parseUrl(text: string, protocols: string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !protocols.includes(url.protocol)) {
    // What stands between a `:` and an `@` can be a password, in a mistyped address too.
    const shown = text.replace(/^.*:.*@/s, "…@");
    throw new Error(`is '${shown}', which is no ${protocols.join(" or ")} address`);
  }
  return url;
}

function parseOrigin(text: string): string {
  const url = parseUrl(text, ["http:", "https:"]);
  if (url.username || url.password) throw new Error("has a user part, which an origin has not");
  // `href` keeps an empty query or fragment ("https://example.com/?") that `search` does not show.
  if (url.href !== `${url.origin}/`) {
    throw new Error(`is '${text}'; an origin has no path, query or fragment`);
  }
  return url.origin;
}

function parseKvUrl(text: string): string {
  const url = parseUrl(text, ["http:", "https:"]);
  if (url.username || url.password) {
    throw new Error("has a user part; the access token goes into DENO_KV_ACCESS_TOKEN");
  }
  return text;
}

function parseContact(text: string): string {
  const url = parseUrl(text, ["mailto:", "https:"]);
  if (url.protocol === "mailto:" && !/^[^@\s]+@[^@\s]+$/.test(decoded(url.pathname))) {
    throw new Error(`is '${text}', which names no mailbox`);
  }
  return url.href;
}

/** Percent-decoded text; empty where it cannot be. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function parseKey(text: string): string {
  if (text.length < 32) {
    throw new Error(`has ${text.length} characters; it needs 32 or more`);
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new Error("has a character that no HTTP header can carry; use visible ASCII");
  }
  return text;
}

function parseHost(text: string): string {
  if (!/^[A-Za-z0-9.:_-]+$/.test(text)) {
    throw new Error(`is '${text}', which is no host name or address`);
  }
  return text;
}

function parseServiceName(text: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) {
    throw new Error(`is '${text}'; use up to 63 of a-z, 0-9 and inner hyphens`);
  }
  return text;
}

function parseClientId(text: string): string {
  if (!/^[A-Za-z0-9._~-]{1,128}$/.test(text)) {
    throw new Error(`is '${text}'; use up to 128 of A-Z a-z 0-9 . _ ~ -`);
  }
  return text;
}

function parseSiteName(text: string): string {
  if (text.length > 100 || /\p{Cc}/u.test(text)) {
    throw new Error("is longer than 100 characters or has a control character");
  }
  return text;
}

function wholeNumber(from: number, to: number) {
  return (text: string) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < from || value > to) {
      throw new Error(`is '${text}'; it must be a whole number from ${from} to ${to}`);
    }
    return value;
  };
}

function oneOf<T extends string>(values: readonly T[]) {
  return (text: string): T => {
    const value = values.find((value) => value === text);
    if (!value) throw new Error(`is '${text}'; it must be one of ${values.join(", ")}`);
    return value;
  };
}
