/**
 * The settings of every command: declares their flags, and reads them from flags and environment variables.
 * `api_access.ts` declares `--sandbox`, because only commands of the public API have this flag.
 *
 * @module
 */
import type { Command } from "commander";
import type { EnvironmentName } from "../shared/environments.ts";
import { isLoopbackOrigin } from "../shared/loopback.ts";
import { redactUrl } from "../shared/redact_url.ts";
import type { Variables } from "./context.ts";
import { UsageError } from "./errors.ts";
import { type FlagValues, parseSeconds } from "./flag_values.ts";

const DEFAULT_BASE_URL = "http://localhost:8000";

/** The default of `--timeout`, in seconds. */
const DEFAULT_TIMEOUT = "10";

/** The settings of every command. */
export interface Settings {
  /** The service's public origin. */
  baseUrl: string;
  environment: EnvironmentName;
  json: boolean;
  /** The longest time of one request, in milliseconds. */
  timeout: number;
  quiet: boolean;
  verbose: boolean;
  /** Whether secrets may be sent over plain `http:` to hosts other than this computer. */
  insecure: boolean;
}

/**
 * Declares the flags of every command. They may also stand in front of the command's name. They have no defaults in
 * commander, because a default behind the name would override a value in front of the name.
 */
export function addCommonFlags(command: Command): void {
  command
    .option("--base-url <url>", `the service's address (WAITLIST_BASE_URL, ${DEFAULT_BASE_URL})`)
    .option("--json", "print JSON")
    .option("--timeout <seconds>", `the longest time of one request (${DEFAULT_TIMEOUT})`)
    .option("-q, --quiet", "print the bare result, or nothing if the exit code says enough")
    .option("-v, --verbose", "show requests and responses on standard error, without secrets");
}

/** Declares `--insecure`, which lets a command send a secret over plain `http:` to a host other than this computer. */
export function addInsecureFlag(command: Command): void {
  command.option("--insecure", "also send secrets over plain http: to other hosts");
}

/** Reads the settings. A flag wins over an environment variable, which wins over the default. */
export function readSettings(flags: FlagValues, variables: Variables): Settings {
  if (flags.quiet && flags.verbose) {
    throw new UsageError("--quiet and --verbose exclude each other; leave out one of these flags");
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

function readBaseUrl(flags: FlagValues, variables: Variables): string {
  const name = flags.baseUrl === undefined ? "WAITLIST_BASE_URL" : "--base-url";
  const givenUrl = String(flags.baseUrl ?? (variables.WAITLIST_BASE_URL || DEFAULT_BASE_URL));
  const redactedUrl = redactUrl(givenUrl);
  const url = URL.canParse(givenUrl) ? new URL(givenUrl) : undefined;
  // The message does not quote the URL, because the URL may have a password.
  if (url?.username || url?.password) {
    throw new UsageError(
      `${name} has a user name or a password; remove this part of the URL, and set WAITLIST_CLIENT_ID and ` +
        "WAITLIST_CLIENT_SECRET instead",
    );
  }
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new UsageError(
      `${name} is '${redactedUrl}', which is not an http: or https: URL; give a URL such as ${DEFAULT_BASE_URL}`,
    );
  }
  if (url.pathname === "/sandbox") {
    throw new UsageError(`${name} is '${redactedUrl}'; give ${url.origin} and add --sandbox`);
  }
  if (url.href !== `${url.origin}/`) {
    throw new UsageError(
      `${name} is '${redactedUrl}', which is more than scheme, host and port; give ${url.origin}`,
    );
  }
  return url.origin;
}

/**
 * Throws a `UsageError` if a secret would be sent in clear text to another computer. `--insecure` allows it.
 *
 * @param secret the name of the secret, as the beginning of a sentence
 */
export function refuseClearText(secret: string, { baseUrl, insecure }: Settings): void {
  if (insecure || baseUrl.startsWith("https:") || isLoopbackOrigin(baseUrl)) return;
  throw new UsageError(
    `${secret} would go to ${baseUrl} in clear text, and others on the network could read this secret; use an https: URL, ` +
      "or add --insecure if you trust this network",
  );
}
