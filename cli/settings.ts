import type { Command } from "commander";
import { isLoopbackOrigin } from "../shared/loopback.ts";
import { shownAddress } from "../shared/shown_address.ts";
import type { EnvironmentName } from "../shared/environments.ts";
import { UsageError } from "./errors.ts";
import type { Variables } from "./context.ts";

const DEFAULT_BASE_URL = "http://localhost:8000";

/** In seconds. */
const DEFAULT_TIMEOUT = "10";

/** The settings that every command has. */
export interface Settings {
  /** The service's public origin. */
  baseUrl: string;
  environment: EnvironmentName;
  json: boolean;
  /** How long one request may take, in milliseconds. */
  timeout: number;
  quiet: boolean;
  verbose: boolean;
  /** Whether secrets may go over plain `http:` to other hosts. */
  insecure: boolean;
}

/**
 * The flags of every command, which may also be in front of its name. They have no default of commander, because a
 * default behind the name would override a value in front of it.
 */
export function addCommonFlags(command: Command): void {
  command
    .option("--base-url <url>", `the service's address (WAITLIST_BASE_URL, ${DEFAULT_BASE_URL})`)
    .option("--json", "print JSON")
    .option("--timeout <seconds>", `how long one request may take (${DEFAULT_TIMEOUT})`)
    .option("-q, --quiet", "print the bare result, or nothing where the exit code says enough")
    .option("-v, --verbose", "show requests and responses on standard error, secrets masked");
}

/** The flag of commands that send a secret. */
export function addInsecureFlag(command: Command): void {
  command.option("--insecure", "send secrets over plain http: to other hosts, too");
}

/** Flags in the form that commander gives them. */
export type Flags = Record<string, unknown>;

/** Reads the common flags: first the flags, then the environment, then the defaults. */
export function readSettings(flags: Flags, variables: Variables): Settings {
  if (flags.quiet && flags.verbose) {
    throw new UsageError("--quiet and --verbose exclude each other; leave one out");
  }
  const timeout = String(flags.timeout ?? DEFAULT_TIMEOUT);
  return {
    baseUrl: readBaseUrl(flags, variables),
    environment: flags.sandbox ? "sandbox" : "production",
    json: flags.json === true,
    timeout: parseSeconds("--timeout", timeout, { from: 0.1, to: 300 }) * 1000,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    insecure: flags.insecure === true,
  };
}

function readBaseUrl(flags: Flags, variables: Variables): string {
  const name = flags.baseUrl === undefined ? "WAITLIST_BASE_URL" : "--base-url";
  const text = String(flags.baseUrl ?? (variables.WAITLIST_BASE_URL || DEFAULT_BASE_URL));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The message does not quote the URL, as it may hold a password.
  if (url?.username || url?.password) {
    throw new UsageError(
      `${name} has a user part; give WAITLIST_CLIENT_ID and WAITLIST_CLIENT_SECRET instead`,
    );
  }
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new UsageError(
      `${name} is '${
        shownAddress(text)
      }', which is not an http: or https: URL; give one such as ${DEFAULT_BASE_URL}`,
    );
  }
  if (url.pathname === "/sandbox") {
    throw new UsageError(`${name} is '${text}'; give ${url.origin} and add --sandbox`);
  }
  if (url.href !== `${url.origin}/`) {
    throw new UsageError(
      `${name} is '${shownAddress(text)}', which is more than an origin; give ${url.origin}`,
    );
  }
  return url.origin;
}

/**
 * Throws a `UsageError` where a secret would travel in clear text: over plain `http:` to a host that is
 * not a loopback host, unless `--insecure` allows it.
 *
 * @param secret the name of the secret, as the beginning of a sentence
 */
export function refuseClearText(secret: string, { baseUrl, insecure }: Settings): void {
  if (insecure || baseUrl.startsWith("https:") || isLoopbackOrigin(baseUrl)) return;
  throw new UsageError(
    `${secret} would go to ${baseUrl} in clear text, for anyone on the way to read; ` +
      "use https:, or add --insecure where you trust the whole network in between",
  );
}

/** Reads a number of seconds, or throws a `UsageError` that names the flag. */
export function parseSeconds(
  flag: string,
  text: string,
  { from, to }: { from: number; to: number },
): number {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds < from || seconds > to) {
    throw new UsageError(`${flag} is '${text}'; give a number of seconds from ${from} to ${to}`);
  }
  return seconds;
}
